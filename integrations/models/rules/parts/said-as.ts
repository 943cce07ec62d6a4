/**
 * Plans a message as if another text had been typed in its place, with that text's fields. Pure. Must not read words itself. Called by by-parts.ts and
 * repaired.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { fieldsAt } from '../../../extractors/message/message.ts'
import { changeFields } from '../../../extractors/message/message-change.ts'
import { momentOf, withValues } from '../several.ts'

export function plannedAs(request: string, parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan {
  const moment = momentOf(parts)
  const fields = { ...fieldsAt(request, moment), ...changeFields(request, moment) } as Readonly<
    Record<string, Json>
  >
  const own = parts.metadata.filter(({ root }) => root !== 'said')
  const plan = planOf({ ...parts, request, metadata: [{ root: 'said', action: '', fields }, ...own] })
  return spansSaid(withValues(plan, fields), request)
}

/** References to spans of that text, as their words: the message has them elsewhere. */
function spansSaid(plan: Plan, request: string): Plan {
  const said = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(said)
    if (typeof value !== 'object' || value === null) return value
    const path = (value as { readonly $ref?: Json }).$ref
    const span = typeof path === 'string' ? /^said\.(words|sentence)\[(\d+)\]\[(\d+)\]$/.exec(path) : null
    if (span !== null) {
      const words = request.slice(Number(span[2]), Number(span[3]))
      return span[1] === 'words' ? words : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, said(inner as Json)]))
  }
  return { ...plan, steps: said(plan.steps as unknown as Json) as unknown as Plan['steps'] }
}
