/**
 * Tools that a prompt describes only where the request is about them more than about any other, or where a search found them (`sought`): those by which
 * the owner's system is set up. Elsewhere their family is named, and the others are chosen as if these were not there. It decides no right. Called by
 * finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import type { ToolCard } from './parts.ts'
import { shownTools } from './shown-tools.ts'
import { shortly, toolLine } from './tool-lines.ts'
import { termsOf } from './tool-terms.ts'

/** Of those, described for one request. */
const MOST_SOUGHT = 2
/** So many words of a request may be about something else for each that is about the tool: a word alone names anything. */
const WORDS_FOR_ONE = 4

/** The same tools; each says how it is shown, if not in full. */
export function describedTools(
  cards: readonly ToolCard[],
  occasion: Parameters<typeof shownTools>[1],
): readonly ToolCard[] {
  const sought = cards.filter((card) => card.sought)
  if (sought.length === 0) return shownTools(cards, occasion)
  const others = cards.filter((card) => !card.sought)
  const words = indexWords(occasion.request)
  const saidOf = (card: ToolCard): readonly string[] => words.filter((word) => termsOf(card).has(word))
  const most = Math.max(words.length / WORDS_FOR_ONE, ...others.map((card) => saidOf(card).length))
  // The fewer of them have a word, the more it says.
  const weightOf = (word: string): number => 1 / sought.filter((card) => termsOf(card).has(word)).length
  const scoreOf = (card: ToolCard): number => saidOf(card).reduce((sum, word) => sum + weightOf(word), 0)
  const about = sought
    .filter((card) => saidOf(card).length > 0 && saidOf(card).length >= most)
    .toSorted((one, other) => scoreOf(other) - scoreOf(one))
    .slice(0, MOST_SOUGHT)
  const isShown = (card: ToolCard): boolean => card.wanted === true || about.includes(card)
  const shown = sought.map(
    (card): ToolCard => (isShown(card) ? { ...shortly(card), shown: 'now' } : { ...card, shown: 'named' }),
  )
  const besides = shown.reduce((sum, card) => sum + (card.shown === 'now' ? toolLine(card, []).length : 0), 0)
  return [...shownTools(others, { ...occasion, besides }), ...shown]
}
