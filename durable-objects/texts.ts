/**
 * Task templates and prompt texts, as the bundle carries them: decoded and checked once an isolate. A template that
 * is wrong stops the edge at its start, not at some message. Called by powers.ts.
 */
import { parse } from 'smol-toml'
import type { Result } from '../kernel/flow/verdict.ts'
import { EFFECT_IDS } from '../kernel/powers/effects.ts'
import { parseDocument } from '../kernel/prompt/document/parse.ts'
import type { PromptTexts } from '../kernel/prompt/parts.ts'
import { parseOverlay } from '../kernel/prompt/signal/overlay.ts'
import { parseSelfWords } from '../kernel/self/words.ts'
import { loadTemplates } from '../kernel/template/load.ts'
import type { Template } from '../kernel/template/template.ts'
import type { Registry } from '../kernel/tool/registry.ts'
import identity from '../templates/prompts/identity.md'
import lastRules from '../templates/prompts/last-rules.md'
import overlay from '../templates/prompts/overlay.md'
import classify from '../templates/prompts/role-classify.md'
import compact from '../templates/prompts/role-compact.md'
import compose from '../templates/prompts/role-compose.md'
import look from '../templates/prompts/role-look.md'
import plan from '../templates/prompts/role-plan.md'
import read from '../templates/prompts/role-read.md'
import synthesize from '../templates/prompts/role-synthesize.md'
import whoami from '../templates/prompts/role-whoami.md'
import rules from '../templates/prompts/rules.md'
import document from '../templates/prompts/SYSTEM.md'
import self from '../templates/prompts/self.toml'
import ownerOpen from '../templates/tasks/owner_open.toml'
import ownerPrivate from '../templates/tasks/owner_private.toml'
import ownerTelegram from '../templates/tasks/owner_telegram_general.toml'
import pairedScheduling from '../templates/tasks/paired_scheduling.toml'
import scheduling from '../templates/tasks/scheduling.toml'
import whatsappScheduling from '../templates/tasks/whatsapp_scheduling.toml'

/** All of them, so that what home would do is known here as home's, and not as unknown. */
export const TASK_TEMPLATES: readonly unknown[] = Object.freeze(
  [ownerOpen, ownerPrivate, ownerTelegram, pairedScheduling, scheduling, whatsappScheduling].map((text) =>
    parse(text),
  ),
)

export const PROMPT_TEXTS: PromptTexts = Object.freeze({
  identity,
  rules,
  lastRules,
  self: partOf(parseSelfWords(parse(self))),
  document: partOf(parseDocument(document)),
  overlay: partOf(parseOverlay(overlay)),
  roles: Object.freeze({ plan, compose, classify, synthesize, read, look, compact, whoami }),
})

/** Throws, like what loads the templates: a deployment with a broken prompt must not serve. */
function partOf<T>(parsed: Result<T>): T {
  if (parsed.ok) return parsed.value
  throw new Error(`${parsed.reason.code}: ${String(parsed.reason.facts['field'] ?? '')}`)
}

const loaded = new WeakMap<readonly unknown[], readonly Template[]>()

/** Throws with the reason and the field: a deployment with a broken template must not serve. */
export function loadEdgeTemplates(decoded: readonly unknown[], registry: Registry): readonly Template[] {
  const known = loaded.get(decoded)
  if (known !== undefined) return known
  const set = loadTemplates(decoded, registry, EFFECT_IDS)
  if (!set.ok) throw new Error(`${set.reason.code}: ${String(set.reason.facts['field'] ?? '')}`)
  loaded.set(decoded, set.value.templates)
  return set.value.templates
}
