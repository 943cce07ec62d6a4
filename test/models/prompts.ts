/** Prompts as `finalize` makes them, for tests of the adapters: a conversation of some lines and a request. */
import type { Json } from '../../kernel/flow/json.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { type FinalPrompt, finalize } from '../../kernel/prompt/finalize.ts'
import type { PromptRequest } from '../../kernel/prompt/parts.ts'
import { readPromptTexts } from '../../sidecar/home-texts.ts'
import { NO_SELF, TEST_LIMITS, testBoundary } from '../fakes/self.ts'

const own = <T extends Json>(value: T) => receive(value, kernelWords())
export const TEXTS = readPromptTexts()

export function promptFor(words: string, history: readonly string[] = []): FinalPrompt {
  const request: PromptRequest = {
    ...{ purpose: 'synthesize', audience: 'owner', request: own(words) },
    ...{ history: history.length === 0 ? null : own([...history]) },
    ...{ metadata: [], contents: [], self: NO_SELF, document: [], directives: [], blocks: [], tools: [] },
    ...{ troubles: [], question: null },
    output: { sink: 's', maxChars: 100, format: 'plain', timezone: 'UTC', now: '2026-11-22T10:00' },
  }
  const made = finalize({
    ...{ request, texts: TEXTS, limits: TEST_LIMITS, strict: true, redact: (text) => text },
    model: { id: 'scripted', locality: 'home', level: 'regulated', compartments: 'all' },
    boundary: words.length.toString(16).padStart(8, '0'),
    boundaryFor: testBoundary,
  })
  if (!made.ok) throw new Error(made.reason.code)
  return made.value
}
