/**
 * Carries another person's question to the owner and the answer back (F-02, F-18): the task waits in that person's
 * namespace, the card is in the owner's. Each side processes a message once, however often it arrives. Must not
 * decide. Called by asking.ts and by the place that holds both namespaces.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, provenanceOf, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, Extraction, OwnerChats, OwnerFacts, OwnerService } from '../../powers/ports.ts'
import { keepText, openTextOf, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoredApproval, StoreOf, Transactions } from '../../powers/stores.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import {
  APPROVAL_SPEND_WINDOW,
  changeDigest,
  createApproval,
  type DecisionInput,
  toolOf,
} from '../../task/approval.ts'
import { ASK_OWNER } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { figuredMoment, instantOf, localDay, localMoment, namedMoment } from '../../wording/output.ts'
import { tell, wordsForOthers } from '../../wording/words.ts'
import { QUESTION_WINDOW, spanOf } from '../approvals/ask-owner.ts'
import { type DeliverPorts, deliver, showTo } from '../deliveries/deliver.ts'
import type { OwnerAnswer, OwnerQuestion } from './owner-service-port.ts'

/** Maximum questions of other people that wait for the owner, over all people: more would bury the owner's own. */
export const MOST_ASKED = 8

/**
 * Called on the asking side. Refusals: those of showing it to the owner, which stop what is above the owner's open line; those of
 * the port.
 */
export async function putToOwner(
  powers: DeliverPorts & OwnerService,
  task: Task,
  stored: StoredApproval,
): Promise<Result<true>> {
  const { ownerService } = powers
  const { id, expiresAt: until } = stored.approval
  const period = await openTextOf(powers, stored.card)
  if (!period.ok) return period
  if (!ownerService) return err('approval_place_too_low')
  const shown = showTo(powers, { sink: ownerService.sink, principal: OWNER_PRINCIPAL }, period.value)
  if (!shown.ok) return shown
  const put = await ownerService.put({ id, asker: task.principal, period: shown.value, until })
  if (!put.ok) return put
  const text = receive(tell('owner-question.asked'), kernelWords())
  // If this notice is lost, the owner's answer is still delivered.
  await deliver(powers, task, { id: `${task.id}:asked`, kind: 'notice', text, approval: null })
  return put
}

/** A message to either namespace: a question to the owner's, an answer to the asker's. */
export type QuestionMessage = { readonly ask: OwnerQuestion } | { readonly given: OwnerAnswer }

interface Receiving {
  readonly powers: Auditing & SealedKeeping & OwnerFacts & OwnerChats & StoreOf<Transactions & ApprovalStore>
  readonly shell: { decide(input: DecisionInput): Promise<Result<unknown>> }
}

/** Refusals: principal_not_allowed in the wrong namespace; those of a question, or of a decision. */
export async function receiveMessage(
  { powers, shell }: Receiving,
  own: string,
  said: QuestionMessage,
): Promise<Result<true>> {
  const isOwners = own === OWNER_PRINCIPAL
  if ('ask' in said && isOwners) return takeQuestion(powers, said.ask)
  if (!('given' in said) || isOwners || said.given.asker !== own) return err('principal_not_allowed')
  const { id: approval, decision } = said.given
  const given = { approval, decision, principal: OWNER_PRINCIPAL, place: powers.place }
  const decided = await shell.decide(given)
  return decided.ok ? ok(true) : decided
}

/**
 * Stores the question unshown; the next tick delivers its card to the first chat of the owner that accepts it. The
 * text is made on this side, whatever the other side sends. Refusals: approvals_many, sink_unknown, field_malformed.
 */
