/**
 * What a tap on what is offered under a reminder does, once (F-02): a delivery is named by reminder and due time, so a tap is about that
 * occurrence and no other. Must not know a channel. Called by shell.ts; the words of a reminder also by due.ts.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import type { Operations, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { type DeliverPorts, deliverNotice } from '../deliveries/deliver.ts'
import { occurrenceIn } from './offers.ts'
import { CHOICES, type Choice, LATE_AFTER, type Reminder, type ReminderStore } from './port.ts'

/** Its words in the chat, at the moment when it comes. */
export function wordsAt(
  { profile }: OwnerFacts,
  { number }: Pick<Reminder, 'number'>,
  { text, due, now }: { readonly text: Labeled<string>; readonly due: number; readonly now: number },
): Labeled<string> {
  const when = namedMoment(due, profile().timezone, now)
  const head = tell(now - due > LATE_AFTER ? 'reminders.late' : 'reminders.due', { number, when })
  return combine([receive(head, kernelWords()), text], ([own, said]) => `${own} ${said}`)
}

/** A tap of the owner under a delivery. */
export interface Chosen {
  /** What it did, or how the reminder had been answered before. */
  readonly words: string
  /** It was over before. */
  readonly late: boolean
}

export type ChoicePorts = DeliverPorts & OwnerFacts & Operations & SealedReading & StoreOf<ReminderStore>

/** Carries out a tap once, and shows the outcome in its message. Refusals: those of `reminders.answer`. */
export async function chooseOn(
  powers: ChoicePorts,
  { delivery, choice }: { readonly delivery: string; readonly choice: string },
): Promise<Result<Chosen>> {
  const { id, due } = occurrenceIn(delivery)
  const found = powers.store.reminderOf(id)
  const asked = CHOICES.find((one) => one === choice)
  if (found === null || found.principal !== OWNER_PRINCIPAL || asked === undefined)
    return ok({ words: tell('reminders.was_gone'), late: true })
  const over = overWords(powers, found, due)
  if (over !== null) {
    await close(powers, found, { delivery, words: over })
    return ok({ words: over, late: true })
  }
  const done = await answer(powers, found, { delivery, choice: asked })
  const words = done.ok ? tell(`reminders.answered_${asked}`) : wordsFor(done.reason.code)
  await close(powers, found, { delivery, words })
  return done.ok ? ok({ words, late: false }) : done
}

function answer(
  { operations, place }: ChoicePorts,
  { principal, sink, number }: Reminder,
  { delivery, choice }: { readonly delivery: string; readonly choice: Choice },
): Promise<Result<unknown>> {
  const door = place === 'home' ? 'private' : 'open'
  const caller = { principal, place, door, sink, message: `tap:${delivery}` } as const
  const call = { operation: 'reminders.answer', args: { number, how: choice }, caller }
  return operations === undefined
    ? Promise.resolve({ ok: false, reason: { code: 'operation_unknown', facts: {} } })
    : operations(call)
}

/** How this occurrence was answered before; null while it waits for an answer. */
function overWords(
  { profile, now }: OwnerFacts & Pick<ChoicePorts, 'now'>,
  { occurrence, answered, state, due }: Reminder,
  of: number,
): string | null {
  if (occurrence !== null && occurrence !== of) return tell('reminders.came_again')
  if (answered === 'done') return tell('reminders.was_done')
  if (state === 'ended') return tell('reminders.was_cancelled')
  if (answered === 'later')
    return tell('reminders.was_later', { when: namedMoment(due ?? of, profile().timezone, now()) })
  return null
}

/** The same message, without what was offered. Where the text cannot be opened, the outcome alone. */
async function close(
  powers: ChoicePorts,
  reminder: Reminder,
  { delivery, words }: { readonly delivery: string; readonly words: string },
): Promise<void> {
  const { sink, principal, occurrence, firedAt } = reminder
  const text = await openTextOf(powers, reminder.ref)
  const due = occurrence ?? powers.now()
  const own = receive(words, kernelWords())
  const shown = text.ok
    ? combine(
        [wordsAt(powers, reminder, { text: text.value, due, now: firedAt ?? due }), own],
        ([was, now]) => `${was}\n\n${now}`,
      )
    : own
  const to = { id: delivery, sink, principal, code: 'reminder_answered', patience: 'once' } as const
  await deliverNotice(powers, { ...to, text: shown, changes: true })
}
