/** A prompt as `finalize` makes it, from a few lines of conversation and a request; for tests at both places. */
import type { Json } from '../../kernel/flow/json.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { type FinalPrompt, finalize } from '../../kernel/prompt/finalize.ts'
import type { PromptRequest, PromptTexts } from '../../kernel/prompt/parts.ts'
import type { Picture } from '../../kernel/task/picture.ts'
import { NO_SECRETS } from '../fakes/secrets.ts'

const own = <T extends Json>(value: T) => receive(value, kernelWords())

export function promptOf(
  texts: PromptTexts,
  words: string,
  history: readonly string[] = [],
  picture?: Picture,
): FinalPrompt {
  const request: PromptRequest = {
    ...{ purpose: 'synthesize', audience: 'owner', request: own(words) },
    ...{ history: history.length === 0 ? null : own([...history]) },
    ...{ metadata: [], contents: [], self: { version: '00000000', sections: [] }, document: [] },
    ...(picture !== undefined && { picture: own(picture) }),
    ...{ directives: [], blocks: [], tools: [], troubles: [], question: null },
    output: { sink: 's', maxChars: 100, format: 'plain', timezone: 'UTC', now: '2026-11-22T10:00' },
  }
  const made = finalize({
    ...{ request, texts, strict: true, redact: (text) => text, known: NO_SECRETS },
    limits: { reads: 'text', window: 200_000, answer: 100 },
    model: { id: 'scripted', locality: 'home', level: 'regulated', compartments: 'all' },
    boundary: words.length.toString(16).padStart(8, '0'),
    boundaryFor: () => 'h7m2q9',
  })
  if (!made.ok) throw new Error(made.reason.code)
  return made.value
}
