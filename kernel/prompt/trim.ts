/**
 * What goes when a prompt is larger than its model's window, in this order (N-14): the oldest turns, the summary of those
 * before them last; then the results of tools, shortened with a mark, then what is only of this moment, then the manner of
 * speaking. The identity, the rules, the owner's own among them, and the newest words are no part of what can go (N-15).
 * Pure; called by finalize.ts.
 */
import type { Json } from '../flow/json.ts'
import { mapStrings } from '../flow/json.ts'
import { SECTIONS } from '../self/section.ts'
import { BLOCKS } from './blocks.ts'
import { isAnswer } from './outside.ts'
import type { ContentView, PromptParts } from './parts.ts'

/** Ends a text that was shortened to fit. */
export const SHORTENED = '[shortened to fit]'
/** UTF-16 units: nothing is gained by cutting what is shorter, and its beginning says what it was. */
const LEAST = 400
/**
 * Lines of the conversation that go at once. A window that is full would else lose one with every message, and a provider
 * that caches would find another beginning each time; so the next few messages begin where this one does.
 */
export const STEP = 8

/** The parts as they are, then ever smaller ones; the last is as small as a prompt of this purpose can be. */
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

/** At least so many lines; a turn goes whole: an answer without its question would be read as one to something else (N-16). */
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
