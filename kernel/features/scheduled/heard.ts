/**
 * Recognises a message about the waiting mail that does not name it: "send it at 9 instead", "make that tomorrow morning", "don't
 * send it", "undo that". Must not do it. A row of commands/sentences.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OPENERS } from '../../task/answers/openers.ts'
import { taskIdOf } from '../../task/capability.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { spaced } from '../../wording/typed.ts'
import { lastChange } from '../changes/last-change.ts'
import { newTimeOf } from './moving.ts'
import type { NewTime } from './port.ts'
import { scheduledTasks, type TimedTask } from './scheduled.ts'

/** Number of newest tasks of a chat that are searched for the previous request. */
const LOOKED_BACK = 20
/** Maximum UTF-16 units of such a message. */
const MOST = 120

const WHEN = "(?!(?:to|an|für|for|with|mit|about|über)\\b)(?<when>[\\p{L}\\d.:' ]{1,60}?)"
const BEFORE = "(?<before>[\\p{L}\\d.:' ]{1,60}?)"
const MAIL = '(?:it|that|this|(?:the|that|this|my) (?:mail|email|e-mail|message))'
const GERMAN = '(?:sie|es|das|(?:die|diese) (?:mail|e-mail|email|nachricht))'

/** Words for sending: they refer to a waiting mail, if there is one. */
const SENDS: readonly RegExp[] = whole([
  `(?:don't|do not|dont) send ${MAIL} (?:before|until|till) ${BEFORE}`,
  `send ${MAIL} (?:not before|no earlier than|not until) ${BEFORE}`,
  `(?:only )?send ${MAIL} (?:only |rather )?${WHEN}(?: instead| rather)?`,
  `(?:schick|schicke|sende|send) ${GERMAN} nicht (?:vor|vorm|vor dem) ${BEFORE}`,
  `(?:schick|schicke|sende|send) ${GERMAN} (?:erst |lieber |doch |besser )*(?!nicht\\b)${WHEN}(?: stattdessen| statt dessen| ab)?`,
])
/** Words that could refer to anything: they refer to a mail only if it was set just before. */
const CHANGES: readonly RegExp[] = whole([
  `(?:make|change) (?:it|that) (?:to |for )?${WHEN}(?: instead)?`,
  `(?:move|push|postpone|delay|put off|reschedule) ${MAIL} (?:to|until|till) ${WHEN}`,
  `not before ${BEFORE}`,
  `(?:mach|mache) (?:daraus|es|das) ${WHEN}`,
  `(?:verschieb|verschiebe|verleg|verlege) ${GERMAN} auf ${WHEN}`,
  `nicht vor ${BEFORE}`,
])
const CANCELS: readonly RegExp[] = whole([
  `(?:don't|do not|dont) send ${MAIL}(?: after all| any more| anymore)?`,
  `(?:schick|schicke|sende|send) ${GERMAN} (?:doch )?nicht(?: ab| mehr)?`,
  `(?:${GERMAN} )?(?:doch )?(?:nicht|nicht mehr) (?:ab|ver)?(?:schicken|senden)`,
])
const UNDOES: readonly RegExp[] = whole([
  'undo(?: that| it)?',
  'take (?:that|it) back',
  '(?:mach|mache|nimm) (?:das|es) (?:wieder )?(?:rückgängig|zurück)',
])

function whole(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map(
    (pattern) => new RegExp(`^${OPENERS}${pattern}(?:,? (?:please|bitte|actually|doch))?[.!]*$`, 'iu'),
  )
}

type RecognisedChange = MeantOperation<'scheduled.move' | 'scheduled.cancel' | 'changes.undo'>

/** The time in the message, and the argument that it fills. */
interface SaidTime {
  readonly argument: keyof NewTime
  readonly words: Labeled<string>
}

type RecognitionPorts = SealedReading &
  Clock &
  OwnerFacts &
  Extraction &
  Actions &
  StoreOf<TaskStore & ApprovalStore & AuditTrail>

