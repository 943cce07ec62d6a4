/**
 * Plans a web search for a question about the world that does not say "search": who wrote something, what it
 * costs, when a public day is. Sent as typed, only if nothing else matches and nothing in it belongs to
 * somebody. Must not search for private things. Called by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { TWO, WRITES } from '../../extractors/learned/classes.ts'
import { type Likely, likelyOf } from '../../extractors/learned/likely.ts'
import { wordsOf } from '../../extractors/message/message-coverage.ts'
import { pointedIn } from '../../extractors/message/message-pointed.ts'
import { asksChange, namedWords } from '../../extractors/message/message-seek.ts'
import { TOOL_MANIFESTS } from '../../tools/registered.ts'
import { momentOf } from './several.ts'
import { call, steps } from './steps.ts'

const SEARCHES = 'web.search'
/** UTF-16 units: requests are short. */
const LONGEST = 180
/** Words that say of what it is. */
const LEAST_NAMED = 2
/** How likely it must be of the world; and where it is, how likely it may be of anything else. */
const LEAST = { one: 0.45, runs: 0.2, everyones: 0.12 } as const
/** The same, where it says "I". */
const SURE = 0.5
/** How much of another look's likelihood it must have. */
const AHEAD = 0.8
const MOST = { write: 0.3, two: 0.3, talk: 0.4, cannot: 0.3 } as const

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
const ASKS = new RegExp(
  `^(?:(?:hey|hi|hello|ok|okay|so|and|und|also|na|moin|servus|good (?:morning|evening)|morning|guten (?:morgen|abend|tag)|tell me|could you tell me|can you (?:check|see|find out|tell me)|weißt du|weisst du|sag mal|kannst du (?:mal )?(?:gucken|schauen|nachsehen))[ ,.!]+)*(?:what|whats|what['’]s|when|whens|when['’]s|where|wheres|where['’]s|which|who|whos|who['’]s|whose|how|hows|why|is (?:there|the|it|a|an)|are (?:there|the)|does|do|can|did|was|were|will|if|whether|wann|wo|wer|wie|wieviel|welche\\p{L}*|wieso|warum|was|ist|sind|hat|haben|hab|gibt|gibts|fährt|fahren|läuft|kann|darf|muss|ob|kommt)${E}`,
  'iu',
)
/** Somebody's own, or somebody who is known only to them. */
const OWN = new RegExp(
  `${B}(?:my|mine|our|ours|me|us|i|i['’]?m|i['’]?ve|ive|we|we['’]?re|we['’]?ve|he|she|they|him|them|mein\\p{L}*|unser\\p{L}*|mir|mich|uns|ich|wir|er|sie|ihr|ihm|ihnen|her|his|their|mrs|mr|ms|dr|frau|herr|seine?[rnms]?|ihre?[rnms]?|the (?:boys|girls|kids|children|lads|team|neighbours?)|die (?:kinder|jungs|mädels|nachbarn)|mum|mom|dad|mama|papa|mam|gran|nan|oma|opa|you|your|yourself|du|dir|dich|dein\\p{L}*)${E}`,
  'iu',
)
/** Anybody's: what one may or has to. */
const ANYONE = new RegExp(
  `${B}(?:do|can|should|must|may|would) i${E}|${B}(?:muss|kann|darf|soll|sollte|brauche?|krieg(?:e)?|bekomm(?:e)?|mach(?:e)?) ich${E}`,
  'iu',
)
/** Things in which the owner's own are found. */
const THINGS = new RegExp(
  `${B}(?:e-?mails?|mails?|inbox|messages?|letter|calendar|diary|schedule|agenda|meetings?|appointments?|reminders?|lists?|to-?dos?|tasks?|files?|folders?|pdf|docs?|documents?|notes?|page|attachment|invoices?|postfach|nachricht\\p{L}*|kalender|termin\\p{L}*|erinnerung\\p{L}*|\\p{L}*liste|aufgaben?|datei\\p{L}*|ordner|notiz\\p{L}*|rechnung|anhang|repo|issue|pr|prs|ci|channel|#\\S+|steps|slept|schlaf|geschlafen|schritte|puls|shift|shifts|schicht|dienst|jobs?|rota|booked|said|say|told|sent|wrote|gesagt|geschickt|geschrieben|gemeldet)${E}|#\\p{L}`,
  'iu',
)
/** Services that an account is needed for, by their names. */
const SERVICES: ReadonlySet<string> = new Set(
  TOOL_MANIFESTS.filter(({ credential }) => credential !== null).map(({ name }) => name),
)
export function namesService(text: string): boolean {
  return wordsOf(text).some((word) => SERVICES.has(word))
}

