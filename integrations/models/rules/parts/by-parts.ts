/**
 * Plans a request in words that no sentence has by its parts: the table says what it is of, the tagger what stands where, and the same said plainly is planned as
 * any message. Nothing that was said may be left without a place. Must not read words itself. Given to the planner by home, which alone has the tagger.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { languageIn } from '../../../../kernel/wording/languages.ts'
import { likelyOf } from '../../../extractors/learned/likely.ts'
import { partsIn, requestsIn } from '../../../extractors/learned/parts.ts'
import { fieldsAt } from '../../../extractors/message/message.ts'
import { joined, momentOf, withValues } from '../several.ts'
import { FORMS } from './forms.ts'
import { plainRequests } from './plain.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300

/** `planOf`: the plan of a message as the declared sentences read it. Null where it is not plainly one of the requests that have a form. */
export function planByParts(parts: PromptParts, planOf: (plain: PromptParts) => Plan): Plan | null {
  const { request } = parts
  if (request.length > LONGEST) return null
  const moment = momentOf(parts)
  const language = languageIn(request, 1) ?? 'en'
  const plans: Plan[] = []
  for (const text of requestsIn(request, moment)) {
    const [first] = likelyOf(text, moment)
    const label = (first?.label ?? '').replace(/^else:/, '')
    const form = FORMS[label]
    if (first === undefined || form === undefined || first.score < form.least) return null
    const tagged = partsIn(text, label, moment)
    if (tagged.some(({ part }) => part === 'if')) return null
    const plain = plainRequests(label, tagged, language)
    if (process.env['DBG']) console.log('   ', label, first.score.toFixed(2), tagged.map((t) => `${t.part}:${t.text}`).join(' ; '), plain)
    for (const one of plain ?? []) {
      const plan = planned(one, parts, planOf)
      const made = plan.steps.findLast((step) => step.do === 'tool')
      if (plan.steps.length > 0 && (made?.do !== 'tool' || made.tool !== form.tool)) return null
      plans.push(plan)
    }
    if (plain === null) return null
  }
  const open = plans.find(({ steps }) => steps.length === 0)
  if (open !== undefined) return open.explanation === 'not_understood' ? null : open
  return plans.length === 0 ? null : joined(plans)
}

function planned(request: string, parts: PromptParts, planOf: (plain: PromptParts) => Plan): Plan {
  const fields = fieldsAt(request, momentOf(parts)) as Readonly<Record<string, Json>>
  const own = parts.metadata.filter(({ root }) => root !== 'said')
  const plan = planOf({ ...parts, request, metadata: [{ root: 'said', action: '', fields }, ...own] })
  return spansSaid(withValues(plan, fields), request)
}

/** References to spans of what was said plainly, as their words: the message has them elsewhere. */
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
