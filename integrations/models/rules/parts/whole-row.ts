/**
 * Things of a row that the tagger passed over: of "nappies, buckwheat, the syrup" the one in the middle is a thing as its neighbours are. Pure. Must not decide what is
 * asked for. Called by by-parts.ts.
 */
import type { TaggedPart } from '../../../extractors/learned/parts.ts'

/** Between two things of a row. */
const BETWEEN = /[,;\n]|(?<!\p{L})(?:and|und|plus|&)(?!\p{L})/giu
/** Said to whoever listens, and no thing. */
const SAID =
  /^(?:(?:please|bitte|thanks|danke|thx|also|auch|oh|ach|yes|ja|ok(?:ay)?|then|dann|noch|what else|was noch|um|ähm?|some|the|ein\p{L}*)[\s.!?…]*)+$/iu
/** What a row ends with is a thing where it says so. */
const ARTICLE = /^(?:the|an?|some|der|die|das|den|eine?n?) \p{L}/iu
/** Words of a thing that nothing else says is one. */
const MOST_WORDS = 4

/** The same parts, and those that stand between two of this name without being any. */
export function withWholeRow(
  parts: readonly TaggedPart[],
  text: string,
  name: TaggedPart['part'],
): readonly TaggedPart[] {
  const row = parts.filter(({ part }) => part === name)
  const [first, last] = [row[0], row.at(-1)]
  if (first === undefined || last === undefined || first === last) return parts
  const added: TaggedPart[] = []
  let from = first.from
  const cuts = [...text.matchAll(BETWEEN)].map(({ index, 0: mark }) => ({
    at: index,
    next: index + mark.length,
  }))
  for (const cut of [...cuts, { at: text.length, next: text.length }].filter(({ at }) => at > first.from)) {
    const segment = text.slice(from, cut.at)
    const words = segment.trim()
    const start = from + segment.length - segment.trimStart().length
    const isTagged = parts.some((one) => one.from < cut.at && one.to > start)
    const isBetween = start < last.from || ARTICLE.test(words)
    const isThing =
      isBetween && /\p{L}{2}/u.test(words) && !SAID.test(words) && words.split(/\s+/).length <= MOST_WORDS
    if (!isTagged && isThing) added.push({ part: name, text: words, from: start, to: start + words.length })
    from = cut.next
  }
  return added.length === 0 ? parts : [...parts, ...added].sort((one, other) => one.from - other.from)
}