/** A name behind the first word, or a number. */
const NAMES = /\s\p{Lu}|\d/u
/** Of what is here, or was said. */
const HERE =
  /^(?:and|und|but|aber)(?!\p{L})|(?<!\p{L})(?:this (?:thing|one|app)|left to|owe|nochmal)(?!\p{L})/iu
/** Days and hours of everyone. */
const EVERYONES = new RegExp(
  `${B}(?:easter|thanksgiving|ramadan|eid|diwali|passover|hanukkah|holidays?|sunset|sunrise|clocks|solstice|ostern|pfingsten|\\p{L}*ferien|feiertag\\p{L}*|sonnenuntergang|sonnenaufgang|vollmond|full moon)${E}`,
  'iu',
)
/** What opens and runs for everyone, and may still be somebody's. */
const RUNS = new RegExp(
  `${B}(?:open|opens|closed?|closes|opening|trains?|bus|buses|tram|flights?|ferry|offen|geöffnet|zug|züge|bahn|s-bahn|fähre|flug|pünktlich|costs?|price|kostet|preis)${E}`,
  'iu',
)
/** Asked of another service, or reckoned. */
const ELSE =
  /(?<!\p{L})(?:weather|forecast|rain\p{L}*|snow\p{L}*|hot|cold|warm|outside|temperature|wetter|regn\p{L}*|regen|kalt|heiß|draußen|grams|how many|how much is \d+|spell|wie viele)(?!\p{L})/iu

/** The search; null for what may be of anything else. */
export function worldPlan(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request } = parts
  const text = request.trim()
  if (!offered.has(SEARCHES) || text.length > LONGEST || /[\n@]|https?:/.test(text)) return null
  if (
    !ASKS.test(text) ||
    asksChange(text) ||
    THINGS.test(text) ||
    namesService(text) ||
    HERE.test(text) ||
    ELSE.test(text) ||
    pointedIn(text) !== null
  )
    return null
  const likely = likelyOf(text, momentOf(parts))
  const [asked = text] = text.split(/(?<=\?)\s|,\s(?=(?:i|we|ich|wir|my|mein)(?!\p{L}))/iu)
  const own = likely.find(({ label }) => label === SEARCHES)?.score ?? 0
  if (OWN.test(asked) && !(ANYONE.test(asked) && own >= SURE)) return null
  const named = namedWords(asked).length
  // "When does the train leave" is of one train that is known.
  const isNamed = named > LEAST_NAMED || NAMES.test(asked)
  const least = isNamed && RUNS.test(asked) ? LEAST.runs : LEAST.one
  const isEveryones = isNamed && EVERYONES.test(asked)
  if (named < LEAST_NAMED || own < (isEveryones ? LEAST.everyones : least)) return null
  if (!isOfWorld(likely, own, isEveryones)) return null
  return steps(call('s1', SEARCHES, { words: text.replace(/[\s?!.]+$/u, '') }))
}

function isOfWorld(likely: readonly Likely[], own: number, isEveryones: boolean): boolean {
  return likely.every(({ label, score: one }) => {
    if (label === SEARCHES) return true
    if (label === TWO) return one < MOST.two
    if (label.startsWith('cannot')) return one < MOST.cannot
    if (/^(?:chat|nothing|thanks|greeting|help|else:negated)$/.test(label)) return one < MOST.talk
    if (WRITES.has(label.replace(/^else:/, '')) || /^else:(?:task|reminder)\./.test(label))
      return one < MOST.write
    return isEveryones || one * AHEAD <= own
  })
}
