/**
 * Parses "yes", "no 3" and "/approve 3" typed by the owner. A bare word answers only the card shown last in this chat, if it
 * still waits and nothing later could be meant; else the waiting cards are listed. A number names a card shown anywhere. Decided
 * in the transaction that takes the message. Must not look at content. Called by transcript.ts and both-lines.ts.
 */

import { operationInMessage } from '../../../operations/commands.ts'
import type { Auditing } from '../../../powers/audit.ts'
import type {
  Actions,
  AtPlace,
  ChangeNews,
  Clock,
  DirectiveFiles,
  Ids,
  OwnerAnswers,
  PolicySource,
  SelfKnowledge,
} from '../../../powers/ports.ts'
import type { SealedStore } from '../../../powers/sealed-port.ts'
import type {
  ApprovalStore,
  EventStore,
  GrantStore,
  IdentityLinkStore,
  OutboxRow,
  StoreOf,
  TaskStore,
  Transactions,
} from '../../../powers/stores.ts'
import {
  type AnswerMessage,
  agreesToKeep,
  answerInMessage,
  choiceInMessage,
  isLooseAnswer,
  isOtherwiseSaid,
  isPlainNo,
  isUnclearAnswer,
  LAST_CHOICE,
  severalInMessage,
  type TypedAnswer,
  type TypedOne,
} from '../../../task/answers/answer-words.ts'
import { editInMessage } from '../../../task/answers/edit-words.ts'
import type { Approval, DecisionInput } from '../../../task/approval.ts'
import type { TaskReports } from '../../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../../task/principal.ts'
import { type Channels, hasAtOnce } from '../../channels/channel-port.ts'
import { mayShowTo } from '../../deliveries/reader-check.ts'
import type { JobStore } from '../../jobs/port.ts'
import type { ReplaceFactPorts } from '../../memory/entries.ts'
import type { AgreementStore } from '../../people/port.ts'
import type { Sent } from '../../people/route.ts'
import type { SettingStore } from '../../quiet/port.ts'
import { occurrenceIn } from '../../reminders/offers.ts'
import { decideOn } from '../decisions.ts'
import { approvalsOf, isNumberOfOther, named, nameOf, numberOf, waitingOf } from '../waiting.ts'
import { eachMeant } from './each-answer.ts'
import {
  type AnswersHerePorts,
  askedLast,
  deliveredTo,
  isCardOf,
  isOfTimed,
  isShown,
  isWhole,
  typedOf,
} from './shown-here.ts'

interface TypedHooks {
  /** Called with the questions that this answer decided. */
  readonly over: (decided: readonly Approval[]) => void
  /** Defers an approval of a transcript, whose words are sealed, until this message is durable. */
  readonly later: (input: DecisionInput) => void
}

/** Null for a message that is not an answer, or when there is nothing to answer. */
export function recogniseTypedAnswer(
  powers: DecideTypedPorts & AnswersHerePorts & PolicySource,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  hooks: TypedHooks,
): (() => TypedAnswer) | null {
  if (principal.id !== OWNER_PRINCIPAL || event.kind !== 'message' || event.attachments.length > 0)
    return null
  const said = answerInMessage(event.text) ?? optionIn(powers, { event, chat })
  if (said === null)
    return (
      asked(powers, { event, chat }) ??
      unclear(powers, { event, chat }) ??
      oneByOne(powers, lane, { event, principal, chat }, hooks) ??
      toEach(powers, lane, { event, principal, chat }, hooks) ??
      agreeing(powers, { event, chat })
    )
  // An edited message stands above anything asked since, so it approves nothing that a former version asked for, at
  // either place.
  if (event.edits !== undefined) return () => listed(powers, chat.id)
  const { id: message, place } = event
  const settle = (approval: string) => (): TypedAnswer =>
    decideTyped(powers, lane, hooks, {
      ...{ approval, decision: said.decision, principal: principal.id, place, message },
    })
  if (said.which !== '') return settle(said.which)
  const meant = meantIn(powers, chat.id, { isYes: said.decision === 'approve', at: event.at })
  // "Gern" may refer to a message after the card, or to the message that it replies to.
  const isOpen = isOtherwiseSaid(event.text) && (event.replyTo !== null || !isNewest(powers, chat.id, meant))
  // A denial is harmless, so it may refer to the only waiting card even if that card is not the last message.
  const isNo = isPlainNo(event.text) && event.replyTo === null && event.quoted.length === 0
  const only = isNo ? onlyOne(powers, chat.id) : null
  if (only !== null) return settle(only)
  if (isLooseAnswer(event.text) && (isOpen || meant.kind !== 'one')) return null
  if (meant.kind === 'one' && event.quoted.length === 0 && !isOpen) return settle(meant.approval)
  if (meant.kind === 'ended') return () => ({ ended: meant.approval })
  if (meant.kind === 'none') return event.text.trim().startsWith('/') ? () => listed(powers, chat.id) : null
  // The quoted part may not be a card, so it is unknown which question is meant, and the waiting cards are listed.
  return () => listed(powers, chat.id)
}

