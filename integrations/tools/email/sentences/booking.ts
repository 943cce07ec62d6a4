/**
 * How people have the appointment of a mail put in their calendar: "put that in my calendar", "add the meeting from Sarah's mail to my diary". The mail is read again; its
 * invitation says the times as data, else the words that say its one time are pointed at and code reads begin and end from them. The card always asks. Data only. Called by from-mail.ts, at home.
 */
import type { Phrase, Phrases } from '../../phrase.ts'
import { words } from '../../phrase.ts'
import { NAMED_BY, THING } from './shown.ts'
import { ofShown as of, SHOWN, SHOWN_READ } from './shown-steps.ts'

/** Where no invitation is there, or none that can be taken as it is. */
const ELSE = { when: { ref: 's3', is: 'skipped' } } as const
const timeOf = (id: string, kind: 'date' | 'end', question: string) =>
  ({ id, do: 'extract', from: 's1.body', kind, question, ...ELSE }) as const
const ofEvent = (field: string) => ({ $ref: `s2.events[0].${field}` })
const BOOKS = { do: 'tool', tool: 'calendar.create_event' } as const

/** By the invitation that came with it, which says its times as data; else by the time that it says in words. */
const ASK = {
  shown: SHOWN,
  plan: [
    SHOWN_READ,
    {
      ...{ id: 's2', do: 'tool', tool: 'email.invitation', args: { id: of('id') } },
      when: { ref: 's1.invites', is: 'true' },
    },
    {
      ...{ id: 's3', ...BOOKS },
      args: { title: ofEvent('title'), from: ofEvent('from'), to: ofEvent('to') },
      when: { ref: 's2.once', is: 'true' },
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

const MAIL = '(?:mail|e-mail|email|nachricht)'
/** "From the mail Sarah sent". */
const SENT = `(?:the|that) (?:mail|email|e-mail|message) (?:that )?${NAMED_BY} (?:sent|wrote)(?: me)?`
/** "Aus der Mail von Sarah", "aus Sarahs Mail". */
const IN_GERMAN = `(?:der|dieser|seiner|ihrer) ${MAIL}(?: (?:von|vom|über|wegen) (?:der |dem )?${NAMED_BY})?|(?!dieses|jenes|letztes)[a-zäöüß]{3,30}s ${MAIL}`

export const BOOKING: Phrases = {
  shapes: {
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
