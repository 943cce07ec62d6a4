/**
 * Task templates and prompt texts from the bundle, decoded and checked once per isolate. An invalid template stops the edge at its
 * start, not at some later message. Called by powers.ts.
 */
import { promptTexts } from '../../integrations/templates.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { Template } from '../../kernel/template/template.ts'
import type { Registry } from '../../kernel/tool/registry.ts'
import { TEMPLATE_FILES } from './template-files.ts'
import DECODED from './templates.json' with { type: 'json' }

/** Includes home's templates, so that the edge recognises such a task as home's and not as unknown. */
export const TASK_TEMPLATES: readonly unknown[] = Object.freeze(DECODED.tasks)

/** Throws, as the template loader does: a deployment with an invalid template must not serve. */
export const PROMPT_TEXTS = promptTexts(TEMPLATE_FILES, DECODED.self)

const loaded = new WeakMap<readonly unknown[], readonly Template[]>()

/** Throws with the reason and the field: a deployment with an invalid template must not serve. */
export function loadEdgeTemplates(decoded: readonly unknown[], registry: Registry): readonly Template[] {
  const known = loaded.get(decoded)
  if (known !== undefined) return known
  const set = loadTemplates(decoded, registry, EFFECT_IDS)
  if (!set.ok) throw new Error(`${set.reason.code}: ${String(set.reason.facts['field'] ?? '')}`)
  loaded.set(decoded, set.value.templates)
  return set.value.templates
}
