/**
 * Sentences that invite people to an existing event: named by a word of its title, or the one just shown or booked. Guests are
 * contacts and typed addresses; the card names the event and each of them. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

/** The event that was just booked, or shown by itself. */
export const SHOWN_EVENT =
  'it|that|this|(?:the|that|this) (?:event|appointment|meeting|one)|(?:den|diesen) termin|ihn|das|dazu|da'

export const SHOWN = {
  ...{ lists: ['calendar.list_events'], list: 'events', first: 'first', unknown: 'which_event' },
  ...{ one: ['calendar.create_event', 'calendar.update_event'], only: [] },
} as const

const WHEN = { from: '{when.from}', to: '{when.to}' }

function inviting(when: { readonly [name: string]: string }) {
  return [
    { id: 's1', do: 'tool', tool: 'calendar.list_events', args: when },
    { id: 's2', do: 'select', from: 's1.events', matching: '{what}', take: 'one' },
    {
      ...{ id: 's3', do: 'tool', tool: 'calendar.update_event' },
      args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, invite: '{whom}' },
    },
  ] as const
}

const ENGLISH = [
  '(invite|ask|bring) {whom} (to|along to) (the|my|our|that) {what} [meeting|event|appointment]',
  'add {whom} to (the|our|that) {what} (meeting|event|appointment|invite|invitation)',
  'add {whom} as [a|another] (guest|guests) (to|of|for) (the|my|our|that) {what} [meeting|event|appointment]',
]
const GERMAN = '(zum|zur|zu (dem|der|meinem|meiner|unserem|unserer))'

export const GUESTS: Phrases['asks'] = [
  {
    says: {
      en: [
        '(invite|add|bring) {whom} (to|along to) {event}',
        'add {whom} as [a|another] (guest|guests) [to {event}]',
        '(get|bring|loop|have|let) {whom} [in] on {event} [too|as well]',
        '(get|bring|loop|count) {whom} in [too|as well]',
        '(get|bring|take) {whom} along [too|as well]',
        'have {whom} (join|come) [along] [too|as well]',
        '{whom} (should|can|has to) (come|join) [along] (too|as well)',
      ],
      de: [
        '(lad|lade) {whom} [auch|noch] {event} ein',
        '(lad|lade) {whom} [auch|noch] zu (dem|diesem) termin ein',
        '(hol|hole|nimm) {whom} [auch|noch] (dazu|mit dazu|mit rein)',
        '{whom} (soll|sollen|muss|müssen) [auch|noch] (dazukommen|mitkommen|dabei sein|mit dazu)',
      ],
    },
    shown: SHOWN,
    waits: {
      tool: 'calendar.create_event',
      argument: 'attendees',
      keeps: ['title', 'from', 'to', 'calendar'],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.update_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}', invite: '{whom}' },
      },
    ],
  },
  {
    says: {
      // "The Friday" means the whole day.
      en: ENGLISH.flatMap((one) => [
        `${one} {when}`,
        one.replace(/\(([^()]*)\) \{what\}/, '[$1] {when} {what}'),
      ]),
      de: [`(lad|lade) {whom} {when} ${GERMAN} {what} ein`, `(lad|lade) {whom} ${GERMAN} {what} {when} ein`],
    },
    plan: inviting(WHEN),
  },
  {
    says: { en: ENGLISH, de: [`(lad|lade) {whom} [auch|noch|bitte] ${GERMAN} {what} ein`] },
    plan: inviting({}),
  },
]
