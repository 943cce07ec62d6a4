/** Phrases of questions about the owner's rooms and machines, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'
import { SPAN_PATTERN } from './span.ts'

/** Rooms and machines by the words that people have for them. Anything else is named together with the service. */
const ROOMS = [
  ...[
    "(?:bed|bath|living |dining |guest |kids'? |laundry |utility |sun|store)rooms?",
    'kitchen',
    'hallway',
    'hall',
  ],
  ...[
    'attic',
    'loft',
    'basement',
    'cellar',
    'garage',
    'nursery',
    'office',
    'study',
    'conservatory',
    'greenhouse',
  ],
  ...['balcony', 'terrace', 'patio', 'garden', 'pool', 'sauna', 'shed', 'house', 'upstairs', 'downstairs'],
  ...['(?:schlaf|wohn|bade|kinder|arbeits|gäste|ess)zimmer', 'bad', 'küche', 'flur', 'keller', 'dachboden'],
  ...['büro', 'wohnung', 'haus', 'balkon', 'terrasse', 'garten', 'wintergarten', 'gewächshaus', 'waschküche'],
]
const MACHINES = [
  ...[
    'washing machine',
    'washer',
    'dryer',
    'tumble dryer',
    'dishwasher',
    'oven',
    'fridge',
    'freezer',
    'boiler',
  ],
  ...['heating', 'radiator', 'thermostat', 'heat pump', 'fan', 'vacuum', 'robot vacuum', 'lights?', 'lamps?'],
  ...['windows?', 'doors?', 'front door', 'back door', 'garage door', 'gate', 'blinds?', 'shutters?', 'lock'],
  ...['plug', 'socket', 'sensor', 'skylight', 'aquarium', 'waschmaschine', 'trockner', 'spülmaschine'],
  ...['geschirrspüler', 'backofen', 'kühlschrank', 'heizung', 'thermostat', 'lichter', 'licht', 'lampen?'],
  ...[
    '(?:dach|keller|bade?|schlafzimmer|küchen)?fenster',
    '(?:haus|garagen|keller|balkon|terrassen)?tür',
    'tor',
  ],
  ...['rollladen', 'rollläden', 'wärmepumpe', 'steckdose', 'saugroboter'],
]
const NOUN = `(?:${[...ROOMS, ...MACHINES].join('|')})`
const ARTICLE = '(?:(?:the|my|our|der|die|das|den|dem|mein|meine|meinem|meiner|unser|unsere|unserem) )?'
const BEFORE = '(?:(?!(?:is|it|in|the|my|are|was|ist|es|im|war|noch|still)\\b)[^\\s?!.,;:]{2,20} ){0,2}'
const THING = `${ARTICLE}${BEFORE}${NOUN}(?: (?:${NOUN}|temperature|humidity|battery|temperatur|luftfeuchtigkeit)){0,2}`

function asked(action: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool: `homeassistant.${action}`, args }] as const
}

const OF = { of: '{thing}' }
const PAST = { ...OF, period: '{time}' }
const NAMED = '(Home Assistant|homeassistant)'

/** What is asked of all of a kind. */
const BY_STATE = [
  { kind: 'light', state: 'on', en: 'on', de: { things: '(Lichter|Lampen)', be: 'an' } },
  { kind: 'light', state: 'off', en: 'off', de: { things: '(Lichter|Lampen)', be: 'aus' } },
  { kind: 'window', state: 'open', en: 'open', de: { things: 'Fenster', be: '(offen|auf)' } },
  { kind: 'window', state: 'closed', en: '(closed|shut)', de: { things: 'Fenster', be: '(zu|geschlossen)' } },
  { kind: 'door', state: 'open', en: 'open', de: { things: 'Türen', be: '(offen|auf)' } },
  { kind: 'door', state: 'closed', en: '(closed|shut)', de: { things: 'Türen', be: '(zu|geschlossen)' } },
] as const

const ASKS_FOR =
  '(?:get|fetch|read|sync|update|pull|import|load|refresh|hol|hole|lies|lade|aktualisier|aktualisiere|synchronisiere)'
const GET = '(get|fetch|read in|pull|sync|update|import|load|refresh)'
/** What it measured of a body is asked for as health data, and by these words alone. */
const BODY_DATA =
  '(?:health|body|fitness|gesundheits|körper|fitness-?)-? ?(?:data|days|measurements|daten|werte)'

