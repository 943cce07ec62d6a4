/** A message is routed by what it asks and read by its task a moment later: one reading for both, and for nothing else. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

/** Of a minute that ends, so that a moment later "in 10 minutes" is of the next one. */
const NOW = Date.parse('2026-11-20T10:59:59.700Z')
const TEXT = 'remind me in 10 minutes to call Sarah'

interface Said {
  readonly text?: string
  readonly at?: number
  readonly timezone?: string
}

/** What the second reader gets: the time that the first one read, or its own. */
function second(...said: readonly Said[]): readonly boolean[] {
  const { extract } = createMessageExtractor()
  const read = (text: string, after: number, again: boolean, timezone = 'Europe/Berlin'): unknown =>
    (extract(text, { now: NOW + after, timezone, own: !again, again }) as { readonly from?: unknown }).from
  const first = read(TEXT, 0, true)
  return said.map(({ text = TEXT, at = 1, timezone }) => read(text, at * 60_000, false, timezone) === first)
}

it.each<readonly [what: string, said: readonly Said[], isFirst: readonly boolean[]]>([
  ['the same message at once', [{ at: 0 }], [true]],
  ['the same message, within a second', [{ at: 1 / 100 }], [true]],
  ['the same message, later', [{ at: 1 }], [false]],
  ['a third reader', [{ at: 1 / 100 }, { at: 1 / 90 }], [true, false]],
  ['another message', [{ at: 0, text: 'remind me in 20 minutes to call Sarah' }], [false]],
  ['another zone', [{ at: 0, timezone: 'Asia/Tokyo' }], [false]],
])('%s', (_, said, isFirst) => expect(second(...said)).toEqual(isFirst))
