/**
 * Arguments of an operation: one declaration yields the validation, the command line, the slash command and the help
 * (DESIGN §9). Must not know any operation. Called by operations and by every door that parses typed words.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../flow/verdict.ts'

/** How typed words are parsed. */
type Typed = 'text' | 'count' | 'days' | 'hours' | 'yes' | 'list'

/** A declaration without its words, which are in the feature's `words/en.toml`. */
interface DeclaredArgument<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: S
  /** `word`: by position; `rest`: all remaining words; `option`: by name, with two dashes. */
  readonly form: 'word' | 'rest' | 'option'
  readonly typed: Typed
  /** Default value; without one the argument is required. */
  readonly initial?: z.output<S>
  /** Its name on the command line, when different from its own. */
  readonly flag?: string
  /** Source of the pattern for its value in a phrase; if absent, a few words. */
  readonly slot?: string
}

export type DeclaredArguments = Readonly<Record<string, DeclaredArgument>>

export interface Argument extends DeclaredArgument {
  /** Description in the help. */
  readonly about: string
  /** Placeholder for its value in the help. */
  readonly takes?: string
}

export type Arguments = Readonly<Record<string, Argument>>

export type ValuesOf<A extends DeclaredArguments> = { readonly [K in keyof A]: z.output<A[K]['schema']> }

/** Maximum UTF-16 units of a typed name or number. */
const NAME_MAX = 200
/** Maximum UTF-16 units of a text. Each use has a stricter bound in the kernel; this one stops oversized input. */
const TEXT_MAX = 200_000
/** Maximum items of a list. */
const LIST_MAX = 20
const COUNT_MAX = 9_999

const name = z.string().check(z.minLength(1), z.maxLength(NAME_MAX))
const body = z.string().check(z.minLength(1), z.maxLength(TEXT_MAX))
const nameList = z.readonly(z.array(name).check(z.minLength(1), z.maxLength(LIST_MAX)))
const count = z.int().check(z.positive(), z.maximum(COUNT_MAX))

type Extra = Pick<DeclaredArgument, 'flag'>

export const word = (extra: Extra = {}) => ({ schema: name, form: 'word', typed: 'text', ...extra }) as const
/** Null when omitted. */
export const maybeWord = (extra: Extra = {}) =>
  ({ schema: z.nullable(name), form: 'word', typed: 'text', initial: null, ...extra }) as const
/**
 * Pattern for the value of an argument: a few words of one sentence, so that a longer
 * message does not match a phrase. `10:30` is a word, and so is `Dr.`
 */
export const FEW_WORDS = String.raw`(?:[^,;:.!?\n]|(?<=\d)[:.](?=\d)|(?<=\b(?:Dr|Mr|Mrs|Ms|Prof|St))\.){1,80}`
/** A mail address as people type one; its exact form is checked where it is used. */
const ADDRESS = String.raw`[^\s@,;:<>"()]{1,64}@[\p{L}\d][\p{L}\d.-]{0,252}[\p{L}\d]`
export const mailAddress = (extra: Extra = {}) => ({ ...word(extra), slot: ADDRESS }) as const
/** A host name as people type it, with at least one dot, possibly after an at sign. */
const HOST = String.raw`@?(?:[\p{L}\d-]{1,63}\.){1,8}[\p{L}\d-]{2,63}`
export const hostName = (extra: Extra = {}) => ({ ...word(extra), slot: HOST }) as const
/** A number, as shown in a list; null when omitted. */
export const maybeCount = (extra: Extra = {}) =>
  ({ schema: z.nullable(z.int()), form: 'word', typed: 'count', initial: null, ...extra }) as const
export const countWord = (extra: Extra = {}) =>
  ({ schema: count, form: 'word', typed: 'count', ...extra }) as const
export const rest = (extra: Extra = {}) => ({ schema: body, form: 'rest', typed: 'text', ...extra }) as const
/** Null when omitted. */
export const maybeRest = (extra: Extra = {}) =>
  ({ schema: z.nullable(body), form: 'rest', typed: 'text', initial: null, ...extra }) as const
export const named = (initial: string, extra: Extra = {}) =>
  ({ schema: name, form: 'option', typed: 'text', initial, ...extra }) as const
/** Null when omitted. */
export const maybeNamed = (extra: Extra = {}) =>
  ({ schema: z.nullable(name), form: 'option', typed: 'text', initial: null, ...extra }) as const
export const names = (initial: readonly string[], extra: Extra = {}) =>
  ({ schema: nameList, form: 'option', typed: 'list', initial, ...extra }) as const
export const option = (typed: 'count' | 'days' | 'hours', initial: number, extra: Extra = {}) =>
  ({ schema: count, form: 'option', typed, initial, ...extra }) as const
/** Null when omitted. */
export const maybeOption = (typed: 'count' | 'days' | 'hours', extra: Extra = {}) =>
  ({ schema: z.nullable(count), form: 'option', typed, initial: null, ...extra }) as const
/** Version that the caller has seen; 0 when there is none yet. */
export const versionSeen = (extra: Extra = {}) =>
  ({ schema: z.int().check(z.nonnegative()), form: 'option', typed: 'count', initial: 0, ...extra }) as const
export const yes = (extra: Extra = {}) =>
  ({ schema: z.boolean(), form: 'option', typed: 'yes', initial: false, ...extra }) as const

/** Parses a typed value; null when it is invalid. `list`: one of its items. */
export function valueTyped(typed: Typed, said: string): string | number | null {
  const text = said.trim()
  if (text === '') return null
  if (typed === 'text' || typed === 'list' || typed === 'yes') return text
  const digits = typed === 'days' ? text.replace(/d$/, '') : typed === 'hours' ? text.replace(/h$/, '') : text
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null
}

/**
 * Refusal: tool_arguments_invalid, naming the first invalid argument. Absent arguments take their default; undeclared
 * ones are refused.
 */
export function readArguments<A extends DeclaredArguments>(declared: A, input: unknown): Result<ValuesOf<A>> {
  const given = z.safeParse(z.record(z.string(), z.unknown()), input ?? {})
  if (!given.success) return err('tool_arguments_invalid')
  const strange = Object.keys(given.data).find((key) => !Object.hasOwn(declared, key))
  if (strange !== undefined) return err('tool_arguments_invalid', { path: 'unknown' })
  const values: Record<string, unknown> = {}
  for (const [key, argument] of Object.entries(declared)) {
    const said = given.data[key]
    const parsed = z.safeParse(argument.schema, said === undefined ? argument.initial : said)
    if (!parsed.success) return err('tool_arguments_invalid', { path: key })
    values[key] = parsed.data
  }
  return ok(values as ValuesOf<A>)
}
