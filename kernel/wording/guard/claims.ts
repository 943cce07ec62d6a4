/**
 * Claims of completed actions (C-25): a sentence that the assistant sent, booked or deleted something, or that this was done,
 * stays only if a write of that kind ran, with the particulars that it names (claimed.ts); otherwise a plain sentence replaces
 * it. Skips quotations and drafts, which are not the assistant's voice. English and German only. Pure; called by unit.ts.
 */
import { isTrueOf } from './claimed.ts'
import { deniesKind, isDenied, OBJECT } from './denials.ts'
import type { Known } from './particulars.ts'
import { isQuotation, type Others, sentencesOf } from './sentences.ts'
import { replaceSpans, type Span } from './spans.ts'

/** Replaces a claim of an action that did not run. */
export const NOT_DONE = '(I left out a claim here: no such step was carried out.)'
/** Replaces a denial of an action that did run. */
export const WAS_DONE = '(I left out a claim here: such a step was carried out.)'

/** Replaces a claim that differs from the record: another recipient, day, time, title or number. */
export const NOT_SO = '(I left out a claim here: the record of what was done does not bear it out.)'

/** Whether nothing but such replacements is left of an answer. */
export function isEmptied(text: string): boolean {
  const rest = [NOT_DONE, WAS_DONE, NOT_SO].reduce((left, mark) => left.replaceAll(mark, ''), text)
  return rest !== text && !/[\p{L}\p{N}]/u.test(rest)
}

/** Words directly before a claim that make it a condition, a question or a negation. */
const NO_CLAIM =
  /\b(?:if|once|when|whenever|unless|until|before|after|whether|had|wenn|falls|sobald|ob|bevor|nachdem)\s+$/i
/** Before a passive: words that attribute it to somebody else, or negate it. */
const NO_DEED =
  /(?<!\p{L})(?:says?|said|wrote|writes?|told|tells|reports?|reads|states?|according to|laut|steht|schreibt|sagt|heißt|no|none|nothing|never|neither|nichts|keine?n?)(?!\p{L})/iu
/** A line that introduces a text for the person to use as their own. */
const DRAFT =
  /\b(?:draft|suggest(?:ed|ion)|proposal|wording|version|translat\w+|reply|template|entwurf|vorschlag|übersetzung)\b[^\n]{0,120}:\s*$/im

interface Doings {
  /** Ids of the writes that ran, such as `calendar.create_event`. Read only if there is a claim. */
  readonly done: () => readonly string[]
  /** Ids of writes that did not run and that this answer must report. */
  readonly failed: () => readonly string[]
  readonly others: Others
  /** Whether the writer read anything besides this conversation. */
  readonly hasRead: boolean
  /** Whether the text occurs in anything that the writer read. */
  readonly isRead: (text: string) => boolean
  /** What is known of the writes of these actions; null without a record, so that a claim is judged by its kind alone. */
  readonly knownOf: (actions: readonly string[]) => Known | null
  /** The same for everything that was read, which may report actions of others. */
  readonly knownToAll: () => Known
  /** Whether a write of this action that ran had people in its arguments: adding somebody to an event invites them. */
  readonly hadPeople: (action: string) => boolean
}

/** `draft`: start of a text for the person to use as their own. */
export function removeClaims(text: string, doings: Doings, draft: number): string {
  const [unconfirmed, untrue, other]: [Span[], Span[], Span[]] = [[], [], []]
  for (const span of sentencesOf(text)) {
    if (span.start >= draft) break
    const sentence = text.slice(span.start, span.end)
    if (!DONE_VERB.test(sentence)) continue
    const isOwn = FIRST_PERSON.test(sentence)
    const own = isOwn ? CLAIMS.filter((one) => isClaim(text, span, one, doings)) : []
    const claims = [...own, ...PASSIVE_CLAIMS.filter((one) => isClaim(text, span, one, doings))]
    if (claims.length > 0 && !areBorneOut(claims, doings.done(), doings))
      unconfirmed.push(clauseOf(text, span))
    else if (isOwn && CLAIMS.some((one) => isFalseDenial(sentence, one, doings)))
      untrue.push(clauseOf(text, span))
    else if (isOtherwise(sentence, deedsIn(text, span, doings), doings)) other.push(clauseOf(text, span))
  }
  // From the end, so that the earlier positions stay valid.
  const found = [
    ...unconfirmed.map((span) => [span, NOT_DONE] as const),
    ...untrue.map((span) => [span, WAS_DONE] as const),
    ...other.map((span) => [span, NOT_SO] as const),
  ]
  return found
    .toSorted(([one], [other]) => other.start - one.start)
    .reduce((kept, [span, instead]) => replaceSpans(kept, [span], instead), text)
}

