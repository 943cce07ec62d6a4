/** Whose matter a message is: that of the package that it asks for as a whole, whichever others have words in it, so that its task has the ceiling of what it reads. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { FIREFLIES_PHRASES } from '../../integrations/tools/fireflies/phrases.ts'
import { HEALTH_PHRASES } from '../../integrations/tools/health/phrases.ts'
import type { Phrases } from '../../integrations/tools/phrase.ts'

/** Another matter that "sleep" is a word of, as names of meetings are. */
const OTHER: Phrases = {
  ...FIREFLIES_PHRASES,
  matter: { name: 'meeting_log', mentions: '\\bsleep\\b', asks: '^log\\b', but: '\\bnothing\\b' },
}
const ASKED = 'how well did I sleep last night'
const NOW = { now: Date.parse('2026-11-20T11:00:00Z'), timezone: 'Europe/Madrid' }

const matterIn = (text: string, ...packages: readonly Phrases[]): unknown => {
  const fields = createMessageExtractor(packages).extract(text, NOW)
  return (fields as { readonly matter?: unknown }).matter
}

it.each<[string, string, readonly Phrases[], string | undefined]>([
  ['its own package alone', ASKED, [HEALTH_PHRASES], 'health'],
  ['one before it that has a word of it', ASKED, [OTHER, HEALTH_PHRASES], 'health'],
  ['one behind it that has a word of it', ASKED, [HEALTH_PHRASES, OTHER], 'health'],
  ['one that only has a word of it', ASKED, [OTHER], undefined],
  ['a question that only a model can read', 'log my sleep', [OTHER, HEALTH_PHRASES], 'meeting_log'],
])('by %s', (_, text, packages, matter) => {
  expect(matterIn(text, ...packages)).toBe(matter)
})
