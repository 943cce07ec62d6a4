/**
 * The one sentence in which a mail asks something of its reader, in the sender's own words, by fixed rules for English and
 * German. Ignores quoted and forwarded text, and mail from lists or programs. Pure. Must not judge whether it deserves an answer.
 * Called by shape.ts and summaries.ts.
 */
import { ownWords, sentencesIn } from '../../../extractors/own-words.ts'
import type { JsonRecord } from '../../reading.ts'
import { headerOf, headersOf } from './mime.ts'

/** UTF-16 units of one sentence. */
export const MAX_ASKED = 300

/** Requests from one person to another. */
const ENGLISH =
  /\b(?:can|could|would|will) you\b|\b(?:please|kindly|pls)\b|\blet (?:me|us) know\b|\bget back to (?:me|us)\b|\brsvp\b|\b(?:I|we) (?:still )?(?:need|requir(?:e)|await|am waiting for|are waiting for|look forward to|am looking forward to|are looking forward to) (?:your|an answer|a reply|you to)\b|\b(?:awaiting|waiting (?:for|on)) (?:your|you)\b|\bI(?: would|['’]d) (?:like|appreciate|love) (?:it if you|you to|your)\b/i
const GERMAN =
  /(?<!\p{L})(?:kannst|könntest|würdest|magst|willst) (?:du|ihr)(?!\p{L})|(?<!\p{L})(?:könnt|könntet|würdet|mögt) ihr(?!\p{L})|(?<!\p{L})(?:können|könnten|würden|möchten) Sie(?!\p{L})|(?<!\p{L})bitte(?!\p{L})|(?<!\p{L})(?:gib|gebt|geben Sie|sag|sagt|sagen Sie) (?:mir|uns) .{0,30}Bescheid(?!\p{L})|(?<!\p{L})(?:melde dich|meldet euch|melden Sie sich)(?!\p{L})|(?<!\p{L})(?:um|auf) (?:eine|deine|ihre|eure) (?:kurze |baldige |schnelle )?(?:Rückmeldung|Antwort|Bestätigung|Zusage|Freigabe|Rückantwort|Stellungnahme)(?!\p{L})|(?<!\p{L})(?:brauche|benötige|bräuchte|brauchen|benötigen) .{0,60}(?:von dir|von Ihnen|von euch|deine|Ihre|eure)(?!\p{L})/iu
const QUESTION = /\?["'”’)\]]*$/

/** Polite phrases and requests to everybody, which need no answer. */
const POLITE = new RegExp(
  [
    String.raw`^(?:hi|hello|hey|hallo|liebe[rs]?)?[^?]{0,30}\b(?:how are (?:you|things)|how(?:['’]s| is) (?:it going|everything|life)|how have you been|how do you do|wie geht(?:['’]?s| es)|alles (?:gut|klar|ok))\b[^?]{0,25}\?`,
    String.raw`\b(?:any|more|further|have|got|with|haben|noch|weitere|weiteren|bei|für) (?:\p{L}+ )?(?:questions?|queries|fragen|rückfragen)\b`,
    String.raw`\bif you (?:have|need|require|want|would like|wish|no longer|received this|are not|did not|didn['’]t)\b|\b(?:falls|wenn) sie\b.{0,80}\b(?:haben|wünschen|nicht mehr)\b`,
    String.raw`\b(?:please|kindly|pls)[ ,]+(?:find|note|see|be (?:aware|advised|assured)|(?:do not|don['’]t) (?:reply|respond|hesitate|worry|answer)|ignore|disregard|excuse|forgive|accept (?:my|our)|enjoy|feel free)\b`,
    String.raw`(?<!\p{L})bitte[ ,]+(?:beachte|beachten|entschuldige|entschuldigen|entschuldigt|verzeih|(?:antworte|antworten|zögern|zögere)(?:n sie)? .{0,40}nicht|nicht antworten|sehr|schön|gern)(?!\p{L})`,
    String.raw`^(?:did you know|you know what|guess what|remember me|who knew|why not|wusstest du|wussten sie|really|right|ok|oder|nicht wahr|gell)\b[^?]{0,80}\?$`,
  ].join('|'),
  'iu',
)

const NO_PERSON =
  /^(?:no|do|donot|nicht|mailer)[-_.]?(?:not[-_.]?)?(?:reply|antworten|daemon)|^(?:bounces?|notifications?|newsletter)[@+._-]/i

/** Null if these rules find no request. `subject`: used if no sentence of the text contains one. */
export function askedIn({
  text,
  subject,
}: {
  readonly text: string
  readonly subject: string
}): string | null {
  const sentences = sentencesIn(ownWords(text, subject)).filter((sentence) => !POLITE.test(sentence))
  const isAsking = (sentence: string): boolean =>
    QUESTION.test(sentence) || ENGLISH.test(sentence) || GERMAN.test(sentence)
  const isOwnSubject = !/^\s*(?:re|aw|fwd?|wg)\s*:/i.test(subject) && !POLITE.test(subject)
  const found =
    sentences.find((sentence) => /\p{L}.*\s.*\p{L}/u.test(sentence) && isAsking(sentence)) ??
    (isOwnSubject && QUESTION.test(subject.trim()) ? subject.trim() : null)
  return found === null || found.length <= MAX_ASKED
    ? found
    : `${found.slice(0, MAX_ASKED - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Whether it was sent to a mailing list, by its headers. */
export function isMailing(payload: JsonRecord): boolean {
  return ['list-unsubscribe', 'list-id'].some((name) => headersOf(payload, name).length > 0)
}

/** Whether a list or a program sent it, by its headers and address: nobody waits for an answer. */
export function isOfNobody(payload: JsonRecord, from: string | undefined): boolean {
  const auto = headerOf(payload, 'auto-submitted').trim()
  return (
    isMailing(payload) ||
    /^(?:bulk|list|junk)\b/i.test(headerOf(payload, 'precedence').trim()) ||
    (auto !== '' && !/^no\b/i.test(auto)) ||
    NO_PERSON.test(from ?? '')
  )
}
