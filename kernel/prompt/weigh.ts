/**
 * Measures how many tokens each part of a prompt takes (P-18, the owner's `/context`): the difference
 * that the prompt shrinks by without the part, so the lines add up to the whole whatever the layout.
 * Must not contain text: names and numbers only. Called by features/commands/own-commands.ts.
 */
import { type Calibration, estimateTokens, reserveOf, TRUNCATED } from './budget.ts'
import type { FinalPrompt, Lay } from './finalize.ts'
import type { PromptParts } from './parts.ts'

export interface ContextLine {
  /** `history`, `block:memory` … */
  readonly name: string
  /** Estimated. */
  readonly tokens: number
  readonly truncated: boolean
}

export interface ContextReport {
  /** Every part of the prompt, in order. Their sum is `used`. */
  readonly lines: readonly ContextLine[]
  readonly used: number
  /** Tokens of prompt and answer together. */
  readonly window: number
  /** Tokens reserved for the answer. */
  readonly reserve: number
  /** Remaining tokens; negative if something will be trimmed. */
  readonly free: number
}

type Without = (parts: PromptParts) => PromptParts

/**
 * A prompt is mostly common English, which vocabularies encode in fewer tokens than the estimate. The
 * estimate decides trimming, so it is deliberately too high. Measured with current vocabularies.
 */
const PROSE: Calibration = Object.freeze({ factor: 0.9, samples: 1 })

/** The remainder, which every prompt contains. */
const FRAME = 'identity and rules'

const PARTS: readonly (readonly [name: string, without: Without])[] = [
  // The name is part of the identity.
  [
    'self',
    (parts) => ({ ...parts, self: { ...parts.self, sections: parts.self.sections.filter(isPersona) } }),
  ],
  ['document', (parts) => ({ ...parts, document: '' })],
  ['directives', (parts) => ({ ...parts, directives: [] })],
  ['tools', (parts) => ({ ...parts, tools: [] })],
  ['history', (parts) => ({ ...parts, history: [] })],
  ['results', (parts) => ({ ...parts, metadata: [], contents: [], troubles: [] })],
  ['message', (parts) => ({ ...parts, request: '', instruction: null, options: [] })],
]

export function weighPrompt(prompt: FinalPrompt): ContextReport {
  return prompt.weigh((parts, lay, window) => {
    const lines: ContextLine[] = []
    let now = parts
    let left = tokensOf(lay, now)
    const used = left
    for (const [name, without] of [...PARTS, ...parts.blocks.map(withoutBlock)]) {
      now = without(now)
      const rest = tokensOf(lay, now)
      const truncated = parts.blocks.some((block) => nameOf(block) === name && block.text.endsWith(TRUNCATED))
      if (left > rest) lines.push({ name, tokens: left - rest, truncated })
      left = rest
    }
    lines.unshift({ name: FRAME, tokens: left, truncated: false })
    const reserve = reserveOf(window)
    return { lines, used, window, reserve, free: window - used - reserve }
  })
}

function isPersona({ kind }: PromptParts['self']['sections'][number]): boolean {
  return kind === 'persona'
}

function nameOf({ name }: PromptParts['blocks'][number]): string {
  return `block:${name}`
}

function withoutBlock(block: PromptParts['blocks'][number]): readonly [string, Without] {
  const rest: Without = (parts) => ({
    ...parts,
    blocks: parts.blocks.filter(({ name }) => name !== block.name),
  })
  return [nameOf(block), rest]
}

function tokensOf(lay: Lay, parts: PromptParts): number {
  const { stable, session, history, now } = lay(parts)
  return estimateTokens(`${stable}\n\n${session}\n\n${history.join('')}${now}`, PROSE)
}
