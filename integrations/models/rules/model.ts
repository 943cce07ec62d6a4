/**
 * The `rules` model: a provider without network or weights, last in every chain (DESIGN §8). It reads a prompt's typed parts, never
 * its text, so that no text can steer it. Must not claim what no result shows. Built at both places; called through the model port.
 */
import { PLACE_CLEARANCE, type Place } from '../../../kernel/flow/place.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../../kernel/inference/provider.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { answerFor, composeFor } from './answer.ts'
import { classifyFor } from './classify.ts'
import { planFor } from './planner.ts'
import { nameOf } from './self.ts'
import { summaryFor } from './summary.ts'

/** It runs in the place itself, so it has that place's clearance. Refusal: model_failed. */
export function createRulesModel({ place }: { readonly place: Place }): ModelProvider {
  return {
    reader: { id: 'rules', locality: place, ...PLACE_CLEARANCE[place] },
    reads: 'parts',
    complete: async (prompt) => {
      try {
        return ok({ text: write(prompt.parts), cut: false, tokens: { input: 0, output: 0 } })
      } catch {
        return err('model_failed', { model: 'rules' })
      }
    },
  }
}

function write(parts: PromptParts): string {
  switch (parts.purpose) {
    case 'plan':
      return JSON.stringify(planFor(parts))
    case 'classify':
      return classifyFor(parts)
    case 'compose':
      return composeFor(parts)
    case 'synthesize':
      return answerFor(parts)
    // An empty note leaves the passage unchanged; the rules model reads no picture.
    case 'read':
    case 'look':
      return ''
    case 'compact':
      return summaryFor(parts)
    case 'whoami':
      return nameOf(parts)
  }
}