/** A claimed action in the assistant's own voice that the sentence does not deny. */
interface Deed extends Pick<Claim, 'kinds' | 'isPassive'> {
  readonly before: string
  readonly hit: string
  readonly after: string
}

function deedsIn(text: string, span: Span, { others }: Pick<Doings, 'others'>): readonly Deed[] {
  const sentence = text.slice(span.start, span.end)
  if (sentence.trimEnd().endsWith('?')) return []
  return [...CLAIMS, ...PASSIVE_CLAIMS, ...NOTED].flatMap(({ kinds, pattern, isPassive }) =>
    [...sentence.matchAll(pattern)].flatMap(({ 0: hit, index }) => {
      const around = { before: sentence.slice(0, index), hit, after: sentence.slice(index + hit.length) }
      const isNone =
        isDenied(around) ||
        NO_CLAIM.test(around.before) ||
        (isPassive && NO_DEED.test(around.before)) ||
        isQuotation(text, span.start + index) ||
        others.said(/^[^"“”„«»\n]*/.exec(sentence.slice(index))?.[0] ?? '')
      return isNone ? [] : [{ ...around, kinds, isPassive }]
    }),
  )
}

/** Maximum claims in one sentence that are judged: no honest sentence has more, and each takes time. */
const MOST_DEEDS = 16

function isOtherwise(sentence: string, deeds: readonly Deed[], doings: Doings): boolean {
  if (deeds.length > MOST_DEEDS && doings.knownOf([]) !== null) return true
  return deeds.some((deed) => !isAsDone(sentence, deed, doings))
}

/**
 * Whether the particulars of the claim match the writes of its kind that ran. If the
 * sentence has several verbs, the particulars may belong to any of them.
 */
function isAsDone(
  sentence: string,
  deed: Deed,
  { done, knownOf, knownToAll, hasRead, hadPeople }: Doings,
): boolean {
  const hasOneVerb = [...sentence.matchAll(DONE_VERBS)].length < 2
  const ran = done()
  if (!areBorneOut([deed], ran, { hadPeople })) return true
  const known = knownOf(hasOneVerb ? ran.filter((id) => areBorneOut([deed], [id], { hadPeople })) : ran)
  const claimed = {
    ...deed,
    isSent: deed.kinds.some((kind) => kind === 'send' || kind === 'invite'),
    isKept: deed.kinds.includes('keep'),
  }
  if (known === null || isTrueOf(claimed, known)) return true
  // "The invoice was paid on Monday" may report what somebody else wrote.
  return deed.isPassive && hasRead && isTrueOf(claimed, knownToAll())
}

/** Whether a sentence of this text reports, in the assistant's own voice, that a write of this action's kind ran. */
export function tellsOf(text: string, action: string): boolean {
  const kinds = kindsOf(action)
  return ownSentences(text).some((span) =>
    deedsIn(text, span, { others: { said: () => false } }).some((deed) =>
      deed.kinds.some((kind) => kinds.includes(kind)),
    ),
  )
}

/** Sentences outside a draft that the person is to use as their own. */
export function ownSentences(text: string): readonly Span[] {
  const draft = draftStart(text)
  return sentencesOf(text).filter(({ start }) => start < draft)
}

/** Whether a denial such as "I sent nothing" is false, because a write of that kind ran. */
function isFalseDenial(sentence: string, { kinds, pattern }: Claim, { done, hadPeople }: Doings): boolean {
  for (const { 0: hit, index } of sentence.matchAll(pattern))
    if (
      deniesKind(sentence.slice(index + hit.length), hit) &&
      areBorneOut([{ kinds }], done(), { hadPeople })
    )
      return true
  return false
}

function areBorneOut(
  claims: readonly Pick<Claim, 'kinds'>[],
  done: readonly string[],
  { hadPeople }: Pick<Doings, 'hadPeople'>,
): boolean {
  const ran = done.flatMap((id) => [...kindsOf(id), ...(hadPeople(id) ? (['invite'] as const) : [])])
  return claims.every(({ kinds }) => kinds.some((kind) => ran.includes(kind)))
}

/**
 * "The invoice was paid" may come from a mail. It counts as the assistant's own claim if such an action was requested and did
 * not happen, or if nothing was read that could say so.
 */
function isOwnDeed({ kinds }: Claim, verb: string | undefined, { failed, hasRead, isRead }: Doings): boolean {
  if (verb === undefined) return true
  if (
    failed()
      .flatMap(kindsOf)
      .some((kind) => kinds.includes(kind))
  )
    return true
  return !hasRead && !isRead(verb) && !isRead(verb.toLowerCase())
}

/** Start of a draft; `Infinity` if there is none. */
export function draftStart(text: string): number {
  const intro = DRAFT.exec(text)
  return intro === null ? Number.POSITIVE_INFINITY : intro.index
}

function isClaim(text: string, span: Span, claim: Claim, doings: Doings): boolean {
  const sentence = text.slice(span.start, span.end)
  if (sentence.trimEnd().endsWith('?')) return false
  if (claim.needsObject && !OBJECT.test(sentence.replace(SOURCE, ' '))) return false
  for (const { 0: hit, index, groups } of sentence.matchAll(claim.pattern)) {
    const around = { before: sentence.slice(0, index), hit, after: sentence.slice(index + hit.length) }
    if (isDenied(around)) continue
    if (NO_CLAIM.test(sentence.slice(0, index)) || isQuotation(text, span.start + index)) continue
    const clause = /^[^"“”„«»\n]*/.exec(sentence.slice(index))?.[0] ?? ''
    const verb = groups?.['verb']
    if (verb !== undefined && NO_DEED.test(sentence.slice(0, index))) continue
    if (!doings.others.said(clause) && isOwnDeed(claim, verb, doings)) return true
  }
  return false
}

/** The sentence without surrounding white space and list marks. */
function clauseOf(text: string, { start, end }: Span): Span {
  const sentence = text.slice(start, end)
  const lead = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/.exec(sentence)?.[0].length ?? 0
  return { start: start + lead, end: start + sentence.trimEnd().length }
}

/** An action of an unknown kind confirms any claim. */
function kindsOf(action: string): readonly Kind[] {
  const verb = action.split('.').at(-1) ?? ''
  const found = ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, kind]) => kind)
  return found.length === 0 ? KINDS : found
}

