/** A router call as the pipeline makes it, with a minimal prompt. */

import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import type { ModelCall } from '../../kernel/inference/router.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'
import { testPatience } from '../fakes/patience.ts'
import { NO_SECRETS } from '../fakes/secrets.ts'
import { testBoundary } from '../fakes/self.ts'

const TEXTS = readPromptTexts()

export function modelCall(over: Partial<ModelCall> & Pick<ModelCall, 'models'>): ModelCall {
  return {
    request: {
      ...{ purpose: 'synthesize', audience: 'owner', request: receive('hello', kernelWords()) },
      ...{ history: null, metadata: [], contents: [], tools: [], troubles: [], question: null },
      ...{ document: [], directives: [], blocks: [], self: { version: '', sections: [] } },
      output: { sink: 's', maxChars: 100, format: 'plain', timezone: 'UTC', now: '2026-11-22T10:00' },
    },
    ...{
      texts: TEXTS,
      boundary: 'k3j9x7',
      boundaryFor: testBoundary,
      redact: (text) => text,
      known: NO_SECRETS,
      strict: false,
    },
    ...{ limits: { maxTokens: 100, timeout: 120_000 }, patience: testPatience(), now: () => 0 },
    ...{ ceiling: { level: 'internal', compartments: [] }, cloudRiskAcknowledged: false },
    ...over,
  }
}
