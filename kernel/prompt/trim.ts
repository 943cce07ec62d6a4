/**
 * Trims a prompt that exceeds its model's window, in order (N-14): the oldest turns, then the summary of
 * earlier ones; tool results, shortened with a mark; blocks for this moment; the tone. Must not trim the
 * identity, the rules including the owner's own, or the newest words (N-15). Pure; called by finalize.ts.
 */
import type { Json } from '../flow/json.ts'
import { mapStrings } from '../flow/json.ts'
import { SECTIONS } from '../self/section.ts'
import { BLOCKS } from './budget.ts'
import { isAnswer } from './outside.ts'
import type { ContentView, PromptParts } from './parts.ts'

/** Marks the end of a shortened text. */
export const SHORTENED = '[shortened to fit]'
/** UTF-16 units: cutting a shorter text gains nothing, and a text's beginning shows what it was. */
const LEAST = 400
/**
 * Number of conversation lines that are dropped at once. Otherwise a full window would lose one with every message, and a
 * caching provider would see a new prefix each time.
 */
export const STEP = 8

/** The unchanged parts, then ever smaller versions. The last is the minimum for this purpose. */
export function* trims(parts: PromptParts): Generator<PromptParts> {
  let now = parts
  yield now
  while (now.history.length > 0) {
    const oldest = now.summarised === true && now.history.length > 1 ? 1 : 0
    const turns = now.history.slice(oldest)
    now = {
      ...now,
      history: [...now.history.slice(0, oldest), ...withoutOldest(turns, turns.length > STEP ? STEP : 1)],
    }
    yield now
  }
  for (let most = longestIn(now.contents); most > LEAST; ) {
    most = Math.max(LEAST, Math.floor(most / 2))
    now = { ...now, contents: now.contents.map((content) => shortened(content, most)) }
    yield now
  }
  const sections = now.self.sections.filter(({ kind }) => SECTIONS[kind].part === 'stable')
  const lasting = now.directives.filter(({ place }) => place !== 'dynamic' && place !== 'session')
  const blocks = now.blocks.filter(({ name }) => BLOCKS[name] === 1)
  now = { ...now, blocks, directives: lasting, self: { ...now.self, sections } }
  yield now
  now = { ...now, document: '', directives: lasting.filter(({ place }) => place === 'last') }
  yield now
}

/**
 * Drops at least `least` lines, by whole turns: an answer without its question would be read as one to another question (N-16).
 */
export function withoutOldest(history: readonly string[], least = 1): readonly string[] {
  const next = history.findIndex((line, index) => index >= least && !isAnswer(line))
  return next === -1 ? [] : history.slice(next)
}

function longestIn(contents: readonly ContentView[]): number {
  let longest = 0
  for (const { content } of contents)
    mapStrings<Json>(content, (text) => {
      longest = Math.max(longest, text.length)
      return text
    })
  return longest
}

function shortened({ root, action, content }: ContentView, most: number): ContentView {
  const cut = (text: string): string =>
    text.length <= most ? text : `${text.slice(0, most - SHORTENED.length - 1)} ${SHORTENED}`
  return { root, action, content: mapStrings(content, cut) }
}
