/**
 * What is offered under a reminder that is delivered, by the name of its delivery. Pure; must not deliver. Called by due.ts, deliver.ts and
 * heard.ts.
 */
import type { Delivery } from '../../powers/ports.ts'
import { tell } from '../../wording/words.ts'
import { CHOICES } from './port.ts'

/** Name of the delivery of one occurrence. */
export function occurrenceName(id: string, due: number): string {
  return `reminder:${id}:${due}`
}

const NAME = /^reminder:(?<id>[^:]+):(?<due>\d+)$/

/** Of another delivery: no reminder has that id. */
export function occurrenceIn(delivery: string): { readonly id: string; readonly due: number } {
  const { id = '', due = '' } = NAME.exec(delivery)?.groups ?? {}
  return { id, due: Number(due) }
}

/** Labels of the choices, in their order. */
export function reminderOffers(): NonNullable<Delivery['offers']> {
  return CHOICES.map((key) => ({ key, label: tell(`reminders.choice_${key}`) }))
}

/** Of a delivery by its name: one that has waited is offered the same when it goes out. */
export function offersOf(delivery: string): Delivery['offers'] {
  return NAME.test(delivery) ? reminderOffers() : undefined
}

/** The same for a line without buttons, where a number is typed. */
export function numberedOffers(): string {
  return reminderOffers()
    .map(({ label }, at) => `${at + 1} ${label}`)
    .join(' · ')
}
