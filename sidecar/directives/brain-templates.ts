/** Initial text of each standard directive file, from `templates/brain`. Must not write. Called by runtime.ts at the first start. */
import { readFileSync } from 'node:fs'
import { STANDARD_FILES, type StandardFile } from '../../kernel/directives/ownership.ts'

const FOLDER = new URL('../../templates/brain/', import.meta.url)

export function readBrainTemplates(): Readonly<Record<StandardFile, string>> {
  const texts = STANDARD_FILES.map(
    (name) => [name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')] as const,
  )
  return Object.fromEntries(texts) as Record<StandardFile, string>
}
