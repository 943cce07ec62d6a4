/**
 * What the owner promised in sent mails: first-person sentences about the future in the owner's own words, without quoted or
 * forwarded text and quotations. Fixed rules for English and German; pure. Must not judge whether a promise was kept. Called by
 * summaries.ts.
 */
import { readDates } from '../../../dates/read.ts'
import type { Zone } from '../../../dates/zone.ts'
import { ownWords, sentencesIn } from '../../../extractors/own-words.ts'

/** UTF-16 units of one sentence, and maximum number of sentences of one mail. */
export const MAX_SENTENCE = 300
const MOST_OF_ONE = 10

export interface Promised {
  readonly sentence: string
  /** Due time in the sentence, relative to the day of the mail; ISO. */
  readonly due?: string
}

const ENGLISH =
  /\b(?:I|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to| promise)\b|\bI can (?:have|send|get|give|bring|finish|do|call|let) .{0,80}\b(?:by|on|before|until|tomorrow|tonight|today|next|this)\b|\blet me get back to you\b|\byou(?:['’]ll| will) (?:have|get|receive|hear) .{0,80}\b(?:from me|by|on|before|tomorrow|tonight|next week)\b|^will do\b/i
/** German verbs of intention, which count if a time or a person stands beside them. */
const VERBS =
  'schicke?|sende|melde|rufe?|mache?|kümmere|kuemmere|bringe?|gebe?|erledige|liefere|überweise|ueberweise|bezahle|zahle|prüfe|pruefe|schaue?|komme|hole|besorge|buche|bestelle|schreibe|antworte|lasse|kläre|klaere|informiere|reiche|leite'
const GERMAN = new RegExp(
  '\\b(?:ich|wir) (?:werden?|verspreche[n]?|versichere[n]?)\\b|\\b(?:werden?|verspreche) (?:ich|wir)\\b|\\b(?:du|ihr|sie) (?:bekomm|krieg|erh[aä]l)\\p{L}* .{0,80}(?:von mir|bis|morgen|nächste|am )|' +
    `\\b(?:ich (?:${VERBS})|(?:${VERBS}) ich)\\b(?=.{0,120}\\b(?:dir|dich|ihnen|euch|mich|es|das|bis|morgen|heute|nächste|am|später)(?!\\p{L}))`,
  'iu',
)
/** Statements about the future that are no promise, questions, and conditions. */
const NONE =
  /\?$|\b(?:I|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to) (?:(?:\w+ )?(?:not(?! only)|never)|be (?:on (?:holiday|vacation|leave)|away|out of (?:the )?office|unavailable|late|back))\b|\b(?:I|we) (?:doubt|wonder|don['’]t know|am not sure|are not sure)\b|\b(?:if|whether|unless|in case) (?:I|we)(?:['’]ll| will)\b|\b(?:ich|wir) werden? (?:im urlaub|abwesend|verreist)\b|\bwerde ich (?:im urlaub|abwesend)\b/i

/** German negations within the same clause. */
const NOT_IN_GERMAN = new RegExp(
  `\\b(?:(?:ich|wir) (?:werden?|${VERBS})|(?:werden?|${VERBS}) (?:ich|wir))(?!\\p{L})[^,;:]{0,80}?(?<!\\p{L})(?:nicht(?! nur)|nie|niemals|kein\\p{L}{0,2})(?!\\p{L})`,
  'iu',
)

/** `sent`: when the mail was sent, epoch milliseconds; its times are relative to it. */
export function promisesIn(
  { text, subject }: { readonly text: string; readonly subject: string },
  { sent, zone }: { readonly sent: number; readonly zone: Zone },
): readonly Promised[] {
  const found = sentencesIn(ownWords(text, subject)).filter(
    (sentence) =>
      (ENGLISH.test(sentence) || GERMAN.test(sentence)) &&
      !NONE.test(sentence) &&
      !NOT_IN_GERMAN.test(sentence),
  )
  return found.slice(0, MOST_OF_ONE).map((sentence) => {
    const { span } = readDates(sentence, { now: sent, zone })
    const isAhead = span !== null && span.from >= sent - DAY
    return { sentence: cut(sentence), ...(isAhead && { due: zone.iso(span.from) }) }
  })
}

const DAY = 86_400_000

function cut(sentence: string): string {
  if (sentence.length <= MAX_SENTENCE) return sentence
  return `${sentence.slice(0, MAX_SENTENCE - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
