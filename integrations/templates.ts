/**
 * Makes the prompt texts of the files of `templates/`, wherever a place has loaded them from (STYLE 11). Must not read a file. Called
 * by both places.
 */
import type { Result } from '../kernel/flow/verdict.ts'
import { parseDocument } from '../kernel/prompt/document/parse.ts'
import type { PromptTexts } from '../kernel/prompt/parts.ts'
import { parseOverlay } from '../kernel/prompt/signal/signal.ts'
import { parseSelfWords } from '../kernel/self/render.ts'

/** File contents by path below `templates/`, sorted by path. */
export type TemplateFiles = ReadonlyMap<string, string>

/** `self`: `prompts/self.toml`, decoded. Throws for a missing or malformed file: no place may start with an incomplete prompt. */
export function promptTexts(files: TemplateFiles, self: unknown): PromptTexts {
  const text = (name: string): string => {
    const found = files.get(`prompts/${name}.md`)?.trim()
    if (found === undefined || found === '') throw new Error(`templates/prompts/${name}.md is missing`)
    return found
  }
  return Object.freeze({
    ...{ identity: text('identity'), rules: text('rules'), lastRules: text('last-rules') },
    self: partOf(parseSelfWords(self)),
    document: partOf(parseDocument(text('SYSTEM'))),
    overlay: partOf(parseOverlay(text('overlay'))),
    roles: Object.freeze({
      ...{ plan: text('role-plan'), compose: text('role-compose'), classify: text('role-classify') },
      ...{ extract: text('role-extract'), choose: text('role-choose') },
      ...{ synthesize: text('role-synthesize'), read: text('role-read'), look: text('role-look') },
      ...{ compact: text('role-compact'), whoami: text('role-whoami') },
    }),
  })
}

function partOf<T>(parsed: Result<T>): T {
  if (parsed.ok) return parsed.value
  throw new Error(`${parsed.reason.code}: ${String(parsed.reason.facts['field'] ?? '')}`)
}
