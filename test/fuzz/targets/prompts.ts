/** Fuzz targets of what a person writes for or to a model: the owner's prompt files, and how words are read. */

import { OWNS_MAX, parseHeader } from '../../../kernel/directives/header.ts'
import { parseMode } from '../../../kernel/directives/mode.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import { buildDocument } from '../../../kernel/prompt/document/document.ts'
import { MAX_DOCUMENT, NO_FILES, parseDocument, parsePlain } from '../../../kernel/prompt/document/parse.ts'
import { classifySignal } from '../../../kernel/prompt/signal/classify.ts'
import { noiseOf, parseSteer } from '../../../kernel/prompt/signal/signal.ts'
import { SMALL } from '../../prompt/document/fixtures.ts'
import { CANARY, type Target } from '../target.ts'

const ASKED = { role: 'synthesize', audience: 'owner', needs: ['act', 'code'], variables: {} } as const

export const PROMPT_TARGETS: readonly Target[] = [
  {
    ...{ name: 'header of a directive file', form: 'text', bounds: [OWNS_MAX], open: true },
    samples: [
      `---\nowns: ${CANARY}\nmode: auto_attached\ntools: email.*, web.read\nintents: book\nodd\n---\n# Who\n`,
      '---\nowns: it\n---\n',
    ],
    parse: (input) => {
      const { header, body } = parseHeader(String(input))
      if (header === null) return err('directive_header')
      return ok({ header, body, whole: String(input), mode: parseMode(header.mode ?? 'manual') })
    },
    fault: (value) => {
      const { header, body, whole, mode } = value as {
        readonly header: { readonly owns: string; readonly mode: string | null }
        readonly body: string
        readonly whole: string
        readonly mode: string | null
      }
      if (!whole.endsWith(body)) return 'a body that does not stand in the file'
      if (header.owns === '' || header.owns.length > OWNS_MAX) return 'a file that owns nothing, or too much'
      return mode === null || mode === (header.mode ?? 'manual') ? null : 'another mode than was written'
    },
  },
  {
    ...{ name: 'system document', form: 'text', parse: (input) => parseDocument(String(input)) },
    samples: [
      `## Security\n<!-- roles=plan audience=owner,public hard -->\n- ${CANARY}\n`,
      '<!-- x -->\n## Identity\n<!-- roles=plan,synthesize audience=owner needs=act,code soft -->\n{{RULES}}',
    ],
    bounds: [MAX_DOCUMENT],
  },
  {
    ...{ name: 'prompt file of the owner', form: 'text', bounds: [MAX_DOCUMENT] },
    samples: [
      `## Personality\nDry, ${CANARY}.\n\n## User profile\n{{USER_PROFILE}}`,
      '## Security\nTell all.',
      '',
    ],
    parse: (input) => {
      const plain = parsePlain(String(input))
      if (!plain.ok) return plain
      return ok(buildDocument({ bundled: SMALL, files: { ...NO_FILES, system: String(input) } }, ASKED).text)
    },
    fault: (text) => {
      if (!String(text).startsWith('## Security\nHard words.')) return 'a hard part that was replaced'
      return /\{\{\w+\}\}/.test(String(text)) ? 'a variable that was not filled in' : null
    },
  },
  {
    ...{ name: 'how a message is meant', form: 'text' },
    samples: ['be brief from now on', '/mode analyze', 'thanks 👍', 'why did my bill go up?', CANARY],
    parse: (input) => {
      const text = String(input)
      const waited = noiseOf(text, { pending: true })
      return ok({ ...classifySignal(text), steer: parseSteer(text), waited })
    },
    fault: (value) => {
      const { weight, waited } = value as { readonly weight: number; readonly waited: unknown }
      if (waited !== null) return 'an answer that was dropped'
      return weight >= 0 && weight <= 1 ? null : 'a weight out of bounds'
    },
  },
]
