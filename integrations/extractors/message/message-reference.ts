/**
 * Recognises messages that only refer to a row that was shown: "the second one", "mail 5", "die von Tom",
 * "open the invoice one". Must not know what was shown, nor a tool. Called by message.ts and the rules
 * planner.
 */
import { type Phrases, shownThings } from '../../tools/phrase.ts'
import { coreAsTyped } from './message-intent.ts'

/** By its place in the list, from 1, or from the end below 0; or by words that stand in it. */
export interface Reference {
  readonly by: 'place' | 'words'
  readonly words: string
  /** What it is called. */
  readonly noun: string | null
  /** A word says that it is to be shown. */
  readonly shows: boolean
}

/** Pattern of the words for one of the things that the packages can show whole. */
export function nounsOf(packages: readonly Phrases[]): string {
  return shownThings(packages)
    .flatMap(({ opens, called }) => (opens === undefined ? [] : [called]))
    .join('|')
}

/** "Mail 5", which has the words of a request for mails, and is none. */
export function isNumbered(message: string, packages: readonly Phrases[]): boolean {
  if (!/\d/.test(message)) return false
  const nouns = nounsOf(packages)
  const found = nouns === '' ? null : referenceIn(message, nouns)
  return found?.by === 'place' && found.noun !== null && /\d$/.test(found.words)
}

/** UTF-16 units: a reference is short. */
const LONGEST = 100

const SHOW =
  '(?:(?:read|open|show|view|see|display|get|let me (?:see|read|have)|(?:and )?what about|how about|take|lies|lese|les|öffne|zeig|zeige|nimm|was ist mit|und)(?: (?:me|us|mir|uns|mal|bitte|out|up|jetzt|now))* )?'
const SHOWN_BY = /^(?:read|open|show|view|see|display|let me|lies|lese|les|öffne|zeig|zeige)(?!\p{L})/iu
const BEHIND = '(?: (?:vor|an|auf|out|aloud|please|bitte|now|jetzt|vorlesen|öffnen|lesen|zeigen|anzeigen))*'
const ENGLISH_PLACE =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|[1-9]\\d?(?:st|nd|rd|th)'
const GERMAN_PLACE = '(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt|letzt)e[nrms]?'
/** Of words that name a row: none that asks, joins, denies, tells a time or points elsewhere. */
const WORD =
  "(?!(?:and|und|or|oder|not|nicht|then|dann|but|aber|if|wenn|to|an|all|alle|every|it|this|that|with|for|is|are|was|ist|my|mein\\p{L}*|no|kein\\p{L}*|other|next|new|of|the|des)(?!\\p{L}))[\\p{L}\\p{N}@.&'’-]{2,40}"
const WORDS = `${WORD}(?: ${WORD}){0,3}?`
const OF = '(?:from|by|about|of|regarding|on|with|von|vom|von der|über|wegen|zum|zur|zu|mit)'

/** `nouns`: pattern of the words for one of the things that can be meant. */
function patternsOf(nouns: string): readonly (readonly [Reference['by'], RegExp])[] {
  const noun = `(?<noun>${nouns})`
  const full = (source: string): RegExp => new RegExp(`^${SHOW}(?:${source})${BEHIND}$`, 'iu')
  return [
    ['place', full(`(?:the )?(?<words>${ENGLISH_PLACE})(?: (?:one|${noun}))?`)],
    ['place', full(`(?:die|den|das|der) (?<words>${GERMAN_PLACE})(?: ${noun})?`)],
    [
      'place',
      full(
        `(?:(?:the |die |den |das |der )?${noun} )?(?<words>(?:number|no\\.?|nummer|nr\\.?) ?[1-9]\\d?|#[1-9]\\d?)`,
      ),
    ],
    ['place', full(`(?:the |die )?${noun} #?(?<words>[1-9]\\d?)`)],
    ['words', full(`(?:the|that) (?:one|${noun}) ${OF} (?:the |my |der |dem )?(?<words>${WORDS})`)],
    [
      'words',
      full(
        `(?:die|den|das|der) (?:${noun} )?(?:von|vom|über|wegen|zum|zur) (?:der |dem |den |die )?(?<words>${WORDS})`,
      ),
    ],
    ['words', full(`(?:the|that) (?<words>${WORDS}) (?:one|${noun})`)],
    ['words', full(`(?<words>${WORDS})['’]s? (?:one|${noun})`)],
    ['words', full(`(?<words>${WORD}s) ${noun}`)],
    ['words', full(`(?:die|den|das|der) (?<words>${WORD})-${noun}`)],
  ]
}

const made = new Map<string, ReturnType<typeof patternsOf>>()

/** Null for a message that says anything else besides. */
export function referenceIn(message: string, nouns: string): Reference | null {
  const said = coreAsTyped(message)
    .trim()
    .replace(/(?<![\s.!?])[\s.!?]+$/, '')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
  if (said === '' || said.length > LONGEST) return null
  const patterns = made.get(nouns) ?? patternsOf(nouns)
  made.set(nouns, patterns)
  for (const [by, pattern] of patterns) {
    const { words, noun } = pattern.exec(said)?.groups ?? {}
    if (words !== undefined) return { by, words, noun: noun ?? null, shows: SHOWN_BY.test(said) }
  }
  return null
}
