/**
 * Runs of one look each as messages of Slack: a section of `mrkdwn` each, cut where it reads well and never longer than Slack takes,
 * with its three control characters escaped, so that no text of ours becomes a link, a mention or a command there. Pure. Called by
 * sender.ts.
 */
import { cutAfter, type Run, type Style } from '../runtime/runs.ts'

/** UTF-16 units of a section's text; Slack refuses a longer one. */
export const MAX_SECTION = 3_000
/** UTF-16 units that a message begins with: its marks and escapes come on top. */
const USUAL = 2_800

export interface SlackText {
  readonly type: 'mrkdwn' | 'plain_text'
  readonly text: string
  /** Addresses, names and mentions stay text. */
  readonly verbatim?: true
  readonly emoji?: false
}

export interface SlackPart {
  readonly shown: SlackText
  /** The same words for a notification, which shows no block. */
  readonly plain: string
}

/** An answer: its marks may be shown. */
export function markedParts(runs: readonly Run[]): readonly SlackPart[] {
  return partsOf(runs, (piece) => ({ type: 'mrkdwn', text: mrkdwn(piece), verbatim: true }))
}

/** A question or a notice: exact bytes, and nothing in it is a mark. */
export function exactParts(text: string): readonly SlackPart[] {
  return partsOf([{ text, styles: [] }], (piece) => ({
    ...{ type: 'plain_text', text: escaped(wordsOf(piece)), emoji: false },
  }))
}

/** As Slack asks for it: these three and no others. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

type Show = (piece: readonly Run[]) => SlackText

function partsOf(runs: readonly Run[], show: Show): readonly SlackPart[] {
  const whole = wordsOf(runs)
  const parts: SlackPart[] = []
  for (let at = 0; at < whole.length; ) {
    const { end, shown } = fitting(runs, whole, at, show)
    const plain = whole.slice(at, end).trim()
    if (plain !== '') parts.push({ shown, plain: escaped(plain) })
    at = end
  }
  return parts
}

/** Escapes make a text up to five times as long: a piece that comes out too long is cut anew at half of it. */
function fitting(
  runs: readonly Run[],
  whole: string,
  from: number,
  show: Show,
): { readonly end: number; readonly shown: SlackText } {
  for (let most = USUAL; ; most = Math.floor(most / 2)) {
    const end = cutAfter(whole, from, most)
    const shown = show(sliced(runs, whole, from, end))
    if (shown.text.length <= MAX_SECTION) return { end, shown }
  }
}

/** Without white space at its ends. */
function sliced(runs: readonly Run[], whole: string, from: number, to: number): readonly Run[] {
  const raw = whole.slice(from, to)
  const start = from + raw.length - raw.trimStart().length
  const end = start + raw.trim().length
  const pieces: Run[] = []
  let at = 0
  for (const run of runs) {
    const text = run.text.slice(Math.max(start - at, 0), Math.max(end - at, 0))
    if (text !== '') pieces.push({ ...run, text })
    at += run.text.length
  }
  return pieces
}

function wordsOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('')
}

const MARKS: Partial<Readonly<Record<Style, string>>> = { bold: '*', italic: '_', strikethrough: '~' }

function mrkdwn(runs: readonly Run[]): string {
  return runs.map((run, index) => marked(run, runs[index - 1])).join('')
}

function marked({ text, styles }: Run, before: Run | undefined): string {
  const words = escaped(text)
  if (styles.includes('pre')) return `\`\`\`\n${words}\n\`\`\``
  const looks = styles.includes('code') ? `\`${words}\`` : emphasised(words, styles)
  if (!styles.includes('blockquote')) return looks
  // A quotation's lines each begin with its mark; what goes on in one has it already.
  const goesOn = before?.styles.includes('blockquote') === true && !before.text.endsWith('\n')
  return goesOn ? looks : `>${looks}`
}

/** A mark counts only where no white space is inside of it, and never over the end of a line. */
function emphasised(words: string, styles: readonly Style[]): string {
  const marks = styles.flatMap((style) => MARKS[style] ?? [])
  if (marks.length === 0 || words.trim() !== words || words.includes('\n')) return words
  return `${marks.join('')}${words}${marks.toReversed().join('')}`
}
