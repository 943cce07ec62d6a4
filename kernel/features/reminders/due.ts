/**
 * Delivers the reminders that are due, each once: a delivery is named by reminder and due time, so one that a crash cut off is the
 * same delivery. Must not read a clock of its own. Called by tick.ts at both places.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { type DeliverPorts, deliverNotice, sendAgain, tellOwner } from '../../pipeline/deliver.ts'
import { audit } from '../../powers/audit.ts'
import type { OwnerChats, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { tell } from '../../wording/words.ts'
import { hasAtOnce } from '../channels/channel-port.ts'
import type { ShowWorkPorts } from '../deliveries/reader-check.ts'
import { wordsAt } from './choices.ts'
import { drop } from './life.ts'
import { numberedOffers, occurrenceName, reminderOffers } from './offers.ts'
import { ENDED_KEPT, FIRED_KEPT, LATE_AFTER, type Reminder, type ReminderStore } from './port.ts'
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
  StoreOf<ReminderStore & OutboxStore & TaskStore>

/** One that nobody can read or receive ends, and the audit says so. */
export async function deliverDue(powers: DuePorts): Promise<void> {
  const { store } = powers
  for (const one of store.dueReminders(powers.now(), AT_ONCE)) await fire(powers, one)
  const now = powers.now()
  const before = { fired: now - FIRED_KEPT, ended: now - ENDED_KEPT }
  for (const old of store.over(before, TIDIED_AT_ONCE)) drop(powers, old)
}

async function fire(powers: DuePorts, reminder: Reminder): Promise<void> {
  const { store } = powers
  const { id, principal, sink, number, repeat } = reminder
  const due = reminder.due ?? 0
  const text = await openTextOf(powers, reminder.ref)
  if (!text.ok) {
    drop(powers, reminder)
    audit(powers, 'denial', null, { code: text.reason.code, what: 'reminder', number, principal })
    return
  }
  const delivery = occurrenceName(id, due)
  const begun = store.findDelivery(delivery)
  const words = offered(powers, sink, wordsAt(powers, reminder, { text: text.value, due, now: powers.now() }))
  const to = { id: delivery, sink, principal, code: 'reminder_past', text: words } as const
  const sent =
    begun === null
      ? await deliverNotice(powers, { ...to, offers: reminderOffers() })
      : await sendAgain(powers, begun)
  const now = powers.now()
  if (!sent.ok) {
    const { code } = sent.reason
    await tellOwner(powers, { id: `${delivery}:lost`, code, words: tell('reminders.lost', { number }) })
  }
  const isLate = now - due > LATE_AFTER
  const next = repeat === null ? null : nextOccurrence(repeat, now, powers.profile().timezone)
  const came = { occurrence: due, answered: null, before: null, firedAt: now } as const
  store.saveReminder({ ...reminder, ...came, due: next ?? due, state: next === null ? 'fired' : 'open' })
  const code = sent.ok ? null : sent.reason.code
  audit(powers, 'memory_changed', null, {
    what: 'reminder',
    did: 'fired',
    number,
    principal,
    late: isLate,
    code,
  })
}

/** A line that is asked for what came has no buttons: a number is typed there. */
function offered(powers: DuePorts, sink: string, words: Labeled<string>): Labeled<string> {
  if (hasAtOnce(powers, sink)) return words
  return combine([words, receive(numberedOffers(), kernelWords())], ([said, more]) => `${said}\n${more}`)
}
