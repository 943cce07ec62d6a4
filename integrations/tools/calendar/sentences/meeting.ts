/**
 * Sentences that ask when the owner could meet somebody, choose one of the proposed times, and book with guests. Guests are
 * contacts and typed addresses; each invitation needs an approval. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

const ONE_OF = '(?:one|time|slot|option|date|suggestion)'
const ORDINAL = 'first|second|third|fourth|fifth|sixth|seventh|eighth|last|[1-8](?:st|nd|rd|th)'
const GERMAN_ORDINAL = '(?:erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|letzte)[nrms]?'
/** One of the proposed times, by its position. */
export const PROPOSED = [
  `(?:the )?(?:${ORDINAL})(?: ${ONE_OF})?`,
  `(?:it|that|this)(?: ${ONE_OF})?|(?:number |option |nummer |#)?[1-8]`,
  `(?:den|die|das) ${GERMAN_ORDINAL}(?: (?:termin|zeit|vorschlag))?|(?:ihn|das)`,
].join('|')

const SHOWN = {
  ...{ lists: ['calendar.find_times'], list: 'times', first: 'first', unknown: 'which_time' },
  ...{ one: [], only: ['calendar.find_times'] },
} as const

function finding(more: { readonly [name: string]: string }) {
  return [
    { id: 's1', do: 'tool', tool: 'calendar.find_times', args: { attendees: '{whom}', ...more } },
  ] as const
}

function booking(title: string) {
  return [
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
      args: { title, from: '{one.from}', to: '{one.to}', attendees: '{one.guests}' },
    },
  ] as const
}

const WHEN = { from: '{when.from}', to: '{when.to}' }
const LASTING = { minutes: '{lasting.minutes}' }

const ENGLISH = [
  '(find|get|look for|suggest|propose) [me|us] [a|an|some] [time|slot|date|meeting] (with|for me and) {whom}',
  '(find|get|look for|suggest|propose) [me|us] [a|an|some] [free] (time|slot|date|times|slots) [to meet|to talk] [with|for] {whom}',
  'when (can|could|are|do) {whom} and (I|me) [free to] (meet|talk|speak|get together|have (a|our) (call|meeting))',
  'when (can|could) (I|we) (meet|see) [with] {whom} (and|with) (me|us)',
  'when (do|are) {whom} and (I|me) [both] (have time|free|available)',
]

const GERMAN = [
  'wann (können|könnten) {whom} und ich (uns treffen|uns sehen|sprechen|telefonieren)',
  'wann (können|könnten) wir uns mit {whom} treffen',
  '(finde|such|suche|schlag|schlage) [mir|uns] (eine zeit|einen termin|zeiten|termine) (mit|für mich und) {whom} [vor]',
]

const LASTING_ENGLISH = [
  '(find|get|look for|suggest|propose) [me|us] [a|some] [free] [time|slot|date|gap] [for|of] {lasting} [to meet|to talk] (with|for me and) {whom}',
  '(find|get|look for|suggest|propose) [me|us] [a|an|some] [time|slot|date] (with|for me and) {whom} for {lasting}',
  'when (can|could) {whom} and (I|me) (meet|talk|speak|get together) for {lasting}',
  'when (do|are) {whom} and (I|me) [both] (have time|free|available) for {lasting}',
]

const LASTING_GERMAN = [
  '(finde|such|suche) [mir|uns] {lasting} (mit|für mich und) {whom}',
  'wann (können|könnten) {whom} und ich uns (für|auf) {lasting} treffen',
  'wann (haben|hätten) {whom} und ich (zeit für|gemeinsam) {lasting} [zeit|frei]',
]

