/**
 * Checks the clause of a claim against what is known of the deed: all particulars in it must occur there. Other clauses
 * of the sentence are not checked. English and German, by closed lists of words. Pure and linear; called by claims.ts.
 */
import { OBJECT } from './denials.ts'
import {
  countNamed,
  datesIn,
  dayNamed,
  dottedIn,
  folded,
  isKnown,
  type Known,
  timesIn,
  wordsOf,
} from './particulars.ts'
import type { Span } from './spans.ts'

/** A verb of a claimed action, with the rest of its sentence. */
export interface Claimed {
  readonly before: string
  readonly hit: string
  readonly after: string
  /** The object precedes the verb: "the meeting is booked". */
  readonly isPassive: boolean
  /** A message: its topic may be said in other words, but not its recipient. */
  readonly isSent: boolean
  /** What was stored may follow as a clause: "I noted that the code is 4711". */
  readonly isKept: boolean
}

/** Maximum UTF-16 units that are read on each side of the verb, so that a sentence without an end costs no more. */
const NEAR = 300

/** Beginning of another clause: a punctuation mark, a subordinate clause, or a conjunction with a subject of its own. */
const NEXT_CLAUSE =
  /[;!?()]|:(?!\d)|\s[–—-]\s|(?<!\p{L})(?:that|which|who|whom|whose|because|since|although|though|while|whereas|if|unless|once|when|where|before|after|so|dass|weil|da|damit|obwohl|während|wenn|falls|sobald|bevor|nachdem|denn|sodass)(?!\p{L})|,?\s(?:and|but|or|und|aber|oder)\s+(?:i|we|he|she|it|they|you|there|this|his|her|their|the|your|my|a|an|ich|wir|er|sie|es|du|das|der|die|dein\p{L}*|\p{L}+\s+(?:is|are|was|were|has|had|have|will|can|wants?|wrote|writes|says|said|ist|sind|hat|hatte|war|wird|will|kann|schreibt|sagt))(?!\p{L})|,\s*(?:der|die|das|den|dem)\s/iu

const NEXT_CLAUSES = new RegExp(NEXT_CLAUSE.source, 'giu')

export function isTrueOf(claimed: Claimed, known: Known): boolean {
  const { before, hit, after, isPassive, isKept } = claimed
  const front = before.slice(-NEAR)
  const lead = isPassive || INVERTED.test(hit) ? front.slice(lastClause(front)) : ''
  const rest = isKept ? after.slice(0, NEAR).replace(THAT, ' ') : after.slice(0, NEAR)
  const end = NEXT_CLAUSE.exec(rest)
  // Text before the verb belongs to the claim only for a passive or an inverted form: "the meeting is booked", "den Termin habe
  // ich gebucht".
  const text = `${lead}${hit}${rest.slice(0, end?.index ?? rest.length)}`
  const quotes = quotesIn(text)
  if (!quotes.every((quote) => wordsOf(quote).every((word) => known.words.has(word)))) return false
  if (!figuresAreTrue(text, known)) return false
  const tokens = tokensOf(text)
  const own = { start: lead.length, end: lead.length + hit.length }
  if (!namesAreTrue(tokens, { text, known, isGerman: GERMAN.test(text) })) return false
  return thingsAreTrue(tokens, { claimed, text, own, known })
}

const THAT = /^[,\s]*(?:that|dass)(?!\p{L})/iu
/** Verbs that are followed by the recipient. */
const TO_SOMEBODY = /(?:e-?mailed|texted|messaged|notified|invited|phoned)$/iu
/** Inverted German form: "Den Termin habe ich gebucht." */
const INVERTED = /^hab/iu

function lastClause(text: string): number {
  let at = text.lastIndexOf(',') + 1
  for (const { 0: mark, index } of text.matchAll(NEXT_CLAUSES))
    at = Math.max(at, /^,?\s/u.test(mark) ? index + 1 : index + mark.length)
  return at
}

const QUOTED = /["“„«‹]([^"“”„«»‹›\n]{1,200})["”“»›]/g

function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(([, quote = '']) => quote)
}

const ADDRESS = /[^\s<>(),;:"]+@[^\s<>(),;:"]+/g
/** Words before the time at which something ends. */
const UNTIL = /(?:\b(?:until|till|til|to|bis|through|ends? at)|[–-])\s*$/iu

