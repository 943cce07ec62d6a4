/**
 * Delivers the reminders that are due, each once: a delivery is named by reminder and due time, so one that a crash cut off is the
 * same delivery. Must not read a clock of its own. Called by tick.ts at both places.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { audit } from '../../powers/audit.ts'
import type { OwnerChats, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { tell } from '../../wording/words.ts'
import { hasAtOnce } from '../channels/channel-port.ts'
import { type DeliverPorts, deliverNotice, sendAgain, tellOwner } from '../deliveries/deliver.ts'
import type { ShowWorkPorts } from '../deliveries/reader-check.ts'
import type { SettingStore } from '../quiet/port.ts'
import { minutesOf, type QuietPowers, quietEnd } from '../quiet/quiet.ts'
import { wordsAt } from './choices.ts'
import { drop } from './life.ts'
import { numberedOffers, occurrenceName, reminderOffers } from './offers.ts'
import {
  ENDED_KEPT,
  FIRED_KEPT,
  LATE_AFTER,
  MOST_REMINDERS,
  type Reminder,
  type ReminderStore,
} from './port.ts'
import { nextOccurrence } from './repeat.ts'

/** Reminders delivered in one go: those of a long absence come in several, between which messages are answered. */
const AT_ONCE = 20
/** Old ones deleted in one go. */
const TIDIED_AT_ONCE = 50

export type DuePorts = DeliverPorts &
  ShowWorkPorts &
  SealedReading &
  OwnerFacts &
  OwnerChats &
  StoreOf<ReminderStore & OutboxStore & TaskStore & SettingStore>

/** One that nobody can read or receive ends, and the audit says so. */
export async function deliverDue(powers: DuePorts): Promise<void> {
  const { store } = powers
  for (const one of dueNow(powers)) await fire(powers, one)
  const now = powers.now()
  const before = { fired: now - FIRED_KEPT, ended: now - ENDED_KEPT }
  for (const old of store.over(before, TIDIED_AT_ONCE)) drop(powers, old)
}

/** Those that come now; in quiet hours only those whose time the owner named. */
function dueNow(powers: DuePorts): readonly Reminder[] {
  const now = powers.now()
  if (quietEnd(powers) === null) return powers.store.dueReminders(now, AT_ONCE)
  const due = powers.store.dueReminders(now, MOST_REMINDERS)
  return due.filter((one) => !isHeld(powers, one, now)).slice(0, AT_ONCE)
}

/**
 * A time that was said is meant, also in quiet hours. What is late was not said for now; nor was one that was put off by a button, or that
 * comes at nine o'clock, which is what a day without a time means.
 */
function isHeld({ profile }: OwnerFacts, { due, answered, before }: Reminder, now: number): boolean {
  const at = due ?? now
  if (now - at > LATE_AFTER) return true
  return answered === 'later' || before?.state === 'fired' || minutesOf(at, profile().timezone) === MORNING
}

/** Minutes after midnight. */
const MORNING = 9 * 60

/** When the next one comes; null when none does. */
export function reminderMoment(powers: MomentPorts): number | null {
  const next = powers.store.nextReminder()
  const end = quietEnd(powers)
  if (next === null || end === null || next >= end) return next
  const coming = powers.store
    .dueReminders(end, MOST_REMINDERS)
    .find((one) => !isHeld(powers, one, Math.max(powers.now(), one.due ?? 0)))
  return coming?.due ?? end
}

export type MomentPorts = QuietPowers & StoreOf<ReminderStore>

async function fire(powers: DuePorts, listed: Reminder): Promise<void> {
  const due = listed.due ?? 0
  const { id, principal, sink, number } = listed
  // It was listed before the sends of others: the owner may have changed it since.
  const current = dueAt(powers, id, due)
  if (current === null) return
  // It came while the owner ended it, and that was taken back.
  if (current.occurrence === due) {
    advance(powers, current, { due, now: current.firedAt ?? powers.now() })
    return
  }
  const text = await openTextOf(powers, current.ref)
  const reminder = dueAt(powers, id, due)
  if (reminder === null) return
  // It got other words while it was read.
  if (!text.ok && reminder.ref.id !== current.ref.id) return fire(powers, reminder)
  if (!text.ok) {
    drop(powers, reminder)
    audit(powers, 'denial', null, { code: text.reason.code, what: 'reminder', number, principal })
    return
  }
  const delivery = occurrenceName(id, due)
  const begun = powers.store.findDelivery(delivery)
  const words = offered(powers, sink, wordsAt(powers, reminder, { text: text.value, due, now: powers.now() }))
  const to = { id: delivery, sink, principal, code: 'reminder_past', text: words } as const
  const sent =
    begun === null
      ? await deliverNotice(powers, { ...to, offers: reminderOffers() })
      : await sendAgain(powers, begun, true)
  const now = powers.now()
  if (!sent.ok) {
    const { code } = sent.reason
    await tellOwner(powers, { id: `${delivery}:lost`, code, words: tell('reminders.lost', { number }) })
  }
  advance(powers, reminder, { due, now })
  const code = sent.ok ? null : sent.reason.code
  audit(powers, 'memory_changed', null, {
    what: 'reminder',
    did: 'fired',
    number,
    principal,
    late: now - due > LATE_AFTER,
    code,
  })
}

/** The reminder as it is stored now; null unless it is open and due at that time still. */
function dueAt({ store }: StoreOf<ReminderStore>, id: string, due: number): Reminder | null {
  const stored = store.reminderOf(id)
  return stored?.state === 'open' && stored.due === due ? stored : null
}

/**
 * To its next time, or to its end. What the owner changed while it was sent stays, and the delivery is noted beside it. `due` and `now`: epoch
 * milliseconds of the occurrence and of its delivery.
 */
function advance(
  powers: DuePorts,
  sent: Reminder,
  { due, now }: { readonly due: number; readonly now: number },
): void {
  const { store } = powers
  const stored = store.reminderOf(sent.id)
  if (stored === null) return
  const came = { occurrence: due, firedAt: now } as const
  const current = dueAt(powers, sent.id, due)
  if (current === null) {
    const answered = stored.answered === sent.answered ? null : stored.answered
    store.saveReminder({ ...stored, ...came, answered })
    return
  }
  const { repeat } = current
  const at = repeat === null ? Infinity : nextOccurrence(repeat, powers.now(), powers.profile().timezone)
  // The last one of a repetition with an end is like a single one.
  const next = Number.isFinite(at) ? at : null
  store.saveReminder({
    ...{ ...current, ...came, answered: null, before: null, local: null },
    due: next ?? due,
    state: next === null ? 'fired' : 'open',
  })
}

/** A line that is asked for what came has no buttons: a number is typed there. */
function offered(powers: DuePorts, sink: string, words: Labeled<string>): Labeled<string> {
  if (hasAtOnce(powers, sink)) return words
  return combine([words, receive(numberedOffers(), kernelWords())], ([said, more]) => `${said}\n${more}`)
}
