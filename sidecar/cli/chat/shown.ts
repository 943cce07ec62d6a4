/**
 * Tracks what this chat has shown: cards, so that a bare yes refers to the only pending one that was shown; the current page of a
 * card; and the part of an answer that was printed as a draft. Must not decide. Called by chat.ts.
 */

import {
  type CardName,
  cardFace,
  pageAfter,
  type Turn,
  turnLabel,
} from '../../../kernel/features/approvals/card/card-face.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { KERNEL } from '../../../kernel/task/plan.ts'
import { tell } from '../../language/wording.ts'
import type { LineDraft } from '../line/link.ts'
import type { WaitingCard } from './cards.ts'
import { terminalText } from './terminal-text.ts'

export type SeenCards = ReturnType<typeof createSeenCards>

/** Milliseconds that a card must have been on the screen before a bare yes is for it alone: a line that was being typed is about something else. */
const SEEN_FOR = 2_000

/** `now`: epoch milliseconds. */
export function createSeenCards(now: () => number = Date.now) {
  const seen = new Set<string>()
  const whole = new Set<string>()
  /** The card that the newest request of this chat brought, and since when it is shown. */
  let fresh: { readonly id: string; readonly at: number } | null = null
  let last: string | null = null
  let isNewest = true
  return {
    /** Call when the owner says something that is no answer to a card. */
    asked(): void {
      fresh = null
    },
    /** Call when the newest request of this chat brought a card, right after it was shown. */
    brought(id: string): void {
      fresh = { id, at: now() }
    },
    /** These cards are on the screen in full. */
    see(ids: readonly string[]): void {
      for (const id of ids) {
        seen.add(id)
        whole.add(id)
      }
      last = ids.length === 1 ? (ids[0] ?? null) : null
      fresh = null
      isNewest = true
    },
    /**
     * A list of these cards was shown, two lines each. A single card that was not shown in full before is shown in full. Returns
     * whether that is the case.
     */
    list(ids: readonly string[]): boolean {
      const [first, ...others] = ids
      const isWhole = first !== undefined && others.length === 0 && !whole.has(first)
      if (isWhole) whole.add(first)
      for (const id of ids) {
        seen.add(id)
      }
      last = isWhole ? first : null
      fresh = null
      isNewest = true
      return isWhole
    },
    /**
     * Call after other text was shown, which may be crafted to provoke a yes. `but`: the card that this text is about; it stays
     * if it was shown last.
     */
    forget(but: string | null = null): void {
      const keeps = but !== null && but === last && seen.has(but)
      seen.clear()
      if (keeps) seen.add(but)
    },
    /** Whether the card was ever shown here in full. */
    wasShown: (id: string): boolean => whole.has(id),
    /** Call after a notice, such as a reminder: an "ok" may refer to it. */
    interrupt(): void {
      isNewest = false
    },
    /** Whether nothing was shown after the last card. */
    isNewest: (): boolean => isNewest && seen.size > 0,
    /** The card that a bare answer refers to: the only one, or the one that the newest request brought. `unseen`: no pending card was
     * shown here in full; `several`: more than one was. */
    meant(waiting: readonly WaitingCard[]): WaitingCard | 'none' | 'unseen' | 'several' {
      const shown = waiting.filter(({ id }) => seen.has(id))
      const read = fresh !== null && isNewest && now() - fresh.at >= SEEN_FOR ? fresh.id : null
      const own = shown.filter(({ id }) => id === read)
      const [one, ...others] = own.length === 1 ? own : shown
      if (one !== undefined && others.length > 0) return 'several'
      if (one !== undefined && whole.has(one.id)) return one
      return waiting.length === 0 ? 'none' : 'unseen'
    },
  }
}

/** The card that the task of this answer created. Such an answer has the program's own words only, and no text of others. */
export function ownCard({ task: { approval, taint, model } }: TaskReport): string | null {
  return model === KERNEL && taint === 'clean' ? approval : null
}

interface Shown {
  readonly text: string
  readonly hint: string
}

export type CardTurning = ReturnType<typeof createCardTurning>

export function createCardTurning() {
  let now: { readonly id: string; readonly page: number } | null = null
  const show = (view: WaitingCard, page: number): Shown => {
    now = { id: view.id, page }
    const { text, more } = cardFace(view.full, page, nameIn(view))
    return { text, hint: hintFor(more, view.options) }
  }
  const open = (view: WaitingCard, page: number): Shown => show(view, lastUpTo(view, page))
  return {
    /** `page` counts from 1; beyond the end, the last page is shown. */
    open,
    /** Records that this card is shown now. Returns the hint below it. */
    shown: (view: WaitingCard | undefined) => (view === undefined ? hintFor(null) : show(view, 0).hint),
    /** The pending card that was shown last; undefined if none is. */
    standing: (waiting: readonly WaitingCard[]) => waiting.find(({ id }) => id === now?.id),
    turn(view: WaitingCard, to: Turn): Shown {
      const page = now?.id === view.id ? now.page : 0
      if (to === 'all') return open(view, 1)
      return show(view, to === 'first' ? 0 : pageAfter(view.full, page, nameIn(view)))
    },
  }
}

/** The page with this number, or the last page. */
function lastUpTo(view: WaitingCard, page: number): number {
  let at = 1
  while (at < page && pageAfter(view.full, at, nameIn(view)) > at) at += 1
  return at
}

function nameIn({ id, number }: WaitingCard): CardName {
  return { name: id, number: number > 0 ? number : null }
}

function hintFor(more: Turn | null, options = 0): string {
  const turn = more === null ? '' : tell(`terminal.turn_${more}`, { word: turnLabel(more) })
  return tell(options > 0 ? 'terminal.answer_choice' : 'terminal.answer_card', { turn })
}

/** Printed before an answer that differs from the draft, such as one of another model. */
const ANEW = '— begun again —'

export type Drafting = ReturnType<typeof createDrafting>

export function createDrafting() {
  let shown: LineDraft | null = null
  const add = (task: string, text: string): string => {
    const before = shown?.task === task ? shown.text : ''
    if (text.startsWith(before)) return text.slice(before.length).replace(/^\n+/, before === '' ? '' : '\n')
    return `${ANEW}\n${text}`
  }
  return {
    /** The new part of a draft; empty if there is none. */
    more({ task, text }: LineDraft): string {
      const whole = terminalText(text).trimEnd()
      if (shown?.task === task && shown.text === whole) return ''
      const more = add(task, whole)
      shown = { task, text: whole }
      return more
    },
    /** The new part of the final answer; empty if all of it was printed. */
    rest(task: string | null, answer: string): string {
      const whole = terminalText(answer).trimEnd()
      const rest = task === null ? whole : add(task, whole)
      shown = null
      return rest
    },
  }
}