function figuresAreTrue(text: string, known: Known): boolean {
  for (const [address] of text.matchAll(ADDRESS))
    if (!wordsOf(address).every((word) => known.words.has(word))) return false
  const bare = text.replace(ADDRESS, (address) => ' '.repeat(address.length))
  if (!dottedIn(bare).every((name) => known.words.has(name))) return false
  if (!datesIn(bare).every((date) => known.days.has(date))) return false
  const times = timesIn(bare)
  for (const { start, means } of times) {
    const from = means.some((at) => known.times.has(at))
    const until = UNTIL.test(bare.slice(0, start)) && means.some((at) => known.ends.has(at))
    if (!from && !until) return false
  }
  for (const { 0: run, index } of bare.matchAll(/\d+/g)) {
    const isTime = times.some(({ start, end }) => index >= start && index < end)
    if (!isTime && !known.numbers.has(String(Number(run)))) return false
  }
  for (const [word] of bare.matchAll(/\p{L}+/gu)) {
    const [day, count] = [dayNamed(word), countNamed(word)]
    if (day !== null && !known.days.has(day)) return false
    if (count !== null && !known.numbers.has(count)) return false
  }
  return true
}

interface Token extends Span {
  readonly word: string
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(/\p{L}+(?:['’]\p{L}+)?/gu)].map(({ 0: word, index }) => ({
    ...{ word, start: index, end: index + word.length },
  }))
}

/** Marks a German clause: none of these is an English word. */
const GERMAN =
  /(?<!\p{L})(?:ich|habe|hab|wurden?|ist|sind|und|mit|für|dein\p{L}*|eine?[mnrs]?|[ge]{2}\p{L}+t)(?!\p{L})/iu

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(folded))

const DETERMINERS = wordSet(
  'the a an your my our his her their its this that these those all both each every any some no der die das den dem des ein eine einen einem einer eines dein deine deinen deinem deiner deines mein meine meinen meinem meiner euer eure eurem euren unser unsere unseren diese dieser diesen diesem dieses alle allen beide beiden kein keine keinen am im zum zur vom beim ins ans',
)
const PRONOUNS = wordSet(
  'it that this them everything both all these those one you him her us me he she they i we es das sie ihn ihm ihr ihnen alles beide beides dies dir dich euch uns mir mich er du ich wir',
)
/** Generic names of things, and words without particulars. */
const GENERIC = wordSet(
  'mail mails email emails e message messages reply replies answer note notes text texts post copy draft invite invites slot entry entries item items list date time day week month year minute minutes hour hours noon midnight morning afternoon evening night order orders request requests question change changes thread conversation recipient recipients sender contact contacts address person people everyone all done ok okay pdf cc bcc id url am pm uhr stunde stunden minute minuten mittag mitternacht abend vormittag nachmittag nacht tag woche monat jahr antwort antworten nachrichten mails e-mail eintrag eintrage liste aufgabe aufgaben notiz notizen kopie entwurf empfanger absender adresse anfrage zeit datum frage bestellung erledigt fertig wunsch auftrag kurze',
)
const LOOSE = wordSet(
  'just already now also successfully then too finally duly right away immediately again together instead here there please as new old whole entire following same other next last coming requested wanted asked only short quick recurring repeating daily weekly monthly yearly for',
)

function isGeneric(word: string): boolean {
  const low = folded(word)
  return GENERIC.has(low) || OBJECT.test(word) || isTimeWord(word)
}

function isTimeWord(word: string): boolean {
  return dayNamed(word) !== null || countNamed(word) !== null
}

/**
 * Checks names, which begin with a capital letter. So does every German noun, but only
 * names stand without an article or an adjective.
 */
function namesAreTrue(
  tokens: readonly Token[],
  { text, known, isGerman }: { readonly text: string; readonly known: Known; readonly isGerman: boolean },
): boolean {
  return tokens.every(({ word, start }, at) => {
    if (at === 0 || !/^\p{Lu}/u.test(word) || /^(?:I|Sie|Ihnen|Ihr|Ihre[nmrs]?)(?!\p{L})/u.test(word))
      return true
    if (isGeneric(word) || /[.!?]\s*$/u.test(text.slice(0, start))) return true
    const previous = tokens[at - 1]
    const isCounted = /\d/.test(text.slice(previous?.end ?? 0, start))
    if (isGerman && previous !== undefined && (isCounted || isBeforeNoun(previous.word))) return true
    return isName(word, known)
  })
}

function isBeforeNoun(word: string): boolean {
  if (GERMAN_VERB.test(word)) return false
  return DETERMINERS.has(folded(word)) || countNamed(word) !== null || /^\p{Ll}{2,}e[nmrs]?$/u.test(word)
}

function isName(word: string, known: Known): boolean {
  const bare = folded(word.replace(/['’]s?$|['’]\p{L}$/u, ''))
  return known.words.has(bare) || (bare.endsWith('s') && known.words.has(bare.slice(0, -1)))
}

