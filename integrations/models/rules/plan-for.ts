/**
 * The plan for a prompt: by the declared sentences, and at home also by looking back and by parts. Must not
 * read words itself. Called by model.ts and by the measure of phrasings.
 */
import { listIn } from '../../../kernel/features/reminders/lists.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { senderIn } from '../../extractors/learned/sender.ts'
import { fieldsAt } from '../../extractors/message/message.ts'
import { pointedIn } from '../../extractors/message/message-pointed.ts'
import { asItIs, eachText, spellingOf } from '../../extractors/message/message-spelled.ts'
import { calendarIn } from '../../extractors/message/message-taken.ts'
import { bothRequests } from './both-requests.ts'
import { withFurtherLinks } from './further-links.ts'
import type { HomeRules, Sentences } from './home-rules.ts'
import { plannedAs } from './parts/said-as.ts'
import { isAllOffered, isMeant, onePlan, planOfParts } from './planner.ts'
import { saidOf, typedOf } from './said.ts'
import { momentOf, withValues } from './several.ts'
import { nothing } from './steps.ts'

export function planFor(parts: PromptParts, home: HomeRules | null = null): Plan {
  const { request } = parts
  const { text, typed } = spellingOf(request, home?.spell ?? asItIs)
  const own = (one: PromptParts): Plan => planned(one, home)
  const asked = isOwners(parts) ? (home?.asking({ ...parts, request: text }, own) ?? null) : null
  const first = onNamedList(asked ?? (text === request ? own(parts) : plannedAs(text, parts, own)), {
    ...{ text, parts, own },
  })
  const plan =
    home !== null && isOwners(parts) ? home.written(first, { ...parts, request: text }, own) : first
  const named =
    home !== null && parts.audience === 'owner' ? home.event(plan, { ...parts, request: text }) : plan
  const made = inTyped(intoNamed(named, text), typed)
  const each = parts.audience === 'owner' ? withFurtherLinks(made, parts) : made
  return home !== null && parts.audience === 'owner' ? home.each(each, parts) : each
}

const OF_LIST: ReadonlySet<string> = new Set(['task.add', 'task.done', 'task.list'])

/** "Put screws on the hardware list": as for the owner's own list, with the name beside it. */
function onNamedList(
  plan: Plan,
  {
    text,
    parts,
    own,
  }: { readonly text: string; readonly parts: PromptParts; readonly own: (one: PromptParts) => Plan },
): Plan {
  const named = isOwners(parts) ? listIn(text) : null
  if (named === null) return plan
  const other = plan.steps.length > 0 ? plan : plannedAs(named.plain, parts, own)
  const isOfList = other.steps.some((step) => step.do === 'tool' && OF_LIST.has(step.tool))
  if (!isOfList) return plan
  const steps = other.steps.map((step) =>
    step.do === 'tool' && OF_LIST.has(step.tool) && !Object.hasOwn(step.args, 'list')
      ? { ...step, args: { ...step.args, list: named.name } }
      : step,
  )
  return { ...other, steps }
}

/** What is written, or looked for, as it was typed. */
function inTyped(plan: Plan, typed: (part: string) => string): Plan {
  const steps = plan.steps.map((step) => ({
    ...step,
    ...('args' in step && { args: eachText(step.args as Json, typed) }),
    ...('matching' in step && { matching: eachText(step.matching as Json, typed) }),
  }))
  return { ...plan, steps: steps as unknown as Plan['steps'] }
}

/** "It goes in the family calendar", wherever it stands, where that event is all that is made. */
function intoNamed(plan: Plan, request: string): Plan {
  const [made, ...others] = plan.steps
  const isMade = made?.do === 'tool' && made.tool === 'calendar.create_event'
  const calendar = isMade && others.length === 0 ? calendarIn(request) : null
  if (calendar === null || !isMade) return plan
  return { ...plan, steps: [{ ...made, args: { calendar, ...made.args } }] }
}

function isOwners({ audience, instruction }: PromptParts): boolean {
  return audience === 'owner' && instruction === null
}

function planned(parts: PromptParts, home: HomeRules | null): Plan {
  const isOwner = isOwners(parts)
  const plan = plannedAsOne(parts, home, isOwner)
  if (!isOwner) return plan
  const offered = new Set(parts.tools.map(({ id }) => id))
  const both = bothRequests(plan, parts, (part) => onePlan(part, parts, offered)) ?? plan
  return home === null ? both : home.leftOut(both, parts)
}

function plannedAsOne(parts: PromptParts, home: HomeRules | null, isOwner: boolean): Plan {
  const right = isOwner ? (home?.putRight(parts, (rest) => planFor(rest, home)) ?? null) : null
  if (right !== null) return right
  const unnamed = home === null ? null : { ...home, inAccount: () => null }
  const named = isOwner ? (home?.inAccount(parts, (rest) => planFor(rest, unnamed)) ?? null) : null
  if (named !== null) return named
  const back = isOwner ? (home?.back(parts) ?? null) : null
  const offered = new Set(parts.tools.map(({ id }) => id))
  if (back !== null && isAllOffered(back, offered)) return back
  const plan = isOwner && home !== null ? home.many(planOfParts(parts), parts.request) : planOfParts(parts)
  const own = isOwner ? (home?.sender(plan, parts, typedOf(parts).person) ?? plan) : plan
  const ofSender = isOwner && own.explanation === 'which_mail' ? mailOfSender(parts) : null
  if (ofSender !== null && isAllOffered(ofSender, offered)) return ofSender
  const isOpen = own.explanation === 'not_understood' && own.steps.length === 0 && parts.audience === 'owner'
  // What both places understand is planned alike.
  if (!isOpen) return own
  const byParts = isOwner ? (home?.byParts(parts, SENTENCES) ?? null) : null
  if (byParts !== null && isAllOffered(byParts, offered)) return byParts
  if (pointedIn(parts.request) !== null) return nothing('needs_named')
  const unsure = isOwner ? (home?.unsure(parts, SENTENCES) ?? null) : null
  return unsure !== null && isAllOffered(unsure, offered) ? unsure : own
}

const SENTENCES: Sentences = {
  planOf: (parts) => planOfParts(parts),
  isMeant: (plan, parts) => isMeant(plan, parts, saidOf(parts), true),
}

/** "Was will Sarah schon wieder": no mail that was shown is meant, but hers. */
function mailOfSender(parts: PromptParts): Plan | null {
  const who = senderIn(parts.request)
  if (who === null || NEGATED.test(parts.request)) return null
  const request = `read the latest mail from ${who}`
  const fields = fieldsAt(request, momentOf(parts)) as Readonly<Record<string, Json>>
  const others = parts.metadata.filter(({ root }) => root !== 'said')
  const plan = planOfParts({ ...parts, request, metadata: [{ root: 'said', action: '', fields }, ...others] })
  return plan.steps.length === 0 ? null : withValues(plan, fields)
}

const NEGATED = /(?<!\p{L})(?:not|nicht|nie|never|no|kein\p{L}*)(?!\p{L})/iu
