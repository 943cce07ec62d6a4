/**
 * Sentences that enter the appointment of a mail in the calendar: "put that in my calendar", "add the Tuesday one from Sarah's
 * mail to my diary". The mail is read again; its invitation, its data or its words give time and place; if it has several
 * appointments, the owner is asked. Always needs an approval. Data only. Called by from-mail.ts, at home.
 */
import type { Phrase, Phrases } from '../../phrase.ts'
import { words } from '../../phrase.ts'
import { NAMED_BY, THING } from './shown.ts'
import { ofShown as of, SHOWN, SHOWN_READ } from './shown-steps.ts'

const HAS = { when: { ref: 's1.appointments', is: 'not_empty' } } as const
/** Condition: code found no appointment in the mail. */
const ELSE = { when: { ref: 's1.appointments', is: 'empty' } } as const
const timeOf = (id: string, kind: 'date' | 'end', question: string) =>
  ({ id, do: 'extract', from: 's1.body', kind, question, ...ELSE }) as const
const ofOne = (field: string) => ({ $ref: `s2.${field}` })
const BOOKS = { do: 'tool', tool: 'calendar.create_event' } as const

/** `chosen`: the owner's words for one of several appointments. */
function asked(chosen: { readonly matching?: string } = {}) {
  return {
    // An invitation that was read counts as its mail.
    shown: { ...SHOWN, one: [...SHOWN.one, 'email.invitation'] },
    plan: [
      SHOWN_READ,
      { ...{ id: 's2', do: 'select', from: 's1.appointments', take: 'one' }, ...chosen, ...HAS },
      {
        ...{ id: 's3', ...BOOKS },
        args: {
          ...{ title: ofOne('title'), from: ofOne('from'), to: ofOne('to') },
          ...{ location: ofOne('place'), note: ofOne('note') },
        },
        ...HAS,
      },
      timeOf('s4', 'date', 'When is the appointment?'),
      timeOf('s5', 'end', 'When is the appointment, with its end?'),
      {
        ...{ id: 's6', ...BOOKS },
        args: { title: of('subject'), from: { $ref: 's4' }, to: { $ref: 's5' } },
        ...ELSE,
      },
    ],
  } as const satisfies Omit<Phrase, 'says'>
}

const ASK = asked()
const ASK_ONE = asked({ matching: '{chosen}' })

const MAIL = '(?:mail|e-mail|email|nachricht)'
/** "From the mail Sarah sent". */
const SENT = `(?:the|that) (?:mail|email|e-mail|message) (?:that )?${NAMED_BY} (?:sent|wrote)(?: me)?`
/** "Aus der Mail von Sarah", "aus Sarahs Mail". */
const IN_GERMAN = `(?:der|dieser|seiner|ihrer) ${MAIL}(?: (?:von|vom|über|wegen) (?:der |dem )?${NAMED_BY})?|(?!dieses|jenes|letztes)[a-zäöüß]{3,30}s ${MAIL}`

/** One of several, by its day or time as the mail writes it. */
const CHOSEN =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|\\d{1,2}(?::\\d{2})?(?: ?(?:am|pm|uhr)|st|nd|rd|th|\\.)?(?: [a-zä]{3,9})?)'

export const BOOKING: Phrases = {
  shapes: {
    chosen: { pattern: CHOSEN, example: 'Tuesday' },
    thing: { pattern: THING, example: 'it' },
    of_mail: { pattern: `(?:${THING}|${SENT}|${IN_GERMAN})`, example: 'it' },
  },
  lists: {
    en: {
      put: words(
        'put / add / enter / book / note / save / stick / pop / get / write / copy / schedule / pencil / log / jot / mark',
      ),
      appointment: words('appointment / meeting / date / time / event / booking / visit / call / details'),
      diary: words('calendar / diary / agenda / schedule'),
    },
    de: {
      put: words(
        'trag / trage / schreib / schreibe / setz / setze / pack / packe / nimm / mach / übernimm / übernehme / übernehm / notier / notiere / füg / füge',
      ),
      appointment: words(
        'termin / treffen / verabredung / besprechung / datum / zeit / veranstaltung / uhrzeit',
      ),
      to_put: words(
        'eintragen / übernehmen / aufnehmen / schreiben / setzen / packen / notieren / reinschreiben / einfügen',
      ),
      calendar: ['(in|im|zu) (den|meinen|meinem|unseren|dem) kalender', 'im kalender'],
    },
  },
  asks: [
    {
      ...ASK_ONE,
      says: {
        en: [
          '<put> (the|that) (one|<appointment>) (on|at|for) [the] {chosen} [down] (in|into|on|to|onto) (my|the|our) <diary>',
        ],
        de: [
          '<put> [mir] [bitte|mal] (den|die|das) [<appointment>] (am|um) {chosen} [bitte|mal] [<calendar>] (ein|rein|auf)',
          '(den|die|das) [<appointment>] (am|um) {chosen} [bitte|mal] <calendar> [bitte] [<to_put>]',
        ],
      },
    },
    {
      ...ASK,
      says: {
        en: [
          '<put> {thing} [down] (in|into|on|to|onto) (my|the|our) <diary>',
          '<put> (the|that|this|its) <appointment> [down] (in|into|on|to|onto) (my|the|our) <diary>',
          '<put> (the|that|this|its) <appointment> (from|in|of|out of) {of_mail} [down] (in|into|on|to|onto) (my|the|our) <diary>',
          '<put> (the|that|this|its) <appointment> [down] (in|into|on|to|onto) (my|the|our) <diary> (from|in|of|out of) {of_mail}',
          '<put> [down] (in|into|to|onto) (my|the|our) <diary>',
          '(make|create) (a|an) [calendar] (appointment|event|entry) (from|of|out of|for) {of_mail}',
          'mind (adding|putting|entering|noting) {of_mail} [down] (in|into|on|to|onto) (my|the|our) <diary>',
          '(make|turn) {of_mail} into (a|an) [calendar] (appointment|event|entry)',
        ],
        de: [
          '<put> [mir] [bitte|mal] {thing} [bitte|mal] <calendar> [ein|rein|auf|hinzu]',
          '<put> [mir] [bitte|mal] (den|diesen|das|die|diese) <appointment> [bitte|mal] [<calendar>] (ein|rein|auf)',
          '<put> [mir] [bitte|mal] (den|diesen|das|die|diese) <appointment> [bitte|mal] <calendar>',
          '<put> [mir] [bitte|mal] (den|diesen|das|die|diese) <appointment> (aus|von|in) {of_mail} [bitte|mal] [<calendar>] [ein|rein|auf|hinzu]',
          '{thing} [bitte|mal] <calendar> [bitte] [<to_put>]',
          '(den|diesen|das|die|diese) <appointment> [bitte|mal] <calendar> [bitte] [<to_put>]',
          '(den|diesen|das|die|diese) <appointment> (aus|von|in) {of_mail} [bitte|mal] [<calendar>] [bitte] <to_put>',
          '(mach|mache|erstell|erstelle) [mir] [bitte|mal] (daraus|hieraus) [bitte|mal] einen (termin|kalendereintrag)',
          '(mach|mache|erstell|erstelle) [mir] [bitte|mal] da [bitte|mal] einen (termin|kalendereintrag) draus',
        ],
      },
    },
  ],
}
