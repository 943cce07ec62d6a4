/**
 * Splits a card longer than a screen into pages: every character, in order, and no line of a page can be mistaken for
 * a line of the card. Pure. Called by asking.ts, typed-words.ts and the terminal.
 */

import { foldCard } from './card.ts'

/** UTF-16 units of a page: fits one message of any channel with its surrounding text. */
export const PAGE_UNITS = 2_400
/** Lines of a page: one screen. */
export const PAGE_LINES = 40
/** Label of the button under a shortened card and under its pages. */
export const SHOW_ALL = 'Show all'
export const NEXT_PAGE = 'Next page'
export const FIRST_PAGE = 'From the beginning'
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
): { readonly text: string; readonly more: string | null } {
  const short = foldCard(card, name, number)
  if (page === 0 && short.length <= PAGE_UNITS) return { text: short, more: short === card ? null : SHOW_ALL }
  const [pages, at] = [pagesOf(card), Math.max(page, 1)]
  return { text: pageText(pages, at - 1), more: at < pages.length ? NEXT_PAGE : FIRST_PAGE }
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
  return pages.length === 1 ? page : `Page ${at + 1} of ${pages.length}\n${page}`
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
