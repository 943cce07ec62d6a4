/**
 * Sentences that rename an event: the one just booked or shown, or one named by a word of its title. The card names the event.
 * Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './guests.ts'

/** Its present name. */
export const TITLED = "[a-zäöüß][a-zäöüß\\d' -]{1,40}?"
const GERMAN = '(nenn|nenne|benenn|benenne)'
const CHANGE = '(change|set|make) (the|its) (title|name)'
const CHANGE_GERMAN = '(änder|ändere|setz|setze) den (titel|namen)'

export const RENAMING: Phrases['asks'] = [
  {
    says: {
      en: [
        '(rename|retitle) {event} (to|as|into) {name}',
        'call {event} {name} instead',
        `${CHANGE} of {event} (to|into) {name}`,
        `${CHANGE} to {name}`,
      ],
      de: [
        `${GERMAN} {event} um in {name}`,
        `${GERMAN} {event} in {name} um`,
        `${GERMAN} {event} (lieber|stattdessen|jetzt) {name}`,
        `${CHANGE_GERMAN} (von {event}|des termins) (in|auf|zu) {name}`,
      ],
    },
    shown: SHOWN,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.update_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}', title: '{name}' },
      },
    ],
  },
  {
    says: {
      en: [
        '(rename|retitle) (the|my|our) {titled} (event|appointment|meeting|entry) (to|as|into) {name}',
        '(rename|retitle) the (event|appointment|meeting|entry) {titled} (to|as|into) {name}',
      ],
      de: [`${GERMAN} den termin {titled} um in {name}`, `${GERMAN} den termin {titled} in {name} um`],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: {} },
      { id: 's2', do: 'select', from: 's1.events', matching: '{titled}', take: 'one' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.update_event' },
        args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, title: '{name}' },
      },
    ],
  },
]
