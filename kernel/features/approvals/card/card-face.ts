/**
 * How a card is shown: its short form, in which a long value ends in a count of the folded lines, and the pages of the full card.
 * Works on the text alone. Must not omit anything uncounted. Called by the files that send and list cards, and by the terminal.
 */

import { digestOf } from '../../../flow/digest.ts'
import { inEnglish } from '../../../wording/language.ts'
import { continues } from '../../../wording/visible.ts'
import { tell } from '../../../wording/words.ts'

/** Lines of one value shown before the card folds it: one screen. */
export const SHOWN_LINES = 8
/** Maximum UTF-16 units of one line before the card folds it; longer than any mail address. */
export const SHOWN_LINE = 400
/** Hex digits of the digest of folded text: two texts that differ only there look different. */
const DIGEST_DIGITS = 24

/**
 * The card as sent: a value of many lines, or a very long line, ends in a count of what is folded and a digest of it.
 * `id` and `number` request the full card; cards made before numbers existed have none.
 */
export function foldCard(card: string, id: string, number: number | null = null): string {
  const whole =
    number === null ? `pfar approvals show ${id}` : `/approvals ${number} (pfar approvals show ${number})`
  const shown: string[] = []
  let hidden: string[] = []
  let run = 0
  const flush = (): void => {
    if (hidden.length > 0) shown.push(foldLine(hidden, whole))
    hidden = []
  }
  for (const line of card.split('\n')) {
    run = continues(line) ? run + 1 : 0
    if (run >= SHOWN_LINES) hidden.push(line)
    else {
      flush()
      shown.push(cutLine(line, whole))
    }
  }
  flush()
  return shown.join('\n')
}

/** Maximum UTF-16 units of each line of a card's short form: two lines of a telephone at most. */
const BRIEF_LINE = 140

/**
 * A card in two lines, for a list of several cards: the action, and its arguments as far as they fit. It only identifies the
 * card; an approval covers the full card.
 */
export function briefCard(card: string): readonly [string, string] {
  const [head = '', ...lines] = card.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('  '))
  const given = end === -1 ? lines : lines.slice(0, end)
  return [cutBrief(askedIn(head)), cutBrief(oneLine(given.map(byName)))]
}

/** The first line without the question words that every card begins with, in the owner's language or in English. */
function askedIn(head: string): string {
  const asking = [
    tell('approvals.may_i', { what: '' }),
    inEnglish(() => tell('approvals.may_i', { what: '' })),
  ]
  const begun = asking.find((one) => head.startsWith(one))
  return begun === undefined ? head : head.slice(begun.length)
}

/** Shows a contact by name alone; the full card has the address. */
function byName(line: string): string {
  const [before = '', after = ''] = tell('approvals.a_contact', { name: MARK }).split(MARK)
  const known = /^(?<lead>\s*(?:[^:]{1,40}: |- )?)\S{1,254} ⟨(?<said>[^⟩]{1,200})⟩$/u.exec(line)?.groups
  const said = known?.['said'] ?? ''
  const isContact =
    said.startsWith(before) && said.endsWith(after) && said.length > before.length + after.length
  return isContact ? `${known?.['lead'] ?? ''}${said.slice(before.length, said.length - after.length)}` : line
}

/** Placeholder for a name in a sentence; it occurs in no text. */
const MARK = '\u0000'

/** Joins lines of a card into one; `to:` and the items below it form one piece. */
function oneLine(lines: readonly string[]): string {
  const pieces: string[] = []
  for (const line of lines) {
    const isMore = /^ {4}/.test(line) && pieces.length > 0
    const said = line.trim().replace(/^[-|] /, '')
    if (isMore) pieces.push(`${pieces.pop() ?? ''} ${said}`)
    else pieces.push(said)
  }
  return pieces.join(' · ')
}

function cutBrief(line: string): string {
  return line.length <= BRIEF_LINE
    ? line
    : `${line.slice(0, BRIEF_LINE).replace(/⟨[^⟩]*$|[\ud800-\udbff]$/, '')}…`
}

