/**
 * Renders runs as Slack messages: one `mrkdwn` section each, split at good places within Slack's limit, with the three control
 * characters escaped, so that no text becomes a link, a mention or a command. Pure. Called by sender.ts.
 */
import { cutAfter, type Run, type Style } from '../runtime/markdown.ts'

/** Longest section text in UTF-16 units; Slack refuses a longer one. */
export const MAX_SECTION = 3_000
/** UTF-16 units of raw text per message, before marks and escapes are added. */
const USUAL = 2_800

export interface SlackText {
  readonly type: 'mrkdwn' | 'plain_text'
  readonly text: string
  /** Slack does not linkify addresses, names and mentions. */
  readonly verbatim?: true
  readonly emoji?: false
}

export interface SlackPart {
  readonly shown: SlackText
  /** The same text for notifications, which show no blocks. */
  readonly plain: string
}

/** Renders an answer, with its formatting. */
export function markedParts(runs: readonly Run[]): readonly SlackPart[] {
  return partsOf(runs, (piece) => ({ type: 'mrkdwn', text: mrkdwn(piece), verbatim: true }))
}

/** Renders a question or a notice: exact text, without formatting. */
export function exactParts(text: string): readonly SlackPart[] {
  return partsOf([{ text, styles: [] }], (piece) => ({
    ...{ type: 'plain_text', text: escaped(wordsOf(piece)), emoji: false },
  }))
}

/** Slack asks to escape these three characters and no others. */
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

/** Escapes make a text up to five times as long: a part that becomes too long is split again at half its length. */
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

/** A range of the runs, trimmed. */
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
  // Each line of a quotation begins with its mark; a continued line has it already.
  const goesOn = before?.styles.includes('blockquote') === true && !before.text.endsWith('\n')
  return goesOn ? looks : `>${looks}`
}

/** Slack accepts a mark only without white space inside, and never across a line break. */
function emphasised(words: string, styles: readonly Style[]): string {
  const marks = styles.flatMap((style) => MARKS[style] ?? [])
  if (marks.length === 0 || words.trim() !== words || words.includes('\n')) return words
  return `${marks.join('')}${words}${marks.toReversed().join('')}`
}
