/**
 * Pages of a card that is longer than a screen, in the terminal's chat: turned by typing the label that is a button in
 * other chats. Shows the pending card unchanged and decides nothing. Called by chat.ts.
 */

import {
  type CardName,
  cardFace,
  FIRST_PAGE,
  NEXT_PAGE,
  pageAfter,
  SHOW_ALL,
} from '../../../kernel/features/approvals/card-pages.ts'
import type { WaitingCard } from './cards.ts'
import type { Turn } from './chat-line.ts'

export interface CardTurning {
  /** Records that this card is shown now. Returns the hint below it. */
  shown(view: WaitingCard | undefined): string
  /** The pending card that was shown last; undefined if none is. */
  standing(waiting: readonly WaitingCard[]): WaitingCard | undefined
  turn(view: WaitingCard, to: Turn): Shown
  /** `page` counts from 1; beyond the end, the last page is shown. */
  open(view: WaitingCard, page: number): Shown
}

interface Shown {
  readonly text: string
  readonly hint: string
}

export function createCardTurning(): CardTurning {
  let now: { readonly id: string; readonly page: number } | null = null
  const show = (view: WaitingCard, page: number): Shown => {
    now = { id: view.id, page }
    const { text, more } = cardFace(view.full, page, nameIn(view))
    return { text, hint: hintFor(more) }
  }
  const open = (view: WaitingCard, page: number): Shown => show(view, lastUpTo(view, page))
  return {
    open,
    shown: (view) => (view === undefined ? hintFor(null) : show(view, 0).hint),
    standing: (waiting) => waiting.find(({ id }) => id === now?.id),
    turn(view, to) {
      const page = now?.id === view.id ? now.page : 0
      if (to === SHOW_ALL) return open(view, 1)
      return show(view, to === FIRST_PAGE ? 0 : pageAfter(view.full, page, nameIn(view)))
    },
  }
}

/** The page of that number, or the last. */
function lastUpTo(view: WaitingCard, page: number): number {
  let at = 1
  while (at < page && pageAfter(view.full, at, nameIn(view)) > at) at += 1
  return at
}

function nameIn({ id, number }: WaitingCard): CardName {
  return { name: id, number: number > 0 ? number : null }
}

function hintFor(more: string | null): string {
  const turn = more === null ? '' : ` Say "${more}" for ${TURNS[more] ?? 'more'}.`
  return `Answer yes or no, or "edit: …" with your own words.${turn} /approvals lists all that waits.`
}

const TURNS: Readonly<Record<string, string>> = {
  [SHOW_ALL]: 'the whole of it',
  [NEXT_PAGE]: 'what follows',
  [FIRST_PAGE]: 'its start',
}