function foldLine(lines: readonly string[], whole: string): string {
  const text = lines.join('\n')
  const marks = lines.reduce((sum, line) => sum + line.indexOf('| ') + 2, 0)
  const count = text.length - marks - (lines.length - 1)
  const many =
    lines.length === 1 ? tell('approvals.more_line') : tell('approvals.more_lines', { lines: lines.length })
  const more = tell('approvals.more_characters', { many, count })
  return `    … ${more} ⟨${digestOf(text).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

/** An argument that is one web address of any valid length: the destination of a call is never shortened. */
const LINK = /^ {2}[^:]{1,60}: https?:\/\/\S{1,2048}$/

/** Never cuts inside an escape, whose second half would look like text. */
function cutLine(line: string, whole: string): string {
  if (line.length <= SHOWN_LINE || LINK.test(line)) return line
  const head = line.slice(0, SHOWN_LINE).replace(/⟨[^⟩]*$|[\ud800-\udbff]$/, '')
  const rest = line.slice(head.length)
  const more = tell('approvals.more_of_line', { count: rest.length })
  return `${head}\n    … ${more} ⟨${digestOf(rest).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

/** Maximum UTF-16 units of a page: fits one message of any channel with its surrounding text. */
export const PAGE_UNITS = 2_400
/** Maximum lines of a page: one screen. */
export const PAGE_LINES = 40
/** Targets of the button under a shortened card, and under its pages. */
export const TURNS = Object.freeze(['all', 'next', 'first'] as const)
export type Turn = (typeof TURNS)[number]

/** Label of the button. */
export function turnLabel(turn: Turn): string {
  return tell(`approvals.turn_${turn}`)
}

/** Prefix of a line continued from the previous page; no line of a card begins like this. */
export const GOES_ON = '    ↳ '

/** The names by which the full card is requested. */
export interface CardName {
  readonly name: string
  readonly number: number | null
}

/**
 * What is shown of a card: first its short form, or the first page when that is too long for one message; then each
 * page of the full card, then from the start. `page` counts from 1; 0 is the short form. `more`: what requests the
 * next page; null for a card shown in full.
 */
export function cardFace(
  card: string,
  page: number,
  { name, number }: CardName,
): { readonly text: string; readonly more: Turn | null } {
  const short = foldCard(card, name, number)
  if (page === 0 && short.length <= PAGE_UNITS) return { text: short, more: short === card ? null : 'all' }
  const [pages, at] = [pagesOf(card), Math.max(page, 1)]
  return { text: pageText(pages, at - 1), more: at < pages.length ? 'next' : 'first' }
}

/** The page after this one; 0 after the last. */
export function pageAfter(card: string, page: number, { name, number }: CardName): number {
  const isLong = foldCard(card, name, number).length > PAGE_UNITS
  const next = isLong ? Math.max(page, 1) + 1 : page + 1
  return next <= pagesOf(card).length ? next : 0
}

export function pagesOf(card: string): readonly string[] {
  const pages: string[] = []
  let lines: string[] = []
  let units = 0
  const flush = (): void => {
    if (lines.length > 0) pages.push(lines.join('\n'))
    lines = []
    units = 0
  }
  for (const piece of card.split('\n').flatMap(piecesOf)) {
    if (lines.length >= PAGE_LINES || units + piece.length + 1 > PAGE_UNITS) flush()
    lines.push(piece)
    units += piece.length + 1
  }
  flush()
  return pages
}

/** `at` counts from 0. */
export function pageText(pages: readonly string[], at: number): string {
  const page = pages[at] ?? ''
  return pages.length === 1
    ? page
    : `${tell('approvals.page_of', { page: at + 1, pages: pages.length })}\n${page}`
}

/** Splits a line that fits on no page; never inside an escape, whose second half would look like text. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = []
  let rest = line
  for (;;) {
    const mark = pieces.length === 0 ? '' : GOES_ON
    const most = PAGE_UNITS - 1 - mark.length
    if (rest.length <= most) return [...pieces, mark + rest]
    const head = rest.slice(0, most).replace(/⟨[^⟩]{0,80}$|[\ud800-\udbff]$/, '')
    pieces.push(mark + head)
    rest = rest.slice(head.length)
  }
}
