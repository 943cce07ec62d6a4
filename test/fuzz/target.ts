/**
 * What a fuzz target is: one parser at a trust boundary, with values that it accepts. Holds no parser. Called by the
 * mutators, by `judge.ts` and by the files in `targets/`.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'

/** Stands in samples where a person's or a stranger's words would: no refusal may repeat it. Fits ids, names and keys. */
export const CANARY = 'canary7f3e'

/**
 * How a boundary takes its input: `value` is data that was decoded before, `json` text that the parser decodes, `text`
 * another format's text, and `bytes` what came from a wire or a disk.
 */
export type Form = 'value' | 'json' | 'text' | 'bytes'

export interface Target {
  readonly name: string
  readonly form: Form
  /** Accepted as they are. Trees for `value` and `json`; text and bytes for the others. */
  readonly samples: readonly (Json | Uint8Array)[]
  /** An accepted value as `ok`. A parser that may throw by contract is wrapped here, and only for what it declares. */
  parse(input: unknown): Result<unknown> | Promise<Result<unknown>>
  /** What is wrong with an accepted value by another reading of its rules than the parser's own; null for nothing. */
  readonly fault?: (value: unknown) => string | null
  /** An accepted value as an input again: it must be accepted again, as the same. */
  readonly again?: (value: unknown) => unknown
  /** Lengths worth trying, one more and one less too: the parser's own bounds. */
  readonly bounds?: readonly number[]
  /** Facts of a refusal that name part of the input by contract: a setting's name, a record's id. */
  readonly names?: readonly string[]
  /** Accepted values hold what the input held, keys that it chose included. */
  readonly open?: boolean
  /** A tenth of the runs in the suite: one costs milliseconds. */
  readonly slow?: boolean
  /** Needs a process of its own, such as for a file mode mask: left out of long runs, which are threads. */
  readonly process?: boolean
}

/** What one run fed to a parser; printed when it fails, and kept in `kept.ts`. */
export type Input = unknown