const GERMAN_TIMED = [
  'wann (können|könnten) {whom} und ich uns {when} (treffen|sehen)',
  'wann (können|könnten) {whom} und ich {when} (uns treffen|sprechen|telefonieren)',
  'wann (können|könnten) wir uns {when} mit {whom} treffen',
  '(finde|such|suche|schlag|schlage) [mir|uns] (eine zeit|einen termin|zeiten|termine) (mit|für mich und) {whom} {when} [vor]',
  '(finde|such|suche|schlag|schlage) [mir|uns] {when} (eine zeit|einen termin|zeiten|termine) (mit|für mich und) {whom} [vor]',
  'wann (haben|hätten|sind) {whom} und ich {when} [beide|gemeinsam] (zeit|frei)',
]

const LASTING_GERMAN_TIMED = [
  '(finde|such|suche) [mir|uns] {lasting} (mit|für mich und) {whom} {when}',
  '(finde|such|suche) [mir|uns] {when} {lasting} (mit|für mich und) {whom}',
  'wann (können|könnten) {whom} und ich uns {when} (für|auf) {lasting} treffen',
  'wann (haben|hätten) {whom} und ich {when} (zeit für|gemeinsam|zusammen) {lasting} [zeit|frei]',
  'wann (haben|hätten) {whom} und ich {when} {lasting} (zeit|frei|gemeinsam frei)',
  'wann (haben|hätten) wir {when} mit {whom} {lasting} zeit',
]

function withTime(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((one) => [`${one} {when}`, `{when} ${one}`])
}

export const MEETING: Phrases['asks'] = [
  {
    says: { en: withTime(LASTING_ENGLISH), de: LASTING_GERMAN_TIMED },
    plan: finding({ ...WHEN, ...LASTING }),
  },
  { says: { en: LASTING_ENGLISH, de: LASTING_GERMAN }, plan: finding(LASTING) },
  { says: { en: withTime(ENGLISH), de: GERMAN_TIMED }, plan: finding(WHEN) },
  { says: { en: ENGLISH, de: GERMAN }, plan: finding({}) },
  {
    says: {
      en: [
        '(book|take|schedule|reserve) {thing} [slot|time] (as|for|called) [a|an|the] {what}',
        'book {what} (at|for|in) {thing}',
      ],
      de: ['(buche|buch|nimm) {thing} (als|für) [die|den|das|eine|einen|ein] {what}'],
    },
    shown: SHOWN,
    plan: booking('{what}'),
  },
  {
    says: {
      en: ['(book|take|schedule|reserve) {thing} [then|please]', 'make it {thing}', 'let us take {thing}'],
    },
    shown: SHOWN,
    plan: booking('Meeting'),
  },
  {
    says: { de: ['(buche|buch|nimm) {thing} [bitte]', 'wir nehmen {thing}'] },
    shown: SHOWN,
    plan: booking('Besprechung'),
  },
  {
    says: {
      en: ['{thing} [is fine|is good|works|suits me|sounds good|it is]'],
      de: ['{thing} [passt|passt gut|ist gut|bitte|nehme ich|nehmen wir]'],
    },
    // Without a verb, the words may refer to anything.
    shown: { ...SHOWN, unknown: 'not_understood' },
    plan: booking('Meeting'),
  },
  {
    says: {
      en: [
        '(book|schedule|add|set up|make|create|plan|arrange) [a|an|the|my] {what} {when} and invite {whom}',
        '(book|schedule|add|set up|make|create|plan|arrange) [a|an|the|my] {what} {when} inviting {whom}',
        '(invite|bring) {whom} to (a|an|another) [new] {what} {when}',
      ],
      de: [
        '(buche|plane|plan|erstelle) [mir] [ein|eine|einen|den|die|das] {what} {when} und lad {whom} ein',
        '(buche|plane|plan|erstelle) [mir] [ein|eine|einen|den|die|das] {what} {when} und lade {whom} ein',
        'lade {whom} zu (einem|einer|dem|der) {what} {when} ein',
        '(trag|trage) [mir] [ein|eine|einen|den|die|das] {what} {when} ein und lade {whom} ein',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
        args: { title: '{what}', ...WHEN, attendees: '{whom}' },
      },
    ],
  },
]
