/**
 * Words of operations: what help says of each, the phrases that stand for it, and the sentences of its answers, from the tables that are
 * made of kernel/features/<feature>/words/en.toml (DESIGN §9). Must not hold a sentence. Called by operation.ts and the renderers.
 */
import { GROUP_WORDS, OPERATION_WORDS, SAYS } from '../features/words.ts'
import type { ReasonCode } from '../reasons.ts'

/** Words for a refusal, where the general ones do not say what to do about it here. */
export type Refusals = Readonly<Partial<Record<ReasonCode, string>>>

export interface OperationWords {
  /** What it does, as help says it. */
  readonly summary: string
  /** What each argument is. */
  readonly args?: Readonly<Record<string, string>>
  /** What help calls the value of an option, where it is more than `number` or `name`. */
  readonly takes?: Readonly<Record<string, string>>
  /** Whole messages that stand for it in the owner's chats, without arguments; letters and the sign at the end do not matter. */
  readonly phrases?: readonly string[]
  readonly refusals?: Refusals
  /** What is asked before the command line goes on, and what is said where the answer is no. */
  readonly confirm?: { readonly asks: string; readonly otherwise: string }
}

const WORDS: Readonly<Record<string, OperationWords>> = OPERATION_WORDS

/** Throws for an operation that has none: each is listed with its words or not at all. */
export function wordsOf(operation: string): OperationWords {
  const words = Object.hasOwn(WORDS, operation) ? WORDS[operation] : undefined
  if (words === undefined) throw new Error(`${operation} has no words`)
  return words
}

/** What the first word of several commands is about; empty for one that is known by its commands alone. */
export function groupWords(group: string): string {
  const words: Readonly<Record<string, string>> = GROUP_WORDS
  return Object.hasOwn(words, group) ? (words[group] ?? '') : ''
}

export type Saying = keyof typeof SAYS

/** A sentence of an answer, with its values filled in. */
export type Tell = (saying: Saying, values?: Readonly<Record<string, string | number>>) => string

/** Throws for a value that is not given: an answer with a hole in it is a bug. */
export const tell: Tell = (saying, values = {}) =>
  SAYS[saying].replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`${saying} lacks ${name}`)
    return String(values[name])
  })