/** Null for any other message, and if no mail that it could refer to waits, or was cancelled just before. */
export async function recogniseChange(
  powers: RecognitionPorts,
  task: Task,
): Promise<RecognisedChange | null> {
  const { principal, words, quoted, attached } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const says = (patterns: readonly RegExp[]): RegExp | undefined =>
    patterns.find((pattern) => test(said.value, (text) => text.length <= MOST && pattern.test(spaced(text))))
  if (says(UNDOES) !== undefined) {
    if (isCancelledLast(powers, task)) return { operation: 'changes.undo', args: {}, named: null }
    const set = meantNow(powers, task, false)
    return set === null ? null : { operation: 'scheduled.cancel', args: { which: set.number }, named: null }
  }
  const cancels = says(CANCELS)
  const sends = cancels ?? says(SENDS)
  const pattern = sends ?? says(CHANGES)
  const waits = pattern === undefined ? null : meantNow(powers, task, sends !== undefined)
  if (pattern === undefined || waits === null) return null
  const args = { which: waits.number }
  if (cancels !== undefined) return { operation: 'scheduled.cancel', args, named: null }
  const time = timeIn(said.value, pattern)
  // A message without a time is another request.
  const isTime = test(time.words, (text) =>
    isMoment(newTimeOf(powers, waits.one, { ...NO_TIME, [time.argument]: text })),
  )
  return isTime ? { operation: 'scheduled.move', args, named: time } : null
}

const NO_TIME: NewTime = { when: null, before: null }

function isMoment(to: Result<number>): boolean {
  return to.ok || to.reason.code !== 'later_time_unclear'
}

function timeIn(said: Labeled<string>, pattern: RegExp): SaidTime {
  const named = (argument: keyof NewTime) =>
    derive(said, (text) => pattern.exec(spaced(text))?.groups?.[argument]?.trim() ?? '')
  const before = named('before')
  const isBefore = test(before, (text) => text !== '')
  return isBefore ? { argument: 'before', words: before } : { argument: 'when', words: named('when') }
}

interface Meant {
  readonly one: TimedTask
  /** Its number in `scheduled.list`; "it" if several wait and none can be chosen. */
  readonly number: string
}

/**
 * The mail that was set last in this chat, if there was no other request since. Otherwise, for words about sending, the only mail
 * that waits. None while a card asks about a mail that is not set yet, because the words refer to that card.
 */
function meantNow(powers: RecognitionPorts, task: Task, isSending: boolean): Meant | null {
  const { store } = powers
  const waiting = scheduledTasks(powers)
  const [first, ...others] = waiting
  if (first === undefined || isAskedNow(powers)) return null
  const before = lastRequest(powers, task)
  const set = (before === null ? [] : store.approvalsOf(before.id)).map(({ approval }) =>
    taskIdOf('later', approval.id),
  )
  const moving = before?.instead
  const last = waiting.find(({ id }) => set.includes(id) || id === moving)
  if (last === undefined && !isSending) return null
  const one = last ?? first
  const number = store.loadApproval(one.state.approval)?.number
  return last === undefined && others.length > 0
    ? { one, number: 'it' }
    : { one, number: String(number ?? 'it') }
}

/** Whether a card asks to set a new mail, and not to change the time of a waiting one. */
function isAskedNow({ store, registry }: RecognitionPorts): boolean {
  return store.pendingApprovals(OWNER_PRINCIPAL).some(({ approval }) => {
    const action = lookUpAction(registry, approval.tool)
    return (
      action.ok && action.value.later !== undefined && store.loadTask(approval.task)?.instead === undefined
    )
  })
}

/** The newest task of this chat that is neither an answer to a card nor started by time. */
function lastRequest({ store }: StoreOf<TaskStore>, { id, principal, sink }: Task): Task | null {
  const [last] = store
    .recentTasks(principal, LOOKED_BACK)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
  return last ?? null
}

/** Whether the owner's last change cancelled or restored a mail, and there was no other request since. */
function isCancelledLast(powers: RecognitionPorts, task: Task): boolean {
  const last = lastChange(powers, task.principal)
  const before = lastRequest(powers, task)
  const isNewest = last?.isNewest === true && (before === null || last.at >= before.createdAt)
  return isNewest && UNDONE.includes(last.operation)
}

const UNDONE: readonly string[] = ['scheduled.cancel', 'scheduled.restore']
