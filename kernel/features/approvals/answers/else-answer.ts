/**
 * Recognises an answer that adds a request of its own, typed right after a question (DESIGN §10): "none of these, Thursday at 4"
 * and "no, the other Tom" end the question and run as a request of the same conversation; "the second, but an hour later" takes
 * the option and changes the card that follows. Must not look at content. Called at intake, at home.
 */
import type { Auditing } from '../../../powers/audit.ts'
import type { Clock } from '../../../powers/ports.ts'
import type { StoredApproval, StoreOf, TaskStore } from '../../../powers/stores.ts'
import { choiceInMessage, isOfCard, LAST_CHOICE, restOfNo } from '../../../task/answers/answer-words.ts'
import { correctionIn, isValue } from '../../../task/answers/correction-words.ts'
import { readsAsChange } from '../../../task/answers/edit-words.ts'
import { elseInMessage } from '../../../task/answers/else-words.ts'
import { saysMeant } from '../../../task/answers/openers.ts'
import { type Approval, decide } from '../../../task/approval.ts'
import type { TaskReports } from '../../../task/outcome.ts'
import type { Sent } from '../../people/route.ts'
import { note } from '../decisions.ts'
import { waitingOf } from '../waiting.ts'
import { typedAlone } from '../waiting-call.ts'
import { type AnswersHerePorts, deliveredTo, isCardOf } from './shown-here.ts'

/**
 * Returns the effect, for the transaction that takes the message. Null for any other message, or if no waiting question is meant.
 */
export function recogniseElse(
  powers: Clock & Auditing & AnswersHerePorts,
  lane: TaskReports,
  sent: Sent,
  over: (decided: Approval) => void,
): (() => undefined) | null {
  const meant = elseMeant(powers, sent) ?? refusedIn(powers, sent)
  if (meant === null) return null
  const { event, principal } = sent
  const { stored, choice } = meant
  const { approval } = stored
  const decision = choice === null ? 'deny' : 'approve'
  const by = { principal: principal.id, place: event.place, decision, choice, message: event.id } as const
  return () => {
    const decided = decide(approval, { ...by, now: powers.now() })
    note(powers, stored, { ...by, result: decided })
    if (!decided.ok) return
    const save = (): void => powers.store.saveApproval(decided.value, null)
    if (lane.report(approval.task, outcomeOf(powers, decided.value), save)) over(decided.value)
  }
}

interface ElseMeant {
  readonly stored: StoredApproval
  /** The option that is taken, from 1; null for none of them. */
  readonly choice: number | null
}

/** The question with options that such a message answers: the newest delivery of its chat, if it still waits. */
function elseMeant(powers: AnswersHerePorts, { event, principal, chat }: Sent): ElseMeant | null {
  const text = event.replyTo === null ? typedAlone({ event, principal }) : null
  const said = text === null ? null : elseInMessage(text)
  const [newest] = said === null ? [] : deliveredTo(powers, chat.id)
  const group = waitingOf(powers).find((one) => newest !== undefined && isCardOf(newest, one))
  const [stored] = group ?? []
  if (said === null || stored?.approval.kind !== 'clarification') return null
  return { stored, choice: said.choice === LAST_CHOICE ? stored.approval.options : said.choice }
}

/**
 * The card that a no with a further request refers to: the newest delivery of this chat, else the only waiting card, if it was
 * shown here.
 */
function refusedIn(powers: AnswersHerePorts, { event, principal, chat }: Sent): ElseMeant | null {
  const text = event.replyTo === null ? typedAlone({ event, principal }) : null
  const rest = text === null ? null : restOfNo(text)
  if (text === null || rest === null || changesCard(text, rest)) return null
  const waiting = waitingOf(powers).filter(([{ approval }]) => approval.kind !== 'credential')
  const rows = deliveredTo(powers, chat.id)
  const shown = waiting.filter((group) => rows.some((row) => isCardOf(row, group)))
  const [newest] = rows
  const last = shown.find((group) => newest !== undefined && isCardOf(newest, group))
  const [stored] = last ?? (waiting.length === 1 ? shown[0] : undefined) ?? []
  // A question without a task, such as one about a rule, is answered only by its number or by a plain no.
  return stored === undefined || stored.approval.task === '' ? null : { stored, choice: null }
}

/** Whether the message changes a time, a person or the text of the card. Such a message is no denial. */
function changesCard(text: string, rest: string): boolean {
  return (
    isOfCard(rest) ||
    [text, rest].some(readsAsChange) ||
    saysMeant(text) ||
    correctionIn(text) !== null ||
    elseInMessage(text)?.choice != null ||
    choiceInMessage(text) !== null ||
    rest.split(/[\s,;.!?]+/u).some((word) => word !== 'one' && isValue(word))
  )
}

/** A task that has written something is refused, not withdrawn, so that it still reports what it wrote. */
function outcomeOf({ store }: StoreOf<TaskStore>, { id, task, choice }: Approval) {
  if (choice !== null) return { got: 'approved', approval: id } as const
  if (store.loadTask(task)?.wrote !== true) return { got: 'withdrawn', remembers: true } as const
  return { got: 'refused', approval: id, reason: { code: 'approval_denied', facts: {} } } as const
}