async function takeQuestion(
  powers: Auditing & SealedKeeping & OwnerFacts & OwnerChats & StoreOf<Transactions & ApprovalStore>,
  { id, asker, called, period, until }: OwnerQuestion,
): Promise<Result<true>> {
  const { store, adminSinks } = powers
  if (store.loadApproval(id) !== null) return ok(true)
  const now = powers.now()
  const span = spanOf(period, now)
  const [sink] = adminSinks
  if (sink === undefined) return err('sink_unknown')
  const end = Math.min(until, now + QUESTION_WINDOW)
  if (span === null || end <= now) return err('field_malformed', { path: 'period' })
  const waiting = store.pendingApprovals(null).filter(({ approval }) => approval.change?.do === 'word')
  if (waiting.length >= MOST_ASKED) return err('approvals_many')
  const words = questionCard({ called, ...span, until: end }, powers.profile().timezone)
  const card = receive(words, provenanceOf('third_party_message', 'question'))
  const keeping = {
    principal: OWNER_PRINCIPAL,
    store: 'sessions',
    until: end + APPROVAL_SPEND_WINDOW,
  } as const
  const sealed = await keepText(powers, keeping, card)
  const change = { do: 'word', asker, question: id } as const
  const approval = createApproval({
    ...{ id, kind: 'declassification', task: '', step: '', principal: OWNER_PRINCIPAL, tool: toolOf(change) },
    ...{ sink, change, digest: changeDigest(change, sink), card: sealed.id, reason: 'write_template_asks' },
    ...{ label: card.label, now, timeout: end - now, told: false },
  })
  store.transaction(() => {
    store.saveApproval(approval, sealed)
    const { kind, tool, reason, label } = approval
    audit(powers, 'approval_asked', null, { approval: id, kind, tool, reason, label, asker })
  })
  return ok(true)
}

interface AskedPeriod {
  readonly called: string
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly until: number
}

/** Kernel words around two instants. */
function questionCard({ called, from, to, until }: AskedPeriod, timezone: string): string {
  const at = (moment: number): string => figuredMoment(moment, timezone)
  const isOneDay = localDay(from, timezone) === localDay(to, timezone)
  return tell('owner-question.card', {
    ...{ called, from: at(from), until: at(until) },
    to: isOneDay ? localMoment(to, timezone).slice(DAY + 1) : at(to),
  })
}

/** Characters of `YYYY-MM-DD`. */
const DAY = 10

/**
 * Final reply to the person who asked; null when the last step was no such question. A denial and an expiry read the
 * same, so nobody learns whether the owner looked.
 */
export function replyTo({ traces }: Pick<Task, 'traces'>): string | null {
  const last = traces.findLast(({ outcome }) => outcome !== 'skipped')
  if (last?.tool !== ASK_OWNER) return null
  if (isYes(last)) return tell('owner-question.suits')
  switch (last.reason) {
    case 'approval_denied':
    case 'approval_expired':
      return tell('owner-question.no_yes')
    case 'write_repeated':
      return tell('owner-question.still_open')
    case 'grant_budget_spent':
    case 'approvals_many':
      return tell('owner-question.enough')
    case 'tool_arguments_invalid':
      return wordsForOthers('tool_arguments_invalid')
    default:
      return wordsForOthers('home_offline')
  }
}

type Trace = Task['traces'][number]

const isYes = ({ tool, outcome }: Trace): boolean => tool === ASK_OWNER && outcome === 'done'

/**
 * The owner's yes with its time, since several questions may have been asked. Only if the asker gave that time of day as a clock
 * time, which reads the same in every zone: a time with a zone or relative to now would be shown by the owner's clock and reveal
 * where the owner is. Null for those, for whole days, and if the last step was no such yes.
 */
export async function suitingTime(
  powers: Clock & Extraction & OwnerFacts & SealedReading & StoreOf<ApprovalStore>,
  { id, words, createdAt, traces, trouble }: Pick<Task, 'id' | 'words' | 'createdAt' | 'traces' | 'trouble'>,
): Promise<Labeled<string> | null> {
  const last = traces.findLast(({ outcome }) => outcome !== 'skipped')
  const asked = powers.store.approvalsOf(id).findLast(({ approval }) => approval.tool === ASK_OWNER)
  if (last === undefined || !isYes(last) || asked === undefined || trouble?.code === 'task_stopped')
    return null
  const { timezone } = powers.profile()
  const [period, said] = [await openTextOf(powers, asked.card), await openTextOf(powers, words)]
  if (!period.ok || !said.ok) return null
  const now = powers.now()
  const at = combine([period.value, said.value], ([text = '', own = '']) => {
    const clockIn = (zone: string): string =>
      localMoment(
        instantOf(typedFields(powers, own, { now: createdAt, timezone: zone })['from']) ?? 0,
        zone,
      ).slice(DAY + 1)
    const clock = clockIn('UTC')
    const named = namedMoment(spanOf(text, now)?.from ?? now, timezone, now)
    const isAsSaid = clock === clockIn('Asia/Tokyo') && named.endsWith(clock)
    return isAsSaid && clock !== MIDNIGHT ? named : ''
  })
  return test(at, (named) => named === '')
    ? null
    : derive(at, (named) => tell('owner-question.suits_at', { at: named }))
}

const MIDNIGHT = '00:00'
