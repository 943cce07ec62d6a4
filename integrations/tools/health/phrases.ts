/** Phrases of questions about the owner's health data, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrase, type Phrases, words } from '../phrase.ts'
import { MEASURE_PATTERN } from './measures.ts'
import { PERIOD_PATTERN } from './period.ts'

type Says = Phrase['says']

/** `@` stands for an optional period. */
function either(tool: string, args: { readonly [name: string]: string }, says: Says): readonly Phrase[] {
  const spoken = (period: string, all: Says): Says =>
    Object.fromEntries(
      Object.entries(all).map(([language, sentences]) => [
        language,
        sentences.map((one) => one.replace('@', period).replace(/ {2,}/g, ' ').trim()),
      ]),
    )
  const step = (given: object) => [{ id: 's1', do: 'tool', tool, args: { ...args, ...given } }] as const
  return [
    { says: spoken('{period}', says), plan: step({ period: '{period}' }) },
    { says: spoken('', says), plan: step({}) },
  ]
}

const OF = { of: '{measure}' }

export const HEALTH_PHRASES: Phrases = {
  matter: {
    name: 'health',
    mentions: `\\b(?:${MEASURE_PATTERN}|health|work(?:ed)?[ -]?outs?|exercised?|train(?:ed|ing)?|gesundheit|trainiert|sport|trainings)\\b`,
    asks: '^(?:how|what|when|which|did|do|does|is|am|are|was|were|has|have|show|compare|why|wie|wann|welche|hab|bin|ist|zeig)(?![a-z]).*\\b(?:i|my|me|ich|mein|meine|meinen|meinem)\\b.*\\b(?:health|sleep|slept|sleeping|steps|heart rate|pulse|hrv|weight|blood pressure|workouts?|schlaf|geschlafen|schritte|puls|gewicht|blutdruck|herzfrequenz)\\b',
    but: '\\b(?:e?mails?|inbox|calendar|meetings?|appointments?|notes?|notion|files?|messages?|remind|reminders?|tasks?|lists?|issues?|search|web|page|termine?|kalender|nachrichten?)\\b',
  },
  shapes: {
    measure: { pattern: MEASURE_PATTERN, example: 'steps' },
    period: { pattern: PERIOD_PATTERN, example: 'last week' },
  },
  lists: {
    en: {
      look: words('show / show me / tell me / give me / what is / what was / whats / what are / what were'),
      trained: words('work out / workout / exercise / train / do sport / do any sport / go to the gym'),
    },
    de: {
      look: words(
        'zeig / zeig mir / zeige mir / wie ist / wie war / wie sind / wie waren / was ist / was war',
      ),
    },
  },
  asks: [
    ...either(
      'health.measure',
      { of: 'steps' },
      {
        en: ['(did I|have I) (walk|walked|move|moved) (enough|much|far) @', 'how far did I walk @'],
        de: [
          '(bin|hab|habe) ich @ (genug|viel|weit) (gelaufen|gegangen|bewegt)',
          'bin ich (genug|viel) gelaufen @',
        ],
      },
    ),
    ...either('health.measure', OF, {
      en: [
        'how [long|well|much|far|many hours] did I {measure} @',
        'how (long|well|much|far|many hours) (have I|do I) {measure} @',
        'how (many|much) {measure} (did I|have I|do I) [do|take|walk|climb|burn|make|get|have|manage|manage to do|managed|taken|done|walked|burned|had|gone] @',
        "[<look>|what's] my [average|mean|latest|current|last|total] {measure} @",
        'how (is|was|high is|high was|low is|low was|good is|good was) my [average] {measure} @',
        'how much do I {measure} @',
        'did I {measure} [at all|well|enough|badly|ok|okay|properly] @',
        'how (bad|good|was|is) [was|is] my {measure} @',
        'how much {measure} (did I|have I) (get|got|have|had) @',
        'how (many|much) {measure} @',
        '{measure} @',
      ],
      de: [
        'wie [lange|gut|viel|weit] (habe|bin) ich @ {measure}',
        'wie viele {measure} (habe ich|hatte ich|waren es|bin ich) @ [gemacht|gelaufen|gegangen|verbrannt]',
        'wie viele {measure} (habe|hatte|bin) ich [gemacht|gelaufen|gegangen] @',
        '[<look>] (mein|meine|meinen) [durchschnittlicher|durchschnittliches|aktueller|aktuelles] {measure} @',
        'wie hoch (ist|war) (mein|meine) {measure} @',
        'wie viel {measure} ich @',
      ],
    }),
    ...either('health.change', OF, {
      en: [
        'how (has|have|did|does) my {measure} (changed|change|developed|develop) @',
        '(how|what) has my {measure} been [doing] @',
        'what my {measure} has been doing @',
        'whats my {measure} been doing @',
        'has my {measure} (changed|gone up|gone down|improved|risen|fallen|increased|decreased) @',
        'did my {measure} (change|go up|go down|improve|rise|fall|increase|decrease) @',
        '(did I|have I) (lose|gain|lost|gained|put on) [any|some] {measure} @',
        'how much {measure} (did I|have I) (lose|gain|lost|gained|put on) @',
      ],
      de: [
        'wie hat sich (mein|meine) {measure} @ (verändert|entwickelt)',
        'wie hat sich (mein|meine) {measure} (verändert|entwickelt) @',
        'hat sich (mein|meine) {measure} @ (verändert|verbessert|verschlechtert)',
      ],
    }),
    {
      says: {
        en: [
          '[<look>] the trend (of|in|for) my {measure}',
          '[<look>] my {measure} trend',
          'how is my {measure} trending',
          'is my {measure} (going up|going down|getting better|getting worse|improving|rising|falling|changing) [lately|at the moment]',
          'am I {measure} (better|worse|more|less|longer) [than before|than usual|lately|this week]',
        ],
        de: [
          'wie entwickelt sich (mein|meine) {measure} [gerade]',
          'wie ist der trend (bei meinem|meines|meiner|bei meiner) {measure}',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'health.trend', args: OF }],
    },
    ...either(
      'health.workouts',
      {},
      {
        en: [
          'did I <trained> @',
          '(how often|how many times|how much|when|what days) did I <trained> @',
          '(what|which|how many) workouts (did I do|have I done|did I have|were there) @',
          '[<look>] my (workouts|trainings|workout log) @',
          'have I (worked out|exercised|trained|been to the gym) @',
        ],
        de: [
          'habe ich @ (trainiert|sport gemacht|sport getrieben)',
          'wie oft habe ich @ (trainiert|sport gemacht)',
          '[<look>] meine trainings @',
        ],
      },
    ),
    ...either(
      'health.summary',
      {},
      {
        en: [
          '[<look>] my health [data|summary|report|numbers|stats] @',
          'how (is|was|were) my health [data|numbers] [doing] @',
          '[give me|show me] (a|the|my) summary of my health [data] @',
          'health (summary|report|data) @',
        ],
        de: ['[<look>] meine (gesundheit|gesundheitsdaten|gesundheitswerte) @'],
      },
    ),
  ],
}