export const HOMEASSISTANT_PHRASES: Phrases = {
  matter: {
    name: 'health',
    mentions: `\\b${BODY_DATA}\\b.*\\bhome ?assistant\\b`,
    asks: `^${ASKS_FOR}(?![a-z]).*\\b${BODY_DATA}\\b.*\\bhome ?assistant\\b`,
    but: '\\b(?:e?mails?|inbox|calendar|meetings?|notes?|notion|files?|messages?|remind|reminders?|tasks?|issues?|search|web|page|termine?|kalender|nachrichten?)\\b',
  },
  shapes: {
    thing: { pattern: THING, example: 'the bedroom' },
    time: { pattern: SPAN_PATTERN, example: 'last night' },
    named: { pattern: '[^\\s?!.,;:]{2,20}(?: [^\\s?!.,;:]{1,20}){0,4}', example: 'greenhouse north' },
  },
  lists: {
    en: {
      now: words('now / right now / at the moment / currently'),
      warm: words('warm / cold / hot / cool'),
      be: words('on / off / open / closed / shut / locked / unlocked'),
      things: words('sensors / devices / entities / things'),
      show: words('show / show me / list / what are / tell me'),
    },
    de: {
      now: words('gerade / jetzt / im Moment / aktuell'),
      warm: words('warm / kalt / heiß / kühl'),
      be: words('an / aus / offen / auf / zu / geschlossen / abgeschlossen / verriegelt / geöffnet'),
      things: words('Sensoren / Geräte'),
      show: words('zeig / zeig mir / zeige / zeige mir / liste'),
    },
  },
  asks: [
    {
      says: {
        en: [
          `${GET} [my|the] [new|newest|latest] (health|body|fitness) (data|days|measurements) (from|of|in|out of) ${NAMED}`,
          `${GET} [my|the] ${NAMED} (health|body|fitness) (data|days|measurements)`,
        ],
        de: [
          `(hol|hole|lies|lade|aktualisiere|synchronisiere) [mir] [bitte] (meine|die) [neuen|neuesten] (Gesundheitsdaten|Körperdaten|Körperwerte|Fitnessdaten) (aus|von) ${NAMED} [ein]`,
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'homeassistant.fetch', args: {} }],
    },
    {
      says: {
        en: [
          'how <warm> is [it in|it inside] {thing} [<now>]',
          "(what is|what's|whats) the temperature (in|of) {thing} [<now>]",
        ],
        de: [
          'wie <warm> ist [es in|es im|es auf dem] {thing} [<now>]',
          '(welche|was für eine) Temperatur (hat|ist im|ist in) {thing} [<now>]',
        ],
      },
      plan: asked('state', { ...OF, kind: 'temperature' }),
    },
    {
      says: {
        en: [
          'how (humid|damp|dry) is [it in] {thing} [<now>]',
          "(what is|what's|whats) the humidity (in|of) {thing} [<now>]",
        ],
        de: [
          'wie (feucht|trocken) ist [es in|es im] {thing} [<now>]',
          'wie hoch ist die Luftfeuchtigkeit (in|im) {thing} [<now>]',
        ],
      },
      plan: asked('state', { ...OF, kind: 'humidity' }),
    },
    {
      says: {
        en: [
          'is {thing} (done|finished|still running|running|still going|through) [yet|already|<now>]',
          'has {thing} finished [yet|already]',
        ],
        de: ['ist {thing} [schon] (fertig|durch)', 'läuft {thing} [noch|schon|<now>]'],
      },
      plan: asked('state', { ...OF, kind: 'running' }),
    },
    {
      says: {
        en: [
          '(is|are) {thing} [still] <be> [<now>]',
          '(did I|have I) (leave|left) {thing} <be>',
          "(what is|what's|whats) the (state|status) of {thing} [<now>]",
        ],
        de: [
          '(ist|sind|steht) {thing} [noch|<now>] <be>',
          'habe ich {thing} (angelassen|offen gelassen|zugemacht)',
        ],
      },
      plan: asked('state', OF),
    },
    {
      says: {
        en: [
          `(what does|what is|show me|check) {named} [say] in ${NAMED}`,
          `${NAMED} (state|status) of {named}`,
        ],
        de: [`(was sagt|wie ist|zeig mir) {named} in ${NAMED}`],
      },
      plan: asked('state', { of: '{named}' }),
    },
    {
      says: {
        en: [
          '(was|were) {thing} <be> {time}',
          '(when|how long|how often) was {thing} <be> {time}',
          'did {thing} (run|open) {time}',
          'how was {thing} {time}',
        ],
        de: [
          '(war|waren|stand) {thing} {time} <be>',
          '(wann|wie lange|wie oft) war {thing} {time} <be>',
          'lief {thing} {time}',
        ],
      },
      plan: asked('history', PAST),
    },
    {
      says: {
        en: [
          'how <warm> (was|did) [it in|it get in] {thing} [get] {time}',
          "(what was|what's|whats) the [average|mean|lowest|highest|minimum|maximum] temperature (in|of) {thing} {time}",
        ],
        de: [
          'wie <warm> war [es in|es im|es auf dem] {thing} {time}',
          'wie <warm> war es {time} (in|im|auf dem) {thing}',
        ],
      },
      plan: asked('history', { ...PAST, kind: 'temperature' }),
    },
    {
      says: {
        en: [
          `<show> [my|the|all] [my] <things> in ${NAMED}`,
          `(what|which) <things> (are there|do I have) in ${NAMED}`,
        ],
        de: [
          `[<show>] [meine|alle|die] <things> in ${NAMED}`,
          `welche <things> (habe ich|gibt es) in ${NAMED}`,
        ],
      },
      plan: asked('list', {}),
    },
    {
      says: {
        en: ['<show> [the|my|all] <things> in {thing}', '(what|which) <things> (are there|are) in {thing}'],
        de: ['<show> [die|meine|alle] <things> (in|im) {thing}', 'welche <things> gibt es (in|im) {thing}'],
      },
      plan: asked('list', OF),
    },
    ...BY_STATE.map(({ kind, state, en, de }) => ({
      says: {
        en: [
          `(what|which) ${kind}s are [still|all] ${en}`,
          `are (any|any of the|all the|the) ${kind}s [still] ${en}`,
        ],
        de: [
          `welche ${de.things} sind [noch|alle] ${de.be}`,
          `sind [noch] (die|alle|irgendwelche) ${de.things} [noch] ${de.be}`,
        ],
      },
      plan: asked('list', { kind, state }),
    })),
  ],
}