/** Kinds of writes, by the last part of an action's id. `word`: a model wrote a text, which changes nothing outside. */
type Kind = 'send' | 'invite' | 'make' | 'remove' | 'change' | 'keep' | 'spend' | 'word'

const ACTIONS: readonly (readonly [RegExp, Kind])[] = Object.freeze([
  [/^(?:send|reply|forward|post|publish|comment|notify|submit|invite|respond|call)/, 'send'],
  [/^(?:send|reply|forward|invite)/, 'invite'],
  [/^(?:create|add|book|insert|new|schedule|make|append|upload|open)/, 'make'],
  [/^(?:delete|remove|cancel|archive|trash|close|clear|unsubscribe|drop)/, 'remove'],
  [/^(?:update|edit|move|rename|set|mark|merge|change|reschedule|patch|accept|decline)/, 'change'],
  // Setting a reminder also makes and notes something; a message sent later also gets its time.
  [/^set|_later$/, 'make'],
  [/^set/, 'keep'],
  [/^(?:save|store|remember|keep|write)/, 'keep'],
  [/^(?:pay|buy|order|purchase|transfer)/, 'spend'],
  [/^compose/, 'word'],
] as const)

/** Verbs that always mean an outside effect. */
const ALWAYS: Readonly<Record<Exclude<Kind, 'word'>, string>> = Object.freeze({
  send: 'sent|e-?mailed|mailed|replied|forwarded|shared|texted|messaged|posted|published|notified|submitted|phoned|called',
  invite: 'invited',
  make: 'booked|scheduled|reserved|uploaded|ordered',
  remove: 'cancell?ed|deleted|archived|unsubscribed|erased',
  change: 'rescheduled|postponed|renamed|accepted|declined|approved|granted|authori[sz]ed|revoked',
  keep: 'memori[sz]ed',
  spend: 'paid|bought|purchased|ordered|transferred|refunded',
})
/** Verbs that mean one only with such an object: "I added up the numbers" is no claim. Some fit several kinds. */
const WITH_OBJECT: readonly (readonly [string, readonly Kind[]])[] = Object.freeze([
  ['answered|delivered|responded', ['send']],
  ['created|made|set up|opened', ['make']],
  ['added|put|filed', ['make', 'keep', 'change']],
  ['removed|cleared|closed|dropped', ['remove']],
  ['updated|changed|moved|edited|marked|set|modified|switched', ['change']],
  ['saved|stored|noted|recorded', ['keep', 'make', 'change']],
  ['wrote|written', ['keep', 'make', 'change', 'word']],
  ['settled', ['spend']],
] as const)

/** A source is not an object: "I wrote it from the four mails". */
const SOURCE = new RegExp(
  `(?<!\\p{L})(?:from|out of|based on|aus|anhand)\\s{1,3}(?:the|your|my|these|those|all|both|den|deinen|diesen|allen)\\s{1,3}(?:[\\p{L}\\p{N}]{1,20}\\s{1,3})?${OBJECT.source}`,
  'giu',
)

