/**
 * Another answer to a question with options than one of them, typed in its chat right behind it (DESIGN §10): "none of these, Thursday at 4" ends the question, and
 * the message runs as a request of the same conversation; so does what follows a no to a card, "no, the other Tom"; "the second, but an hour later" takes the option, and changes the card that comes of it. Must not
 * look at content. Called at intake, at home.
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
import { type AnswersHerePorts, isCardOf, takenBy } from './shown-here.ts'

/** Applied in the transaction that takes the message. Null for any other message, or where no such question is the newest of this chat. */
export function hearElse(
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

/** The question with options that such a message is said to: the newest delivery of its chat, that still waits. */
function elseMeant(powers: AnswersHerePorts, { event, principal, chat }: Sent): ElseMeant | null {
  const text = event.replyTo === null ? typedAlone({ event, principal }) : null
  const said = text === null ? null : elseInMessage(text)
  const [newest] = said === null ? [] : takenBy(powers, chat.id)
  const group = waitingOf(powers).find((one) => newest !== undefined && isCardOf(newest, one))
  const [stored] = group ?? []
  if (said === null || stored?.approval.kind !== 'clarification') return null
  return { stored, choice: said.choice === LAST_CHOICE ? stored.approval.options : said.choice }
}

/** The card that a no with a request behind it is said to: the only one that waits and was shown here, or the newest of this chat. */
function refusedIn(powers: AnswersHerePorts, { event, principal, chat }: Sent): ElseMeant | null {
  const text = event.replyTo === null ? typedAlone({ event, principal }) : null
  const rest = text === null ? null : restOfNo(text)
  if (text === null || rest === null || changesCard(text, rest)) return null
  const waiting = waitingOf(powers).filter(([{ approval }]) => approval.kind !== 'credential')
  const rows = takenBy(powers, chat.id)
  const shown = waiting.filter((group) => rows.some((row) => isCardOf(row, group)))
  const [newest] = rows
  const last = shown.find((group) => newest !== undefined && isCardOf(newest, group))
  const [stored] = last ?? (waiting.length === 1 ? shown[0] : undefined) ?? []
  // A question of no task, such as one about a rule, is answered by its number or by a no alone.
  return stored === undefined || stored.approval.task === '' ? null : { stored, choice: null }
}

/** Another time, person or text of the card: that leaves it to be changed. */
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

/** What was written before the question is still told. */
function outcomeOf({ store }: StoreOf<TaskStore>, { id, task, choice }: Approval) {
  if (choice !== null) return { got: 'approved', approval: id } as const
  if (store.loadTask(task)?.wrote !== true) return { got: 'withdrawn', remembers: true } as const
  return { got: 'refused', approval: id, reason: { code: 'approval_denied', facts: {} } } as const
}