const TO = wordSet('to an zu zum zur ans')
/** Prepositions after a generic noun that say which one it is. */
const WHICH = wordSet(
  'to for about with called named titled an ans zum zur bei beim mit fur namens uber wegen',
)
const PREPOSITIONS = wordSet(
  'to for about with from at on in into by of under until till as an zu zum zur mit fur von vom bei beim auf aus in im ins um am uber unter bis nach vor namens wegen per ab called named titled and or but und oder aber then',
)

/**
 * Checks the object of the deed, its recipient and its further description: if one of
 * these has specific words, at least one of them must be known.
 */
function thingsAreTrue(
  tokens: readonly Token[],
  {
    claimed,
    text,
    own,
    known,
  }: { readonly claimed: Claimed; readonly text: string; readonly own: Span; readonly known: Known },
): boolean {
  const isGerman = GERMAN.test(text)
  const chunks = chunksOf(tokens, { text, own, claimed, isGerman })
  let isKind = false
  return chunks.every(({ by, words }) => {
    const kind = isKind
    isKind ||= words.some((word) => OBJECT.test(word))
    const [first] = words
    const judged =
      by === ''
        ? !claimed.isSent || TO_SOMEBODY.test(claimed.hit)
        : claimed.isSent
          ? TO.has(by)
          : kind && WHICH.has(by)
    if (!judged || (first !== undefined && PRONOUNS.has(folded(first)) && !DETERMINERS.has(folded(first))))
      return true
    const telling = words.filter((word) => tells(word, isGerman))
    return telling.length === 0 || telling.some((word) => wordsOf(word).some((part) => isKnown(part, known)))
  })
}

function tells(word: string, isGerman: boolean): boolean {
  const low = folded(word)
  if (isGeneric(word) || DETERMINERS.has(low) || PRONOUNS.has(low) || LOOSE.has(low)) return false
  return isGerman ? /^\p{Lu}/u.test(word) : !low.endsWith('ly')
}

interface Chunk {
  /** The preposition before it; empty for the object of the verb. */
  readonly by: string
  readonly words: readonly string[]
}

/** Runs of words between prepositions, commas and the verb. */
function chunksOf(
  tokens: readonly Token[],
  {
    text,
    own,
    claimed,
    isGerman,
  }: { readonly text: string; readonly own: Span; readonly claimed: Claimed; readonly isGerman: boolean },
): readonly Chunk[] {
  const chunks: { by: string; words: string[] }[] = []
  let chunk = { by: '', words: [] as string[] }
  const open = (by: string): void => {
    if (chunk.words.length > 0) chunks.push(chunk)
    chunk = { by, words: [] }
  }
  let last = 0
  for (const { word, start, end } of tokens) {
    const isInside = start >= own.start && end <= own.end
    const isBehind = start >= own.end
    const gap = text.slice(last, start)
    last = end
    // Skips the verb itself and, for an active English claim, everything before it.
    if (isInside && (!isGerman || end === own.end || GERMAN_VERB.test(word))) {
      open('')
      continue
    }
    if (!isInside && !isBehind && !claimed.isPassive && !isGerman) continue
    if (/[,.\d]/.test(gap)) open('-')
    const low = folded(word)
    if (isTimeWord(word)) open('-')
    else if (PREPOSITIONS.has(low)) open(low)
    else chunk.words.push(word)
  }
  open('')
  return chunks
}

/** In English the hit contains the subject and the verb; in German the object stands between them. */
const GERMAN_VERB = /^(?:ich|habe?|wurden?|ist|sind)$/iu

/** Minimum particulars, of the deed or of the request, that a sentence must contain to report the deed without a verb. */
const LEAST_MENTIONS = 2

/** Whether a sentence reports a deed by its particulars alone: "Lunch is on Friday at one, then". */
export function mentions(sentence: string, deed: Known, said: Known): boolean {
  const words = new Set(
    tokensOf(sentence)
      .map(({ word }) => word)
      .filter((word) => tells(word, false) && !PREPOSITIONS.has(folded(word)))
      .flatMap(wordsOf),
  )
  const own = [...words].filter((word) => deed.words.has(word)).length
  const times = timesIn(sentence).filter(({ means }) => means.some((at) => deed.times.has(at))).length
  const days = tokensOf(sentence).filter(({ word }) => deed.days.has(dayNamed(word) ?? '')).length
  const beside = [...words].filter((word) => !deed.words.has(word) && said.words.has(word)).length
  return own + times > 0 && own + times + days + beside >= LEAST_MENTIONS
}
