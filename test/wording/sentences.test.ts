/**
 * A sentence that several actions of a package say stands once in its words, under a name that never reaches
 * anybody.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { actionWords, TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { stringsIn } from '../../kernel/flow/json.ts'

const MAIL = ['archive', 'move', 'file', 'mark', 'spam', 'delete'].map((verb) => `email.${verb}`)
const ACTIONS = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))

afterEach(() => speak('en'))

test.each([
  ['en', 'That broke off half way: some of these mails may be done, and others not.'],
  ['de', 'Das ist auf halbem Weg abgebrochen: Bei einem Teil dieser Mails'],
] as const)(
  'what ended half way is one sentence, which each of the six says (%s)',
  async (language, begins) => {
    const file = readFileSync(
      join(import.meta.dirname, `../../integrations/tools/email/words/${language}.toml`),
      'utf8',
    )
    expect(file.split(begins)).toHaveLength(2)
    await speak(language)
    for (const id of MAIL) expect(actionWords(id)?.reasons?.['write_outcome_unknown']).toContain(begins)
  },
)

test.each(['en', 'de'] as const)(
  'no name of a sentence is left in the words of an action (%s)',
  async (language) => {
    await speak(language)
    const texts = ACTIONS.flatMap((id) => stringsIn(JSON.parse(JSON.stringify(actionWords(id) ?? {}))))
    expect(texts.length).toBeGreaterThan(300)
    expect(texts.filter((text) => /^\{[a-z_]+\}$/.test(text))).toEqual([])
  },
)
