/**
 * Claims of things done (C-25): a sentence in which the assistant says that it sent, booked or deleted something stands
 * only if a write of that kind ran. Otherwise a plain sentence stands in its place. Judges the assistant's own voice: a
 * quotation and a draft are somebody else's. English and German; other languages are not read. Pure; called by unit.ts.
 */

import { isQuotation, type Others, sentencesOf } from './sentences.ts'
import { replaceSpans, type Span } from './spans.ts'

/** Stands in place of a claim that nothing bears out. */
export const NOT_DONE = '(I left out a claim here: no such step was carried out.)'

/** Kinds of writes, by the verb that an action's id ends with. */
type Kind = 'send' | 'make' | 'remove' | 'change' | 'keep' | 'spend'

const ACTIONS: readonly (readonly [RegExp, Kind])[] = Object.freeze([
  [/^(?:send|reply|forward|post|publish|comment|notify|submit|invite|respond|call)/, 'send'],
  [/^(?:create|add|book|insert|new|schedule|make|append|upload|open)/, 'make'],
  [/^(?:delete|remove|cancel|archive|trash|close|clear|unsubscribe|drop)/, 'remove'],
  [/^(?:update|edit|move|rename|set|mark|merge|change|reschedule|patch|accept|decline)/, 'change'],
  [/^(?:save|store|remember|keep|write)/, 'keep'],
  [/^(?:pay|buy|order|purchase|transfer)/, 'spend'],
] as const)

/** Verbs that always reach outside. */
const ALWAYS: Readonly<Record<Kind, string>> = Object.freeze({
  send: 'sent|e-?mailed|mailed|replied|forwarded|texted|messaged|posted|published|notified|submitted|invited|phoned|called',
  make: 'booked|scheduled|reserved|uploaded|ordered',
  remove: 'cancell?ed|deleted|archived|unsubscribed|erased',
  change: 'rescheduled|postponed|renamed|accepted|declined',
  keep: 'memori[sz]ed',
  spend: 'paid|bought|purchased|ordered|transferred|refunded',
})
/** Verbs that do so when they have such an object: "I added up the numbers" is no claim. Some say more than one thing. */
const WITH_OBJECT: readonly (readonly [string, readonly Kind[]])[] = Object.freeze([
  ['shared|answered|delivered|responded', ['send']],
  ['created|made|set up|opened', ['make']],
  ['added|put|filed', ['make', 'keep', 'change']],
  ['removed|cleared|closed|dropped', ['remove']],
  ['updated|changed|moved|edited|marked|set|modified|switched', ['change']],
  ['saved|stored|noted|recorded|wrote|written', ['keep', 'make', 'change']],
  ['settled', ['spend']],
] as const)
const OBJECT =
  /\b(?:calendar|event|meeting|appointment|invit\w+|e-?mails?|mails?|inbox|message|reminder|contact|file|folder|document|page|task|to-?do|issue|ticket|booking|reservation|order|payment|invoice|subscription|account|alarm|database|board|channel|repository|memory)\b/i

const ADVERBS =
  '(?:(?:just|already|now|also|successfully|gone ahead and|went ahead and|then|both|finally|since|even|all|duly) ){0,3}'
const ICH_HABE = '\\b(?:ich habe|habe ich|hab ich|ich hab)\\b'
const GERMAN: Readonly<Record<Kind, string>> = Object.freeze({
  send: 'gesendet|geschickt|verschickt|versendet|abgeschickt|weitergeleitet|beantwortet|geantwortet|eingeladen',
  make: 'gebucht|eingetragen|angelegt|erstellt|reserviert|hochgeladen',
  remove: 'gelöscht|storniert|abgesagt|entfernt',
  change: 'verschoben|geändert|umbenannt|zugesagt',
  keep: 'gemerkt|gespeichert|notiert',
  spend: 'bezahlt|bestellt|gekauft|überwiesen',
})

interface Claim {
  /** A write of any of these bears it out. */
  readonly kinds: readonly Kind[]
  readonly pattern: RegExp
  readonly needsObject: boolean
}

