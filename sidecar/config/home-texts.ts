/**
 * Reads the texts that home starts with: task templates, prompt texts and first directive files from `templates/` (STYLE 11),
 * and the owner's additions to the system document from the state folder (P-04). A malformed template stops home at its
 * start. Must not write. Called by powers.ts and runtime.ts.
 */

import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'smol-toml'
import { promptTexts, type TemplateFiles } from '../../integrations/templates.ts'
import { STANDARD_FILES, type StandardFile } from '../../kernel/directives/ownership.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { DocumentCache } from '../../kernel/prompt/document/document.ts'
import {
  MAX_DOCUMENT,
  NO_FILES,
  noticeWords,
  type OwnersFiles,
  type SystemDocument,
} from '../../kernel/prompt/document/parse.ts'
import type { PromptTexts } from '../../kernel/prompt/parts.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { Template } from '../../kernel/template/template.ts'
import type { Registry } from '../../kernel/tool/registry.ts'

const TEMPLATES = new URL('../../templates/', import.meta.url)

/** The shipped templates. Refusals: those of `loadTemplates`; template_malformed for a file that is not TOML. */
export function readTemplates(registry: Registry): Result<readonly Template[]> {
  const decoded = decodeTasks(new Map([...filesIn('tasks'), ...filesIn('jobs')]))
  const loaded = decoded.ok ? loadTemplates(decoded.value, registry, EFFECT_IDS) : decoded
  return loaded.ok ? ok(loaded.value.templates) : loaded
}

/** Refusal: template_malformed, with the name of the file that is not valid TOML. */
function decodeTasks(files: TemplateFiles): Result<readonly unknown[]> {
  const decoded: unknown[] = []
  for (const [path, source] of files) {
    try {
      decoded.push(parse(source))
    } catch {
      return err('template_malformed', { file: path.slice(path.indexOf('/') + 1) })
    }
  }
  return ok(decoded)
}

/** Digests of the shipped templates and prompts, by file. After an update they show which files changed. */
export function shippedDigests(): Readonly<Record<string, string>> {
  const files = (['tasks', 'jobs', 'prompts'] as const).flatMap((folder) => [...filesIn(folder)])
  return Object.fromEntries(
    files.map(([name, text]) => [
      name,
      createHash('sha256').update(text).digest('hex').slice(0, DIGEST_DIGITS),
    ]),
  )
}

/** Number of hex digits. They distinguish two versions of a file and protect nothing. */
const DIGEST_DIGITS = 16

/** Throws if a prompt text is malformed. */
export function readPromptTexts(): PromptTexts {
  const files = filesIn('prompts')
  return promptTexts(files, parse(files.get('prompts/self.toml') ?? ''))
}

function filesIn(folder: 'tasks' | 'jobs' | 'prompts'): TemplateFiles {
  const at = new URL(`${folder}/`, TEMPLATES)
  const names = readdirSync(fileURLToPath(at)).sort()
  return new Map(
    names
      .filter((name) => /\.(?:md|toml)$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(new URL(name, at), 'utf8')]),
  )
}

const FOLDER = new URL('../../templates/brain/', import.meta.url)

export function readBrainTemplates(): Readonly<Record<StandardFile, string>> {
  const texts = STANDARD_FILES.map(
    (name) => [name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')] as const,
  )
  return Object.fromEntries(texts) as Record<StandardFile, string>
}

export interface PromptFiles {
  /** First the document with the owner's additions, then the one without. */
  readonly documents: readonly DocumentCache[]
  /** Reads the files again. `notices` say what could not be used. */
  reload(): Reloaded
}

interface Reloaded {
  readonly changed: boolean
  /** Estimated tokens of the document for an answer to the owner. */
  readonly tokens: number
  readonly notices: readonly string[]
}

/** `folder`: absolute path of the state folder. */
export function openPromptFiles(folder: string, bundled: SystemDocument): PromptFiles {
  const own = new DocumentCache({ bundled, files: readFiles(folder) })
  const plain = new DocumentCache({ bundled, files: NO_FILES })
  return {
    documents: [own, plain],
    reload() {
      const { changed } = own.reload({ bundled, files: readFiles(folder) })
      const role = {
        role: 'synthesize',
        audience: 'owner',
        needs: ['act'],
        variables: {},
        principal: '',
      } as const
      const { tokens, notices } = own.get(role)
      return { changed, tokens, notices: notices.map(noticeWords) }
    },
  }
}

function readFiles(folder: string): OwnersFiles {
  const read = (name: string): string | null => readText(join(folder, 'prompts', name))
  return { system: read('SYSTEM.md'), identity: read('IDENTITY.md'), soul: read('SOUL.md') }
}

/** Bytes: more than the longest document in the widest script, so that one that is too long is recognised as such. */
const MOST_BYTES = MAX_DOCUMENT * 4

/** Null if the file does not exist or cannot be read. */
function readText(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(MOST_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, MOST_BYTES, 0))
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
