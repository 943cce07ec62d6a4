/**
 * The next part of what was shown last: "more", "weiter". The call for it lies beside the result, as its action's own arguments, and is referred to and never
 * read. What another action showed since is another thing. Pure. Called by phrase-plan.ts.
 */
import { isPlainRecord } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { ONWARD } from '../../../../kernel/tool/pages.ts'
import { fieldOf } from '../answers/content.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import { isAside, resultsOf } from './shown.ts'

/** `none`: why, where nothing was shown last or that was all of it. */
export function onwardPlan({ metadata }: Pick<PromptParts, 'metadata'>, none: string): Plan {
  const last = resultsOf('', metadata).find(({ action }) => !isAside(action))
  const next = last === undefined ? null : fieldOf(last.fields, ONWARD)
  if (last === undefined || !isPlainRecord(next)) return nothing(none)
  const args = Object.keys(next).map((name) => [name, ref(`${last.root}.${ONWARD}.${name}`)] as const)
  return steps(call('s1', last.action, Object.fromEntries(args)))
}