const ADVERBS =
  '(?:(?:just|already|now|also|successfully|gone ahead and|went ahead and|then|both|finally|since|even|all|duly) ){0,3}'
/** A dot inside an address, or after a day number, does not end a sentence. */
const WITHIN = '(?:[^.!?\\n]|\\.(?=[\\p{L}\\p{N}])|(?<=\\d)\\.)'
const ICH_HABE = '\\b(?:ich habe|habe ich|hab ich|ich hab)\\b'
const GERMAN: Readonly<Record<Exclude<Kind, 'word'>, string>> = Object.freeze({
  send: 'gesendet|geschickt|verschickt|versendet|abgeschickt|weitergeleitet|beantwortet|geantwortet',
  invite: 'eingeladen',
  make: 'gebucht|eingetragen|angelegt|erstellt|reserviert|hochgeladen',
  remove: 'gelöscht|storniert|abgesagt|entfernt',
  change: 'verschoben|geändert|umbenannt|zugesagt',
  keep: 'gemerkt|gespeichert|notiert',
  spend: 'bezahlt|bestellt|gekauft|überwiesen',
})

interface Claim {
  /** A write of any of these kinds confirms it. */
  readonly kinds: readonly Kind[]
  readonly pattern: RegExp
  readonly needsObject: boolean
  /** The claim names no actor. */
  readonly isPassive: boolean
}

const KINDS: readonly Exclude<Kind, 'word'>[] = [
  'send',
  'invite',
  'make',
  'remove',
  'change',
  'keep',
  'spend',
]
const I_HAVE = "\\b(?:i|we)(?: have|['’]ve| did)? "
const CLAIMS: readonly Claim[] = [
  ...KINDS.map((kind) => claim([kind], `${I_HAVE}${ADVERBS}(?:${ALWAYS[kind]})\\b`, false)),
  ...WITH_OBJECT.map(([verbs, all]) => claim(all, `${I_HAVE}${ADVERBS}(?:${verbs})\\b`, true)),
  ...KINDS.map((kind) => claim([kind], `${ICH_HABE}${WITHIN}{0,160}?(?:${GERMAN[kind]})(?!\\p{L})`, false)),
]
/** Quick check: most sentences have no first person. */
const FIRST_PERSON = /(?<!\p{L})(?:i|we|ich)(?!\p{L})/iu

/**
 * Passive forms name no actor, so they may report what others did; `verb` is the action. English, then German; then a sentence
 * that begins with it, such as "Sent." and "Meeting booked!".
 */
const PASSIVE = `\\b(?:(?:has|have) been|was|were|is|are|got) ${ADVERBS}`
const PASSIV = `(?<!\\p{L})(?:wurden?|ist|sind)(?!\\p{L})${WITHIN}{0,160}?`
const BARE = `^\\s*(?:[-*•] )?(?:done[,:;.!–-]{1,2} )?(?:${OBJECT.source} )?(?:successfully |just |now |erfolgreich )?`
const BARE_END = '(?=\\s*(?:[.!]|$)| (?:to|an|it|the|your|den|die|das) )'
const PASSIVE_CLAIMS: readonly Claim[] = [
  ...KINDS.map((kind) => claim([kind], `${PASSIVE}(?<verb>${ALWAYS[kind]})\\b`, true)),
  ...WITH_OBJECT.map(([verbs, all]) => claim(all, `${PASSIVE}(?<verb>${verbs})\\b`, true)),
  ...KINDS.map((kind) => claim([kind], `${PASSIV}(?<verb>${GERMAN[kind]})(?!\\p{L})`, true)),
  ...KINDS.map((kind) => claim([kind], `${BARE}(?<verb>${ALWAYS[kind]}|${GERMAN[kind]})${BARE_END}`, false)),
]
/** "Booked: lunch on Friday" counts as a note if something of this kind was done. */
const NOTED: readonly Claim[] = KINDS.map((kind) =>
  claim([kind], `${BARE}(?<verb>${ALWAYS[kind]}|${GERMAN[kind]})\\s?:`, false),
)
/** Quick check: most sentences contain none of these verbs. */
const DONE_VERB = new RegExp(
  `(?<!\\p{L})(?:${[...Object.values(ALWAYS), ...WITH_OBJECT.map(([verbs]) => verbs), ...Object.values(GERMAN)].join('|')})(?!\\p{L})`,
  'iu',
)

const DONE_VERBS = new RegExp(DONE_VERB.source, 'giu')

function claim(all: readonly Kind[], source: string, needsObject: boolean): Claim {
  const pattern = new RegExp(source.replaceAll(' ', '\\s{1,3}'), 'giu')
  return { kinds: all, pattern, needsObject, isPassive: source.includes('?<verb>') }
}
