/**
 * Task templates and prompt texts, read from `templates/` beside the program (STYLE 11). A template that is wrong
 * stops home at its start, not at some message. Must not write. Called by powers.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'smol-toml'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { EFFECT_IDS } from '../kernel/powers/effects.ts'
import { parseDocument } from '../kernel/prompt/document/parse.ts'
import type { PromptTexts } from '../kernel/prompt/parts.ts'
import { parseOverlay } from '../kernel/prompt/signal/overlay.ts'
import { parseSelfWords } from '../kernel/self/words.ts'
import { loadTemplates } from '../kernel/template/load.ts'
import type { Template } from '../kernel/template/template.ts'
import type { Registry } from '../kernel/tool/registry.ts'

const TEMPLATES = new URL('../templates/', import.meta.url)

/** Refusals: those of `loadTemplates`; template_malformed for a file that is no TOML. */
export function readTemplates(registry: Registry): Result<readonly Template[]> {
  const folder = new URL('tasks/', TEMPLATES)
  const decoded: unknown[] = []
  for (const name of readdirSync(fileURLToPath(folder)).sort()) {
    if (!name.endsWith('.toml')) continue
    try {
      decoded.push(parse(readFileSync(new URL(name, folder), 'utf8')))
    } catch {
      return err('template_malformed', { file: name })
    }
  }
  const loaded = loadTemplates(decoded, registry, EFFECT_IDS)
  return loaded.ok ? ok(loaded.value.templates) : loaded
}

/** Throws for words that are no words: home must not start with a prompt that says nothing of itself. */
export function readPromptTexts(): PromptTexts {
  const text = (name: string): string => readFileSync(new URL(`prompts/${name}.md`, TEMPLATES), 'utf8').trim()
  return {
    self: partOf(parseSelfWords(parse(readFileSync(new URL('prompts/self.toml', TEMPLATES), 'utf8')))),
    document: partOf(parseDocument(text('SYSTEM'))),
    overlay: partOf(parseOverlay(text('overlay'))),
    identity: text('identity'),
    rules: text('rules'),
    lastRules: text('last-rules'),
    roles: {
      plan: text('role-plan'),
      compose: text('role-compose'),
      classify: text('role-classify'),
      synthesize: text('role-synthesize'),
      read: text('role-read'),
      look: text('role-look'),
      compact: text('role-compact'),
      whoami: text('role-whoami'),
    },
  }
}

function partOf<T>(parsed: Result<T>): T {
  if (parsed.ok) return parsed.value
  throw new Error(`${parsed.reason.code}: ${String(parsed.reason.facts['field'] ?? '')}`)
}
