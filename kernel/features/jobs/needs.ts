/**
 * What a plan needs that is missing: a service that is not connected, or a saved request that does not exist.
 * Pure except for its ports. Called by proposal.ts and proposal-watch.ts.
 */
import type { ReasonFacts } from '../../flow/verdict.ts'
import type { Actions, Tools } from '../../powers/ports.ts'
import type { Plan } from '../../task/plan.ts'
import { findAction } from '../../tool/registry.ts'
import { progressWords } from '../../tool/worded.ts'

/** A service that the plan reads and that is not connected: every run would fail. */
export function needed({ tools, registry }: Tools & Actions, { steps }: Plan): ReasonFacts | null {
  for (const step of steps) {
    const action = 'tool' in step ? findAction(registry, step.tool) : null
    if (action?.ok !== true || tools.availability(action.value) !== 'credential') continue
    const { credential, connect, name } = action.value.tool
    return { service: credential ?? name, title: connect?.title ?? name }
  }
  return null
}

/** Titles of services of the plan that the owner switched off; null where there is none. */
export function offIn({ tools, registry }: Tools & Actions, { steps }: Pick<Plan, 'steps'>): string | null {
  const titles = steps.flatMap((step) => {
    const action = 'tool' in step ? findAction(registry, step.tool) : null
    if (action?.ok !== true || tools.availability(action.value) !== 'off') return []
    return [action.value.tool.connect?.title ?? action.value.tool.name]
  })
  return titles.length === 0 ? null : [...new Set(titles)].join(', ')
}

/**
 * Which of these actions this place cannot do by itself, in words; null if it can do all. A job must not
 * depend on the other place being reachable.
 */
export function elsewhereIn({ tools, registry }: Tools & Actions, actions: readonly string[]): string | null {
  const reads = actions.flatMap((id) => {
    const action = findAction(registry, id)
    if (!action.ok || tools.availability(action.value) !== 'elsewhere') return []
    return [progressWords(action.value) ?? action.value.description]
  })
  return reads.length === 0 ? null : [...new Set(reads)].join(', ')
}

/**
 * A saved request that the plan calls and that does not exist, so every run would fail. The name comes from
 * the file of the job and may be shown.
 */
export function unnamedIn({ registry }: Actions, { steps }: Plan): string | null {
  for (const step of steps) {
    const name = calledIn(registry, step)
    if (name !== null && !name.known) return name.name
  }
  return null
}

/** Name of the saved request that a step calls; null for any other step. */
export function calledIn(
  registry: Actions['registry'],
  step: Plan['steps'][number],
): { readonly name: string; readonly known: boolean } | null {
  const action = 'tool' in step ? findAction(registry, step.tool) : null
  if (action?.ok !== true || action.value.called === undefined || !('args' in step)) return null
  const { argument, names } = action.value.called
  const name = step.args[argument]
  return typeof name === 'string' ? { name, known: names.includes(name) } : null
}
