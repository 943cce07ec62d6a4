/**
 * Task templates and prompt texts, as the bundle carries them: decoded and checked once an isolate. A template that
 * is wrong stops the edge at its start, not at some message. Called by powers.ts.
 */
import { decodeTasks, promptTexts } from '../integrations/templates.ts'
import { EFFECT_IDS } from '../kernel/powers/effects.ts'
import { loadTemplates } from '../kernel/template/load.ts'
import type { Template } from '../kernel/template/template.ts'
import type { Registry } from '../kernel/tool/registry.ts'
import { TEMPLATE_FILES } from './template-files.ts'

/** All of them, so that what home would do is known here as home's, and not as unknown. */
export const TASK_TEMPLATES: readonly unknown[] = Object.freeze(decodedTasks())

/** Throws, like what loads the templates: a deployment with a broken template must not serve. */
export const PROMPT_TEXTS = promptTexts(TEMPLATE_FILES)

function decodedTasks(): readonly unknown[] {
  const decoded = decodeTasks(TEMPLATE_FILES)
  if (decoded.ok) return decoded.value
  throw new Error(`${decoded.reason.code}: ${String(decoded.reason.facts['file'] ?? '')}`)
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
