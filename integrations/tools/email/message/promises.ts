/**
 * What the owner said they would do, in mails that they sent: sentences of the first person about the future, in the owner's own words alone. What is quoted, sent on or put
 * in quotation marks is somebody else's. Fixed rules, English and German; pure. Must not judge whether it was kept. Called by run.ts and shape.ts.
 */
import { readDates } from '../../../dates/read.ts'
import type { Zone } from '../../../dates/zone.ts'

/** UTF-16 units of one sentence, and sentences of one mail. */
export const MAX_SENTENCE = 300
const MOST_OF_ONE = 10
/** UTF-16 units of a mail that are read. */
const MOST_READ = 20_000

export interface Promised {
  readonly sentence: string
  /** When, as the sentence says, from the day of the mail on; ISO. */
  readonly due?: string
}

/** Everything from here on is another mail, as programs put it below an answer. */
const OTHER_MAIL =
  /^\s*(?:-{2,}\s*(?:original message|ursprüngliche nachricht|originalnachricht|forwarded message|weitergeleitete nachricht)\b.*|begin forwarded message:|anfang der weitergeleiteten nachricht:|_{10,}|(?:\*?(?:from|von):\*?\s.+))\s*$/iu
/** `On Monday Bob wrote:`, over two lines at the most. */
const WROTE = /^\s*(?:on|am|le)\s.{5,200}(?:wrote|schrieb)(?:\s.{1,100})?:\s*$/iu
/** In any other language: a line that ends in a colon and holds an address in brackets, a whole date, or a year and a time. */
const LONGEST_MARK = 300
const COLON = /[:：]\s*$/u
const ADDRESS = /[<([][^\s<>()[\]@]{1,64}@[^\s<>()[\]]{1,255}[>)\]]/u
const DATE = /(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})(?!\d)/u
const YEAR = /(?<!\d)\d{4}(?!\d)/u
const TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/u
const SIGNATURE = /^-- ?$/

function namesMail(line: string): boolean {
  return ADDRESS.test(line) || DATE.test(line) || (YEAR.test(line) && TIME.test(line))
}

/** How many lines the mark of a quote has that begins here; 0 for none. */
function markAt(line: string, next: string): number {
  const two = `${line} ${next}`
  if (line.length > LONGEST_MARK) return 0
  if (WROTE.test(line) || (COLON.test(line) && namesMail(line))) return 1
  if (two.length > LONGEST_MARK || line.trim() === '' || line.trimStart().startsWith('>')) return 0
  // A sentence of the owner's before a mark is no part of it.
  const isBroken = !/[.!?]\s*$/.test(line) && namesMail(line) && COLON.test(next)
  return WROTE.test(two) || isBroken ? 2 : 0
}

/** Without quotes, and what stands below them; text between quoted lines stays. Empty for a mail that is sent on without a mark of where it begins. */
export function ownWords(text: string, subject: string): string {
  const lines = text.slice(0, MOST_READ).replaceAll('\r\n', '\n').split('\n')
  const own: string[] = []
  let hasMark = false
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const wrote = markAt(line, lines[at + 1] ?? '')
    if (wrote > 0) {
      hasMark = true
      const next = lines.slice(at + wrote).find((one) => one.trim() !== '') ?? ''
      if (!next.trimStart().startsWith('>')) break
      at += wrote - 1
      continue
    }
    if (OTHER_MAIL.test(line)) {
      hasMark = true
      break
    }
    if (SIGNATURE.test(line)) break
    if (/^\s*>/.test(line)) hasMark = true
    // A gap, so that words before and after a quote are no sentence together.
    own.push(/^\s*>/.test(line) ? '' : line)
  }
  const isSentOn = /^\s*(?:fwd?|wg|fw)\s*:/i.test(subject)
  return isSentOn && !hasMark ? '' : own.join('\n')
}

const QUOTED = /["“„«»”][^"“”„«»]{1,1000}["”“»«]/gu

/** What stands in quotation marks is left out. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replace(QUOTED, ' … ')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,2}[.)])\s)/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?])\s+(?=\p{Lu}|\p{N}|["(])/u))
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
}

const ENGLISH =
  /\b(?:I|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to| promise)\b|\bI can (?:have|send|get|give|bring|finish|do|call|let) .{0,80}\b(?:by|on|before|until|tomorrow|tonight|today|next|this)\b|\blet me get back to you\b|\byou(?:['’]ll| will) (?:have|get|receive|hear) .{0,80}\b(?:from me|by|on|before|tomorrow|tonight|next week)\b|^will do\b/i
/** Verbs that say in German what will be done, where a time or somebody to do it for stands beside them. */
const VERBS =
  'schicke?|sende|melde|rufe?|mache?|kümmere|kuemmere|bringe?|gebe?|erledige|liefere|überweise|ueberweise|bezahle|zahle|prüfe|pruefe|schaue?|komme|hole|besorge|buche|bestelle|schreibe|antworte|lasse|kläre|klaere|informiere|reiche|leite'
const GERMAN = new RegExp(
  '\\b(?:ich|wir) (?:werden?|verspreche[n]?|versichere[n]?)\\b|\\b(?:werden?|verspreche) (?:ich|wir)\\b|\\b(?:du|ihr|sie) (?:bekomm|krieg|erh[aä]l)\\p{L}* .{0,80}(?:von mir|bis|morgen|nächste|am )|' +
    `\\b(?:ich (?:${VERBS})|(?:${VERBS}) ich)\\b(?=.{0,120}\\b(?:dir|dich|ihnen|euch|mich|es|das|bis|morgen|heute|nächste|am|später)(?!\\p{L}))`,
  'iu',
)
/** What will be, and is no promise; what is asked, or depends on a question. */
const NONE =
  /\?$|\b(?:I|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to) (?:(?:\w+ )?(?:not(?! only)|never)|be (?:on (?:holiday|vacation|leave)|away|out of (?:the )?office|unavailable|late|back))\b|\b(?:I|we) (?:doubt|wonder|don['’]t know|am not sure|are not sure)\b|\b(?:if|whether|unless|in case) (?:I|we)(?:['’]ll| will)\b|\b(?:ich|wir) werden? (?:im urlaub|abwesend|verreist)\b|\bwerde ich (?:im urlaub|abwesend)\b/i

/** What will not be done, in German: the same clause says so. */
const NOT_IN_GERMAN = new RegExp(
  `\\b(?:(?:ich|wir) (?:werden?|${VERBS})|(?:werden?|${VERBS}) (?:ich|wir))(?!\\p{L})[^,;:]{0,80}?(?<!\\p{L})(?:nicht(?! nur)|nie|niemals|kein\\p{L}{0,2})(?!\\p{L})`,
  'iu',
)

/** `sent`: when the mail went, epoch milliseconds, from which its times count. */
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
