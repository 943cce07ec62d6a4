/**
 * A read of an address is one of each address that the message has: "read these two pages: … and …". Must not read an address that nobody typed, or make more
 * than reads of a plan. Called by plan-for.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { fieldOf, itemsOf, textOf } from './answers/content.ts'
import { isRead } from './steps.ts'

/** Where a plan takes an address from, where it is not written out: the field, or its place in the words. */
const FIELD = 'said.url'
const PLACE = /^said\.words\[(\d{1,6})\]\[(\d{1,6})\]$/

/** The plan with a read of each further address; as it was where there is none, or where it does more than one thing. */
export function withFurtherLinks(plan: Plan, { metadata, request }: PromptParts): Plan {
  const [only, ...others] = plan.steps
  if (only?.do !== 'tool' || others.length > 0 || !isRead(plan)) return plan
  const said = metadata.find(({ root }) => root === 'said')?.fields as Json | undefined
  const [first, ...further] = itemsOf(fieldOf(said, 'urls'), 'items')
  const isFirst = (value: Json): boolean => {
    const from = textOf(value, '$ref')
    const [, start, end] = PLACE.exec(from) ?? []
    const typed = start === undefined ? value : request.slice(Number(start), Number(end))
    return from === FIELD || (first !== undefined && typed === textOf(first, 'says'))
  }
  const of = Object.entries(only.args).find(([, value]) => isFirst(value))?.[0]
  if (of === undefined || further.length === 0) return plan
  return {
    ...plan,
    steps: [
      // One that cannot be read keeps nothing else back.
      { ...only, independent: true },
      ...further.map((_, at) => ({
        ...only,
        ...{ id: `s${at + 2}`, independent: true },
        args: { ...only.args, [of]: { $ref: `said.urls[${at + 1}]` } },
      })),
    ],
  }
}