/**
 * A bare number chooses an option of the one question that it can refer to; otherwise, or beside a quotation,
 * it is a message. `since`: when the other place last wrote in this chat, epoch milliseconds.
 */
function optionIn(
  powers: AnswersHerePorts,
  { event, chat }: Pick<Sent, 'event' | 'chat'>,
  since = 0,
): AnswerMessage | null {
  const choice = event.quoted.length > 0 ? null : choiceInMessage(event.text)
  if (choice === null) return null
  const meant = meantIn(powers, chat.id)
  const optionsOf = (name: string): number => powers.store.loadApproval(name)?.approval.options ?? 0
  const isShown = meant.kind === 'one' && optionsOf(meant.approval) > 0
  const name = isShown ? meant.approval : event.replyTo === null ? openChoice(powers, chat.id) : null
  if (name === null) return null
  const options = optionsOf(name)
  const isAsked = choice <= options && (powers.store.loadApproval(name)?.approval.toldAt ?? 0) > since
  const meantOne = choice === LAST_CHOICE ? options : choice
  return isAsked ? { decision: 'approve', which: `${name}.${meantOne}` } : null
}

/**
 * The newest waiting question with options that this chat has shown, unless a later delivery has numbers of its own: rows of a
 * result, cards in a list, or a reminder.
 */
