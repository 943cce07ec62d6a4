/**
 * Plans a request that names one of several accounts: as if it had not been named, and then in that account. Nothing is left out in silence: where no step takes
 * an account, or the words belong to what is written or looked for, the request is planned as it stands. Must not read a result. Given to the planner by home.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts, ToolCard } from '../../../../kernel/prompt/parts.ts'
import type { Plan, Step } from '../../../../kernel/task/plan.ts'
import { fieldsAt } from '../../../extractors/message/message.ts'
import { momentOf, withValues } from '../several.ts'
import { nothing } from '../steps.ts'
import { accountIn, type SaidAccount } from './account-words.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 400
/** Arguments that name one thing, which is where it is. */
const BY_ID: readonly string[] = ['id', 'ids', 'answers']
/** What somebody else reads, to the end of the message. */
const WRITTEN: readonly string[] = ['body', 'text', 'note']

export function planInAccount(parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan | null {
  const cards = parts.tools.filter(({ named }) => named !== undefined)
  const named = cards[0]?.named
  if (named === undefined || parts.request.length > LONGEST) return null
  const said = accountIn(parts.request, named)
  if (said === null) return null
  const plans = said.rests.flatMap((rest) => {
    const moment = momentOf(parts)
    const fields = fieldsAt(rest.text, moment) as Readonly<Record<string, Json>>
    const others = parts.metadata.filter(({ root }) => root !== 'said')
    const metadata = [{ root: 'said', action: '', fields }, ...others]
    const plan = withValues(planOf({ ...parts, request: rest.text, metadata }), fields)
    const own = plan.steps.length === 0 ? null : inAccount(plan, said, cards)
    return own === null || isPartOfText(plan, rest) ? [] : [spansBack(own, rest)]
  })
  const fit = plans.filter((plan) => !has(plan, (text) => PLACE.test(text)))
  // "Read the latest mail in my work inbox" is more than a look into it.
  const isLookOf = ({ steps }: Plan): boolean =>
    steps.every((step) => step.do !== 'tool' || isNamedRead(step.tool, cards))
  const reads = fit.every(isLookOf)
    ? fit.toSorted((one, other) => other.steps.length - one.steps.length)
    : fit
  const found = reads[0] ?? plans[0]
  if (found !== undefined) return found
  const asSaid = planOf(parts)
  const isLook = (step: Step): boolean => 'args' in step && isNamedRead(step.tool, cards)
  if (!asSaid.steps.some(isLook)) return asSaid
  // To look for the name of the account is not what was asked.
  if (has(asSaid, (text) => text.toLowerCase().includes(said.said))) return nothing('not_understood')
  return (asSaid.steps.every(isLook) ? inAccount(asSaid, said, cards) : null) ?? asSaid
}

/** Where it is, which is nothing to look for. */
const PLACE = /(?<!\p{L})(?:inbox|mailbox|mails?|e-?mails?|postfach|posteingang)(?!\p{L})/iu

function isNamedRead(tool: string, cards: readonly ToolCard[]): boolean {
  return cards.some(({ id, semantics }) => id === tool && semantics === 'read')
}

/** Null where no step is of an account, or what is sent would go from where only mail was to be looked for, or there. */
function inAccount(
  plan: Plan,
  { name, way, isAccount }: SaidAccount,
  cards: readonly ToolCard[],
): Plan | null {
  const cardOf = (step: Step): ToolCard | undefined =>
    step.do === 'tool' || step.do === 'forEach' ? cards.find(({ id }) => id === step.tool) : undefined
  const isOut = (step: Step): boolean => {
    const card = cardOf(step)
    return card?.semantics === 'write' && Object.hasOwn(card.args, 'from?')
  }
  const sends = plan.steps.some(isOut)
  if (sends && (way === 'to' || (way === 'in' && isAccount))) return null
  let isTaken = false
  const steps = plan.steps.map((step) => {
    const card = cardOf(step)
    if (card?.named === undefined || !('args' in step)) return step
    const isOne = BY_ID.some((argument) => Object.hasOwn(step.args, argument))
    // "Reply to Tom from my work account": the mail may be in any.
    if (sends && way === 'from' ? !isOut(step) : isOne) return step
    isTaken = true
    return { ...step, args: { ...step.args, [card.named.argument]: name } }
  })
  return isTaken ? { ...plan, steps } : null
}

function has(plan: Plan, isOne: (text: string) => boolean): boolean {
  return plan.steps.some((step) =>
    Object.values(
      'args' in step ? step.args : { matching: 'matching' in step ? (step.matching ?? '') : '' },
    ).some((value) => textsIn(value as Json).some(isOne)),
  )
}

type Rest = SaidAccount['rests'][number]

/** Whether the words stood in a text that the plan looks for or writes. */
function isPartOfText(plan: Plan, { text, at, isApart }: Rest): boolean {
  const lower = text.toLowerCase()
  return plan.steps.some((step) =>
    Object.entries('args' in step ? step.args : {}).some(([argument, value]) =>
      textsIn(value as Json).some((one) => {
        const from = lower.indexOf(one.toLowerCase())
        if (from < 0) return false
        return from < at && (at < from + one.length || (WRITTEN.includes(argument) && !isApart))
      }),
    ),
  )
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one))
  return []
}

/** Spans of the shorter text as those of the message. One that spans the place is of no text that was checked. */
function spansBack(plan: Plan, { at, cut, put }: Rest): Plan {
  const back = (position: number): number =>
    position <= at ? position : Math.max(at + put.length, position) + cut
  const moved = (value: Json, key = ''): Json => {
    if (typeof value === 'string')
      return key === '$ref'
        ? value.replace(
            /^(said\.\w+)\[(\d+)\]\[(\d+)\]/,
            (_, root: string, from: string, to: string) =>
              `${root}[${back(Number(from))}][${back(Number(to))}]`,
          )
        : value
    if (Array.isArray(value)) return value.map((one: Json) => moved(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, moved(inner as Json, name)]),
    )
  }
  return { ...plan, steps: moved(plan.steps as unknown as Json) as unknown as Plan['steps'] }
}
