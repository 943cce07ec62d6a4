/**
 * A look for what is of one person is made for each whom the message names in a row: "anything from Tom or Sarah". Must not do
 * anything else of one of them: what changes something is declined. Passed to the planner by home, which has what people wrote.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { PLAN_BOUNDS, type Plan } from '../../../kernel/task/plan.ts'
import { fieldOf, itemsOf, textOf } from './answers/content.ts'
import { joined } from './several.ts'
import { isRead, nothing } from './steps.ts'

/** How a plan names the one person of a message. */
const ONE = '"said.person"'

/** The plan for each of them; as it was where it names nobody, or all of them. */
export function withFurtherPeople(plan: Plan, { metadata, request }: PromptParts): Plan {
  const said = metadata.find(({ root }) => root === 'said')?.fields as Json | undefined
  const [first, ...others] = listed(fieldOf(said, 'people'))
  if (first === undefined || others.length === 0) return plan
  const own = JSON.stringify(plan.steps)
  const text = own.replaceAll(JSON.stringify(typed(first)), ONE)
  if (!text.includes(ONE) || others.some((one) => own.includes(typed(one)))) return plan
  const isLong = plan.steps.length * (others.length + 1) > PLAN_BOUNDS.steps
  const isUnnamed = [first, ...others].some((one) => isDescribed(typed(one), request))
  if (!isRead(plan) || isLong || isUnnamed) return nothing('not_understood')
  const each = [first, ...others].map(
    (_, at): Plan => ({ ...plan, steps: JSON.parse(text.replaceAll(ONE, `"said.people[${at}]"`)) }),
  )
  return { ...plan, ...joined(each), explanation: plan.explanation }
}

const DESCRIBES = /(?:^|[\s,])(?:my|our|the|meine?[mnr]?|unsere?[mnr]?|der|dem|den|die|das)\s$/iu

/** "My boss": whoever that is, it is no name by which mail is found. */
function isDescribed(one: string, request: string): boolean {
  const at = request.indexOf(one)
  return at > 0 && DESCRIBES.test(request.slice(0, at))
}

/** As a prompt shows a list, or as it was read. */
function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : itemsOf(value, 'items')
}

function typed(one: Json): string {
  return typeof one === 'string' ? one : textOf(one, 'says')
}
