/**
 * Sentences that delete a whole series, named by a word of its title or as the one just booked or shown. Without these words a
 * single occurrence is meant, and the card says which. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './guests.ts'

const ENGLISH = '(cancel|delete|remove|call off|drop|scrap|end)'
const GERMAN = '(lösch|lösche|streich|streiche|entfern|entferne)'

/** Excludes requests for all events of a day. */
const NOT_KINDS =
  '(?:meetings?|appointments?|events?|calls?|plans?|mails?|emails?|news|reminders?|jobs?|messages?|notifications?|work|termine?|anrufe?|nachrichten|erinnerungen|arbeit|meetings)'
export const ONE_OF_SERIES = `(?!${NOT_KINDS}(?![a-zäöüß]))[a-zäöüß][a-zäöüß\\d' -]{1,40}?`
/** The same as a condition of a sentence. */
const NO_KIND = `!(${NOT_KINDS.slice(3, -1)
  .split('|')
  .flatMap((one) => (one.endsWith('s?') ? [one.slice(0, -2), one.slice(0, -1)] : [one]))
  .join('|')}|besprechungen|treffen)`
const MONTHS = 'january february march april may june july august september october november december'
const MONTHS_GERMAN = 'januar februar märz april mai juni juli august september oktober november dezember'

/** Last days that are named without a date. */
export const LAST_DAYS = {
  en: [
    ...MONTHS.split(' ').map((one) => `end of ${one}`),
    ...['christmas', 'end of the year', 'end of this year', 'end of the month', 'end of this month'],
  ],
  de: [...MONTHS_GERMAN.split(' ').map((one) => `ende ${one}`), 'weihnachten', 'jahresende', 'monatsende'],
}

const MINE = '(my|the|our) {any 1-6}'
const MEINE = '(den|die|das|meinen|meine|mein|unseren|unsere|unser) {any 1-6}'

/** A new last day for a series. */
export const ENDING = {
  en: [
    `(end|stop|finish) ${MINE} (on|at|after|with|by) ...`,
    `let ${MINE} end (on|at|after|with|by) ...`,
    `(extend|prolong|continue) ${MINE} (until|till|to|through) ...`,
  ].flatMap((one) => [`${one} + {when}`, `${one} + <last_day>`]),
  de: [
    `(beende|lass) ${MEINE} (am|zum|im|mit|nach) ... + {when}`,
    `(verlänger|verlängere) ${MEINE} bis ... + {when}`,
    `(beende|lass) ${MEINE} + <last_day>`,
    `(verlänger|verlängere) ${MEINE} bis ... + <last_day>`,
  ],
}

const WHEN = { from: '{when.from}', to: '{when.to}' }

/** "The yoga class not on 24 December": deletes only that occurrence, which its card names. */
export const NOT_ON: Phrases['asks'] = [
  {
    says: {
      en: [
        '(the|my|our) {class} [is] not [on] {when}',
        '(the|my|our) {class} isnt [on] {when}',
        '(skip|leave out) (the|my|our) {class} {when}',
        'no {class} {when}',
        '(the|my|our) {class} (does not|doesnt|will not|wont) (happen|take place) {when}',
      ],
      de: [
        '(der|die|das|mein|meine|unser|unsere) {class} (nicht|findet nicht statt) {when}',
        '(der|die|das|mein|meine|unser|unsere) {class} findet {when} nicht statt',
        '(lass|lasse) (den|die|das|mein|meine|meinen|unser|unsere|unseren) {class} {when} (aus|ausfallen)',
        '{when} (kein|keine|keinen) {class}',
        '(kein|keine|keinen) {class} {when}',
      ],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: WHEN },
      { id: 's2', do: 'select', from: 's1.events', matching: '{class}', take: 'one' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' } },
      },
    ],
  },
]

/** A recurring event, by words of its title; only these sentences read it. */
export const SERIES = '(?!(?:whole|entire|ganzen?)(?![a-zäöüß]))[^\\s:;!?][^:;!?]{0,60}?'

export const WHOLE_SERIES: Phrases['asks'] = [
  {
    says: {
      en: [
        '(cancel|delete|remove) the (whole|entire) {what} series',
        '(cancel|delete|remove) the (whole|entire) series of {what}',
      ],
      de: [
        `${GERMAN} die ganze serie {what}`,
        `${GERMAN} die ganze {what} serie`,
        '(sag|sage) die ganze serie {what} ab',
      ],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: {} },
      { id: 's2', do: 'select', from: 's1.events', matching: '{what}', take: 'first' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, series: true },
      },
    ],
  },
  {
    says: {
      en: [
        // Requires a series of events: a list, a folder or a job is none.
        `${ENGLISH} [the|my|our|this|that] !(whole|entire) {recurring} series`,
        `${ENGLISH} [the|my|our|this|that] series of !(the) {recurring}`,
        `${ENGLISH} (every|each) [single] (time|session|lesson|date) of [the|my|our] {recurring}`,
        `(cancel|call off) all [of] [the|my|our] ${NO_KIND} {recurring}`,
        `(cancel|call off) [the|my|our] ${NO_KIND} {recurring} (altogether|completely|entirely|for good|forever|once and for all)`,
      ],
      de: [
        `${GERMAN} (die|meine|unsere) !(ganze) {recurring} (serie|reihe)`,
        `${GERMAN} die (serie|reihe) {recurring}`,
        '(sag|sage) (die|meine|unsere) !(ganze) {recurring} (serie|reihe) ab',
        `(sag|sage) [den|die|das|mein|meine|meinen] ${NO_KIND} {recurring} (komplett|ganz|vollständig|insgesamt|für immer|endgültig|dauerhaft) ab`,
        `(sag|sage) (alle|sämtliche) ${NO_KIND} {recurring} ab`,
      ],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: {} },
      { id: 's2', do: 'select', from: 's1.events', matching: '{recurring}', take: 'first' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, series: true },
      },
    ],
  },
  {
    says: {
      en: ['(cancel|delete|remove) the (whole|entire) series', '(cancel|delete|remove) all of that series'],
      de: [`${GERMAN} die ganze serie`, '(sag|sage) die ganze serie ab'],
    },
    shown: SHOWN,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}', series: true },
      },
    ],
  },
]