const KINDS: readonly Kind[] = ['send', 'make', 'remove', 'change', 'keep', 'spend']
const I_HAVE = "\\b(?:i|we)(?: have|['’]ve| did)? "
const CLAIMS: readonly Claim[] = [
  ...KINDS.map((kind) => claim([kind], `${I_HAVE}${ADVERBS}(?:${ALWAYS[kind]})\\b`, false)),
  ...WITH_OBJECT.map(([verbs, all]) => claim(all, `${I_HAVE}${ADVERBS}(?:${verbs})\\b`, true)),
  ...KINDS.map((kind) => claim([kind], `${ICH_HABE}[^.!?\\n]{0,160}?(?:${GERMAN[kind]})(?!\\p{L})`, false)),
]
/** Most sentences say nothing of who did what. */
const FIRST_PERSON = /(?<!\p{L})(?:i|we|ich)(?!\p{L})/iu

function claim(all: readonly Kind[], source: string, needsObject: boolean): Claim {
  return { kinds: all, pattern: new RegExp(source.replaceAll(' ', '\\s{1,3}'), 'giu'), needsObject }
}

/** Words right before that make a condition, a question or a negation of it. */
const NO_CLAIM =
  /\b(?:if|once|when|whenever|unless|until|before|after|whether|had|wenn|falls|sobald|ob|bevor|nachdem)\s+$/i
/** A line that hands over a text for the person to use as his own. */
const DRAFT =
  /\b(?:draft|suggest(?:ed|ion)|proposal|wording|version|translat\w+|reply|template|entwurf|vorschlag|übersetzung)\b[^\n]{0,120}:\s*$/im

export interface Doings {
  /** Ids of the writes that ran, such as `calendar.create_event`; asked for when something is claimed. */
  readonly done: () => readonly string[]
  readonly others: Others
}

/** `draft`: where a text begins that the person is to use as his own. */
export function removeClaims(text: string, { done, others }: Doings, draft: number): string {
  const spans: Span[] = []
  for (const span of sentencesOf(text)) {
    if (span.start >= draft) break
    if (!FIRST_PERSON.test(text.slice(span.start, span.end))) continue
    const claims = CLAIMS.filter((one) => isClaim(text, span, one, others))
    if (claims.length > 0 && !areBorneOut(claims, done())) spans.push(clauseOf(text, span))
  }
  return replaceSpans(text, spans, NOT_DONE)
}

function areBorneOut(claims: readonly Claim[], done: readonly string[]): boolean {
  const ran = done.flatMap(kindsOf)
  return claims.every(({ kinds }) => kinds.some((kind) => ran.includes(kind)))
}

/** Where a draft begins; `Infinity` where none does. */
export function draftStart(text: string): number {
  const intro = DRAFT.exec(text)
  return intro === null ? Number.POSITIVE_INFINITY : intro.index
}

function isClaim(text: string, span: Span, { pattern, needsObject }: Claim, others: Others): boolean {
  const sentence = text.slice(span.start, span.end)
  if (sentence.trimEnd().endsWith('?') || (needsObject && !OBJECT.test(sentence))) return false
  for (const { index } of sentence.matchAll(pattern)) {
    if (NO_CLAIM.test(sentence.slice(0, index)) || isQuotation(text, span.start + index)) continue
    const clause = /^[^"“”„«»\n]*/.exec(sentence.slice(index))?.[0] ?? ''
    if (!others.said(clause)) return true
  }
  return false
}

/** The sentence without the white space and the list mark around it. */
function clauseOf(text: string, { start, end }: Span): Span {
  const sentence = text.slice(start, end)
  const lead = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/.exec(sentence)?.[0].length ?? 0
  return { start: start + lead, end: start + sentence.trimEnd().length }
}

/** An action of a kind that is not known could be any. */
function kindsOf(action: string): readonly Kind[] {
  const verb = action.split('.').at(-1) ?? ''
  const found = ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, kind]) => kind)
  return found.length === 0 ? KINDS : found
}
