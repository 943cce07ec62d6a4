/**
 * The form of answers that code reads (J-10): a word of a closed list, numbers of items, words of a
 * text. Providers that accept a schema enforce it; any other model answers in plain words, and both
 * forms are read. Derived only from what the prompt shows. Called by router.ts and pipeline/compose.ts.
 */
import { isPlainRecord, type Json } from '../flow/json.ts'
import type { Purpose } from '../prompt/mode.ts'
import type { AnswerSchema } from './provider.ts'

const NAME = 'answer'

/**
 * Schema of the answer; undefined for a purpose whose answer is no single value.
 * `options`: as the prompt shows them; "nothing fits" is always an option in addition.
 */
export function shortAnswer(purpose: Purpose, options: readonly string[]): AnswerSchema | undefined {
  const form = formOf(purpose, options)
  if (form === null) return undefined
  const properties = { [NAME]: form }
  return { name: NAME, schema: { type: 'object', properties, required: [NAME], additionalProperties: false } }
}

function formOf(purpose: Purpose, options: readonly string[]): { readonly [key: string]: Json } | null {
  switch (purpose) {
    case 'classify':
      return { type: 'string', enum: [...new Set([...options, ''])] }
    case 'choose':
      return { type: 'array', items: { type: 'integer' } }
    case 'extract':
      return { type: 'string' }
    default:
      return null
  }
}

/** The content of an answer of that form as plain words; any other text unchanged. */
export function answerIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const data: unknown = JSON.parse(text)
    const answer = isPlainRecord(data) && Object.keys(data).length === 1 ? data[NAME] : undefined
    if (typeof answer === 'string') return answer
    return Array.isArray(answer) ? answer.filter(Number.isSafeInteger).join(', ') : text
  } catch {
    return text
  }
}
