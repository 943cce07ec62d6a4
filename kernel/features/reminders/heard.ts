/**
 * What a short message says to the reminder that came last in its chat: "done", or the number of what was offered under it. Must not do
 * it. A row of commands/sentences.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import type { Clock } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { OutboxRow, OutboxStore, StoreOf } from '../../powers/stores.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { occurrenceIn, occurrenceName } from './offers.ts'
import { CHOICES, type Choice, type ReminderStore } from './port.ts'

/** Milliseconds after which "done" is no answer to a reminder any more. */
const ANSWERED_WITHIN = 86_400_000
/** Newest deliveries of a chat searched for it. */
const LOOKED_BACK = 20
const DONE =
  /^(?:(?:ok(?:ay)?|yes|ja)[,.!]? )?(?:(?:all |it'?s |i'?m )?done|(?:i )?did (?:it|that)|i(?:'ve| have) (?:done|finished) (?:it|that)|finished|erledigt|(?:ist |hab(?:e)? ich )?(?:schon )?(?:erledigt|gemacht)|fertig)(?: (?:it|that|already|schon))?[.!]*$/i
const TOMORROW = /^(?:tomorrow|morgen)[.!]*$/i
const NUMBER = /^(?<at>[1-9])[.)]?$/

/** Null for any other message, and where nothing that waits for an answer came here lately. */
export async function recogniseAnswer(
  powers: SealedReading & Clock & StoreOf<ReminderStore & OutboxStore>,
  { principal, sink, words, quoted, attached }: Task,
): Promise<MeantOperation<'reminders.answer'> | null> {
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain) return null
  const { store } = powers
  const last = store.firedLast(principal, sink, powers.now() - ANSWERED_WITHIN)
  if (last === null || last.answered !== null || last.occurrence === null) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  // A day alone may be meant for an answer or a question that came since; a notice asks for neither.
  const rows = store.recentDeliveries(sink, LOOKED_BACK)
  const newest = rows.find(({ id, kind }) => kind !== 'notice' || occurrenceIn(id).id !== '')
  const came = rows.find(({ id }) => occurrenceIn(id).id !== '')
  const own = occurrenceName(last.id, last.occurrence)
  // "Done" said twice must not end an older one.
  if (came !== undefined && came.id !== own) return null
  const isNewest =
    newest?.id === own ||
    (test(said.value, (text) => NUMBER.test(text.trim())) &&
      (await isOnlyOffer(powers, { principal, sink, own, rows })))
  const how = CHOICES.find((choice) => saysIt(said.value, choice, isNewest))
  return how === undefined
    ? null
    : { operation: 'reminders.answer', args: { number: last.number, how }, named: null }
}

/**
 * Whether a number can be for nothing but this reminder, with other messages between: it is the only one of the chat without an answer, and what was
 * delivered since asks nothing and numbers nothing.
 */
async function isOnlyOffer(
  powers: SealedReading & Clock & StoreOf<ReminderStore>,
  {
    principal,
    sink,
    own,
    rows,
  }: Pick<Task, 'principal' | 'sink'> & { readonly own: string; readonly rows: readonly OutboxRow[] },
): Promise<boolean> {
  const open = powers.store
    .unanswered(principal, powers.now() - ANSWERED_WITHIN)
    .filter((one) => one.sink === sink)
  const at = rows.findIndex(({ id }) => id === own)
  if (open.length !== 1 || at < 0) return false
  for (const { kind, text } of rows.slice(0, at)) {
    const shown = kind === 'card' ? null : await openTextOf(powers, text)
    if (shown?.ok !== true || test(shown.value, (said) => ASKS_OR_NUMBERS.test(said))) return false
  }
  return true
}

/** A question, or a row with a number before it. */
const ASKS_OR_NUMBERS = /\?|^\W*\d{1,4}[.):]?\s/mu

function saysIt(words: Labeled<string>, choice: Choice, isNewest: boolean): boolean {
  return test(words, (text) => {
    const said = text.trim()
    if (choice === 'done' && DONE.test(said)) return true
    if (!isNewest) return false
    if (choice === 'tomorrow' && TOMORROW.test(said)) return true
    return CHOICES[Number(NUMBER.exec(said)?.groups?.['at'] ?? 0) - 1] === choice
  })
}