function openChoice(powers: AnswersHerePorts, sink: string): string | null {
  const rows = deliveredTo(powers, sink)
  const groups = waitingOf(powers)
  const placed = groups
    .filter(([{ approval }]) => (approval.options ?? 0) > 0)
    .map((group) => ({ group, at: rows.findIndex((row) => isCardOf(row, group)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
  const [newest] = placed
  if (newest === undefined) return null
  const isUnnumbered = (row: OutboxRow): boolean => {
    const task = row.task === null ? null : powers.store.loadTask(row.task)
    const typed = task?.typed
    return (
      occurrenceIn(row.id).id === '' &&
      (row.kind !== 'answer' || (task?.plan?.steps.length ?? 0) === 0) &&
      !(typed !== undefined && 'listed' in typed && typed.listed.length > 1)
    )
  }
  // An answer to a message that did nothing repeats that the newest question waits for a number, so earlier deliveries do not
  // count.
  const noted = rows.findIndex((row) => row.kind === 'answer' && isUnnumbered(row))
  const isNoted = noted >= 0 && noted < newest.at && newest.group === groups.at(-1)
  return rows.slice(0, isNoted ? noted + 1 : newest.at).every(isUnnumbered) ? nameOf(newest.group) : null
}

/**
 * Whether the message answers a question of this place. The other place may write in the same chat; it wrote last at `since`,
 * epoch milliseconds.
 */
export function answersHere(powers: AnswersHerePorts, { event, chat }: Sent, since: number): boolean {
  const edit = editInMessage(event.text)
  const each = eachMeant(powers, chat.id, event.text)
  if (each !== null) return each.some(({ approval }) => approvalsOf(powers, approval).length > 0)
  const said = answerInMessage(event.text) ?? optionIn(powers, { event, chat }, since) ?? edit
  if (said === null) return false
  if (said.which !== '') return powers.store.loadApproval(named(powers, said.which).id) !== null
  const meant = meantIn(powers, chat.id)
  if (meant.kind !== 'one') return meant.kind === 'several'
  return (approvalsOf(powers, meant.approval).at(-1)?.toldAt ?? 0) > since
}

/** Ports of everything that a typed answer may change. */
export type DecideTypedPorts = Actions &
  Auditing &
  ReplaceFactPorts &
  Ids &
  SelfKnowledge &
  ChangeNews &
  DirectiveFiles &
  OwnerAnswers &
  Channels &
  StoreOf<
    Transactions &
      EventStore &
      TaskStore &
      ApprovalStore &
      GrantStore &
      JobStore &
      SettingStore &
      IdentityLinkStore &
      SealedStore &
      AgreementStore
  >

function decideTyped(
  powers: DecideTypedPorts,
  lane: TaskReports,
  { over, later }: TypedHooks,
  input: DecisionInput,
): TypedOne {
  const { id } = named(powers, input.approval)
  const stored = powers.store.loadApproval(id)
  if (stored === null)
    return isNumberOfOther(powers, input.approval) ? { elsewhere: true } : { refused: 'approval_unknown' }
  const { state, change, kind } = stored.approval
  if (state !== 'pending') return { ended: id }
  if (change?.do === 'heard' && input.decision === 'approve') {
    later(input)
    return { decided: id, decision: input.decision, speaks: true }
  }
  const asked = approvalsOf(powers, input.approval)
  const decided = decideOn(powers, lane, input)
  if (!decided.ok) return { refused: decided.reason.code }
  over(asked)
  // Denying a choice changes nothing that would be reported.
  const speaks = decided.value.task !== '' && (kind !== 'choice' || input.decision === 'approve')
  return { decided: id, decision: input.decision, speaks }
}

/** `/approvals` shows what waits, so that a "yes" after it is for the only card that it showed. Null for any other message. */
function asked(
  powers: Clock & AtPlace & PolicySource & StoreOf<ApprovalStore>,
  { event, chat }: Pick<Sent, 'event' | 'chat'>,
) {
  if (event.replyTo !== null || event.edits !== undefined || waitingOf(powers).length === 0) return null
  const isAsked =
    event.text.trim().toLowerCase() === '/approvals' ||
    operationInMessage(event.text)?.operation.name === 'approvals.list'
  return isAsked ? (): TypedAnswer => ({ ...listed(powers, chat.id), whole: true }) : null
}

/** "Lovely" and "send it" right after a card decide nothing, and the answer says so. Null for any other message. */
function unclear(
  powers: Clock & AnswersHerePorts & PolicySource,
  { event, chat }: Pick<Sent, 'event' | 'chat'>,
) {
  if (!isUnclearAnswer(event.text) || event.replyTo !== null || event.edits !== undefined) return null
  const meant = meantIn(powers, chat.id)
  if (meant.kind === 'one' && isOfTimed(powers, meant.approval)) return null
  return isNewest(powers, chat.id, meant) ? () => listed(powers, chat.id) : null
}

/**
 * While a card waits, a yes that also asks to remember something decides nothing and saves nothing. Null for any other message.
 */
function agreeing(
  powers: Clock & AnswersHerePorts & PolicySource,
  { event, chat }: Pick<Sent, 'event' | 'chat'>,
) {
  return agreesToKeep(event.text) && waitingOf(powers).length > 0 ? () => listed(powers, chat.id) : null
}

/** The only waiting card of this place, if this chat has shown it. */
function onlyOne(powers: AnswersHerePorts, sink: string): string | null {
  const [one, ...others] = waitingOf(powers).filter(([{ approval }]) => approval.kind !== 'credential')
  const isHere = one !== undefined && deliveredTo(powers, sink).some((row) => isCardOf(row, one))
  return isHere && others.length === 0 ? nameOf(one) : null
}

/** Lists what waits and may be shown in this chat; a following bare "yes" refers only to this list. */
function listed(
  powers: Clock & AtPlace & PolicySource & StoreOf<ApprovalStore>,
  sink: string,
): { readonly listed: readonly string[] } {
  const to = { sink, principal: OWNER_PRINCIPAL }
  const groups = waitingOf(powers).filter(([{ card }]) => mayShowTo(powers, to, card.label))
  return { listed: groups.map(nameOf) }
}

/**
 * Applies a yes or no to each of several cards; each decision is recorded as if it were typed alone. Null for any other message.
 */
function oneByOne(
  powers: DecideTypedPorts & AnswersHerePorts & PolicySource,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  hooks: TypedHooks,
): (() => TypedAnswer) | null {
  const meant = eachMeant(powers, chat.id, event.text)
  if (meant === null || waitingOf(powers).length === 0) return null
  // An edited message stays above cards that were sent later, so it decides none of them.
  if (meant.length === 0 || event.edits !== undefined) return () => listed(powers, chat.id)
  const { id: message, place } = event
  return () => ({
    answers: meant.map((one) =>
      decideTyped(powers, lane, hooks, { ...one, principal: principal.id, place, message }),
    ),
  })
}

/**
 * One yes cannot approve several cards that nobody read one by one; the answer says how to approve each. One
 * no denies all cards that this chat may show, or the named ones.
 */
function toEach(
  powers: DecideTypedPorts & AnswersHerePorts & PolicySource,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  hooks: TypedHooks,
): (() => TypedAnswer) | null {
  const said = severalInMessage(event.text)
  if (said === null) return null
  const { decision, which, count } = said
  const groups = waitingOf(powers).filter(({ 0: { card } }) =>
    mayShowTo(powers, { sink: chat.id, principal: OWNER_PRINCIPAL }, card.label),
  )
  if (groups.length === 0) return null
  const all = groups.map(nameOf)
  const numbered = groups.filter((group) =>
    which.includes(String(numberOf(powers, group.at(-1) ?? group[0]))),
  )
  const isAll = which.length === 0 && (count === null || count === groups.length)
  const meant = isAll ? all : numbered.length === which.length ? numbered.map(nameOf) : []
  // An edited message precedes later cards, and a number without a card cannot be assigned: neither decides
  // anything.
  if (decision === 'approve' || meant.length === 0 || event.edits !== undefined)
    return () => ({ each: all, decision })
  const { id: message, place } = event
  return () => {
    for (const approval of meant)
      decideTyped(powers, lane, hooks, {
        ...{ approval, decision: 'deny', principal: principal.id, place, message },
      })
    return { each: meant, decision, denied: true }
  }
}

type Meant =
  | { readonly kind: 'one'; readonly approval: string }
  | { readonly kind: 'ended'; readonly approval: string }
  | { readonly kind: 'none' | 'unseen' | 'several' }

/** `at`: when the answer was written, epoch milliseconds; without it no card of several is meant. */
function meantIn(
  powers: AnswersHerePorts,
  sink: string,
  { isYes = false, at = 0 }: { readonly isYes?: boolean; readonly at?: number } = {},
): Meant {
  const rows = deliveredTo(powers, sink)
  // A credential question is not answered by yes or no.
  const all = waitingOf(powers).filter(([{ approval }]) => approval.kind !== 'credential')
  // A question with options is answered by a number, not by yes.
  const plain = all.filter(([{ approval }]) => approval.kind !== 'choice')
  const waiting = isYes && plain.length > 0 ? plain : all
  const shown = waiting.filter((group) => isShown(powers, rows, group))
  // A place does not know what was seen on a polled line; the terminal checks that.
  const [one, ...others] = hasAtOnce(powers, sink) ? shown : []
  if (one !== undefined && others.length > 0) {
    const isListed =
      'listed' in
      (typedOf(
        powers,
        rows.find(({ kind }) => kind === 'answer'),
      ) ?? {})
    const fresh = isListed ? null : askedLast(powers, { rows, shown, sink, at })
    return fresh === null ? { kind: 'several' } : { kind: 'one', approval: nameOf(fresh) }
  }
  if (one !== undefined && isWhole(powers, rows, one)) return { kind: 'one', approval: nameOf(one) }
  if (waiting.length > 0) return { kind: 'unseen' }
  const ended = endedLast(powers, rows)
  return ended === null ? { kind: 'none' } : { kind: 'ended', approval: ended }
}

/** Whether the last delivery of the chat is the card, or the list that shows it. */
function isNewest(powers: AnswersHerePorts, sink: string, meant: Meant): boolean {
  const [newest] = deliveredTo(powers, sink)
  const group = waitingOf(powers).find((one) => meant.kind === 'one' && nameOf(one) === meant.approval)
  if (newest === undefined || group === undefined) return false
  const listing = typedOf(powers, newest)
  return (
    isCardOf(newest, group) ||
    (listing !== undefined && 'listed' in listing && listing.listed.includes(nameOf(group)))
  )
}

/** The question that the last delivery in this chat is about. */
function endedLast(powers: StoreOf<TaskStore & ApprovalStore>, rows: readonly OutboxRow[]): string | null {
  const [newest] = rows
  const typed = typedOf(powers, newest)
  if (typed !== undefined && 'ended' in typed) return typed.ended
  const own = rows.filter(({ task }, at) => at === 0 || (task !== null && task === newest?.task))
  const ids = own.map(({ id }) => id.slice(id.lastIndexOf(':') + 1))
  return ids.find((id) => powers.store.loadApproval(id) !== null) ?? null
}
