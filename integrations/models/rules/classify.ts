/** Closed choice by shared words (J-10): the one option that shares most with the content, or nothing. Called by model.ts. */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { stringsOf } from './content.ts'

/** How much content is compared, in characters. */
const HEAD = 20_000

export function classifyFor(parts: PromptParts): string {
  const words = wordsOf(
    parts.contents
      .flatMap(({ content }) => stringsOf(content))
      .join(' ')
      .slice(0, HEAD),
  )
  const scored = parts.options
    .map((option) => ({ option, score: [...wordsOf(option)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  if (best === undefined || best.score === 0 || best.score === next?.score) return ''
  return best.option
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  )
}
