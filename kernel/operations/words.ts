/**
 * Words of operations: help texts, phrases and answer sentences, from the tables generated from
 * kernel/features/<feature>/words/en.toml (DESIGN §9). Must not contain a sentence. Called by operation.ts and the
 * renderers.
 */
import { GROUP_WORDS, OPERATION_WORDS, SAYS } from '../features/words.ts'
import type { ReasonCode } from '../reasons.ts'

/** Words for a refusal, where the general ones do not say how to resolve it. */
export type Refusals = Readonly<Partial<Record<ReasonCode, string>>>

export interface OperationWords {
  /** Description in the help. */
  readonly summary: string
  /** Description of each argument. */
  readonly args?: Readonly<Record<string, string>>
  /** Placeholder for an option's value in the help, when not `number` or `name`. */
  readonly takes?: Readonly<Record<string, string>>
  /**
   * Whole messages without arguments that request it in the owner's chats; case and the final punctuation mark are
   * ignored.
   */
  readonly phrases?: readonly string[]
  readonly refusals?: Refusals
  /** Question before the command line continues, and the reply when the answer is no. */
  readonly confirm?: { readonly asks: string; readonly otherwise: string }
}

const WORDS: Readonly<Record<string, OperationWords>> = OPERATION_WORDS

/** Throws for an operation without words: every listed operation must have them. */
export function wordsOf(operation: string): OperationWords {
  const words = Object.hasOwn(WORDS, operation) ? WORDS[operation] : undefined
  if (words === undefined) throw new Error(`${operation} has no words`)
  return words
}

/** Description of a group of commands with the same first word; empty for one whose commands need none. */
export function groupWords(group: string): string {
  const words: Readonly<Record<string, string>> = GROUP_WORDS
  return Object.hasOwn(words, group) ? (words[group] ?? '') : ''
}

export type Saying = keyof typeof SAYS

/** A sentence of an answer, with its values filled in. */
export type Tell = (saying: Saying, values?: Readonly<Record<string, string | number>>) => string

/** Throws when a value is missing: an answer with a gap is a bug. */
export const tell: Tell = (saying, values = {}) =>
  SAYS[saying].replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`${saying} lacks ${name}`)
    return String(values[name])
  })
