/**
 * The text that the writer of a mail wrote there, without quotations, forwarded text and signature, and its
 * sentences. Fixed rules over lines; pure. Must not judge the content. Called by the mail tool and
 * appointments.ts.
 */

/** UTF-16 units of a mail that are read. */
const MOST_READ = 20_000

/** Everything from here on is another mail, as programs put it below an answer. */
const OTHER_MAIL =
  /^\s*(?:-{2,}\s*(?:original message|ursprüngliche nachricht|originalnachricht|forwarded message|weitergeleitete nachricht)\b.*|begin forwarded message:|anfang der weitergeleiteten nachricht:|_{10,}|(?:\*?(?:from|von):\*?\s.+))\s*$/iu
/** `On Monday Bob wrote:`, over two lines at the most. */
const WROTE = /^\s*(?:on|am|le)\s.{5,200}(?:wrote|schrieb)(?:\s.{1,100})?:\s*$/iu
/**
 * In any other language: a line that ends in a colon and holds an address in brackets, a whole date, or a
 * year and a time.
 */
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

/**
 * Without quotes, and what stands below them; text between quoted lines stays. Empty for a mail that is sent
 * on without a mark of where it begins.
 */
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

/** "Am 3. Dezember" ends no sentence, and neither does a title or a street. */
const ENDS =
  /(?<=[.!?])(?<!(?<!\p{L})(?:Dr|Prof|Mr|Mrs|Ms|Hr|Fr|St|Nr)\.)(?<![Ss]tr\.)(?<!\d\.(?=\s+(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)))\s+(?=\p{Lu}|\p{N}|["(])/u

/** What stands in quotation marks is left out. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replace(QUOTED, ' … ')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,2}[.)])\s)/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(ENDS))
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
}
