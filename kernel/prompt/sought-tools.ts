/**
 * Describes `sought` tools, which configure the owner's system, only if the request is about them
 * more than about any other tool, or a search found them. Otherwise their family is named, and the
 * other tools are chosen as if they did not exist. Grants no permission. Called by finalize.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import type { ToolCard } from './parts.ts'
import { shownTools } from './shown-tools.ts'
import { shortly, toolLine } from './tool-lines.ts'
import { termsOf } from './tool-terms.ts'

/** Maximum `sought` tools described for one request. */
const MOST_SOUGHT = 2
/** Maximum words of a request per word that it shares with the tool: a single word may mean anything. */
const WORDS_FOR_ONE = 4

/** Returns the same tools; each that is not described in full has `shown`. */
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
  // A word counts more if fewer of these tools have it.
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
