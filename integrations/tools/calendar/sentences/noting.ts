/**
 * Sentences that ask for an event's note, attendees and place, and that add to its note. The event is named by words of its
 * title, as the next one of a series, or as the one just shown. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './guests.ts'

const WHEN = { from: '{when.from}', to: '{when.to}' }

function reading(when: { readonly [name: string]: string }) {
  return [
    { id: 's1', do: 'tool', tool: 'calendar.list_events', args: when },
    { id: 's2', do: 'select', from: 's1.events', matching: '{thing_at}', take: 'first' },
    {
      ...{ id: 's3', do: 'tool', tool: 'calendar.read_event' },
      args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' } },
    },
  ] as const
}

function adding(when: { readonly [name: string]: string }) {
  return [
    { id: 's1', do: 'tool', tool: 'calendar.list_events', args: when },
    { id: 's2', do: 'select', from: 's1.events', matching: '{thing_at}', take: 'one' },
    {
      ...{ id: 's3', do: 'tool', tool: 'calendar.update_event' },
      args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, note: '{topic}' },
    },
  ] as const
}

const OF = '(on|for|of|in|at|about|to) [the|my|our]'
const NOTE = '(note|notes|description|details)'
const KIND = '[meeting|appointment|event|call]'
const ZU = '(zum|zur|zu|beim|bei|vom|von|für|im) [der|dem|den|meinem|meiner|unserem|unserer]'

const ASKS_ENGLISH = [
  `(what is|what's|whats|what are|show me|read me|read|give me) the ${NOTE} ${OF} {thing_at} ${KIND}`,
  `(what does|what do) the ${NOTE} ${OF} {thing_at} ${KIND} say`,
  `(what is|what's|whats|what does it say) in the ${NOTE} ${OF} {thing_at} ${KIND}`,
  `(is there|are there|do i have) (a|any) ${NOTE} ${OF} {thing_at} ${KIND}`,
  `any ${NOTE} ${OF} {thing_at} ${KIND}`,
  `(who|who's|whos) (comes|coming|is coming|is going|going|invited|is invited|did i invite|have i invited|will come|will be) [all] (to|at|in) [the|my|our] {thing_at} ${KIND}`,
  `(who|who's|whos) (attends|attending|is attending|joins|joining|is joining) [the|my|our] {thing_at} ${KIND}`,
  `who (has accepted|accepted|has declined|declined|has answered|answered) [the|my|our] {thing_at} (meeting|invitation|invite|event)`,
  `where is [the|my|our] {thing_at} ${KIND} (held|taking place)`,
  `(what is|what's|whats) the (place|location|address) (of|for) [the|my|our] {thing_at} ${KIND}`,
]
const ASKS_GERMAN = [
  `(was ist|welche|zeig mir|zeige mir|lies mir|lies) [die] (notiz|notizen|beschreibung) ${ZU} {thing_at} [vor]`,
  `was steht (in|bei) [der] (notiz|notizen|beschreibung) ${ZU} {thing_at}`,
  `welche (notiz|notizen) (steht|stehen|hat|habe ich) ${ZU} {thing_at}`,
  `wer (kommt|ist eingeladen|ist|kommt alles|kommt denn) (zum|zur|beim|bei der|zu der|zu dem) {thing_at}`,
  `wer (hat) ${ZU} {thing_at} (zugesagt|abgesagt|geantwortet)`,
  'wo (findet) (der|die|das|mein|meine|unser|unsere) {thing_at} statt',
]
const ADD_ENGLISH = [
  `add [a|another|this] note to [the|my|our] {thing_at} ${KIND} : {topic}`,
  `add [a|another|this] note to [the|my|our] {thing_at} ${KIND} (saying|that says) {topic}`,
  `(put|write|make) [a|this] note (on|in|for) [the|my|our] {thing_at} ${KIND} : {topic}`,
  `add to the (note|notes|description) of [the|my|our] {thing_at} ${KIND} : {topic}`,
]
const ADD_GERMAN = [
  `(füg|füge|schreib|schreibe|setz|setze|mach|mache) [eine|die|diese] notiz ${ZU} {thing_at} : {topic}`,
  `(füg|füge) ${ZU} {thing_at} [eine|die|diese] notiz hinzu : {topic}`,
  '(füg|füge) (dem|der) {thing_at} [eine|die|diese] notiz hinzu : {topic}',
  `(schreib|schreibe|notier|notiere) ${ZU} {thing_at} : {topic}`,
]

/** Words by which an event is searched. */
export const THING_AT =
  "(?!(?:it|that|this|them|him|her|there|then|me|us|ihm|ihr|ihn|es|das|dem|dazu)(?![a-zäöüß]))[a-zäöüß\\d][a-zäöüß\\d' -]{1,40}?"

export const NOTING: Phrases['asks'] = [
  {
    says: {
      en: ASKS_ENGLISH.map((one) => `${one} {when}`),
      de: ASKS_GERMAN.map((one) => `${one} {when}`),
    },
    plan: reading(WHEN),
  },
  { says: { en: ASKS_ENGLISH, de: ASKS_GERMAN }, plan: reading({}) },
  { says: { en: ADD_ENGLISH, de: ADD_GERMAN }, plan: adding({}) },
  {
    says: {
      en: [
        'add [a|another|this] note to {event} : {topic}',
        'add [a|another|this] note to {event} (saying|that says) {topic}',
        'add to the (note|notes|description) of {event} : {topic}',
      ],
      de: [
        '(füg|füge|schreib|schreibe|setz|setze) [eine|die|diese] notiz (dazu|zu diesem termin|zu dem termin) : {topic}',
        '(schreib|schreibe|notier|notiere) dazu : {topic}',
      ],
    },
    shown: SHOWN,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.update_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}', note: '{topic}' },
      },
    ],
  },
  {
    says: {
      en: [
        "(what is|what's|whats|read|read me|show me) (its|the) (note|notes|description)",
        "(who|who's|whos) (comes|coming|is coming|invited|is invited|will be) [to|at] {event}",
        "(who|who's|whos) (is invited|is coming|coming) [there|then]",
      ],
      de: [
        '(was ist|lies|lies mir|zeig|zeig mir) (seine|die) (notiz|beschreibung) [vor]',
        'wer (kommt|ist eingeladen) (dazu|da)',
        'wer kommt da (hin|alles)',
      ],
    },
    shown: SHOWN,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.read_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}' },
      },
    ],
  },
]
