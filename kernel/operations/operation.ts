/**
 * An operation: something the owner can ask the running system to do or show about itself (DESIGN §9). One definition
 * yields the method of home's socket, the edge's signed route, `pfar` commands, slash commands, help and the audit
 * row. Must not act by itself. Called by every file in features/<feature>/operations.
 */

import TABLE from '#feature-words' with { type: 'json' }
import type { FieldSpec } from '../flow/field.ts'
import type { Place } from '../flow/place.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import type { ReasonCode } from '../reasons.ts'
import { translation } from '../wording/language.ts'
import { type Tell, tell } from '../wording/words.ts'
import { type Arguments, type DeclaredArguments, readArguments, type ValuesOf } from './argument.ts'
import type { Caller, Door, Undo } from './caller.ts'
import type { OperationPorts, PortName } from './ports.ts'
import { readShape, type ValueOf } from './shape.ts'

/** `widen`: would let somebody have, read or do more than before; such an operation only sends an approval card. */
type Effect = 'read' | 'write' | 'widen'

/** Context for rendering a result in words. */
export interface View {
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string
  /** Place that answers. */
  readonly place: Place
  /** The card is shown next to the words, with how to answer it. */
  readonly cardBeside: boolean
  /**
   * The result is read in a chat: a card follows as a separate message that says how to
   * answer it. Labels and tool names are shown only on the command line.
   */
  readonly inChat?: boolean
  /** How to call another operation here: `pfar grants revoke g1` or `/revoke g1`. */
  readonly say: (operation: string, ...args: readonly string[]) => string
}

/** The view, with the sentences of the feature. */
export interface Telling extends View {
  readonly tell: Tell
}

/** Ids, labels, counts and states; never content. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

interface Definition<A extends DeclaredArguments, S extends FieldSpec, P extends PortName> {
  /** `feature.verb`; the command is the same words with a space, unless `command` is given. */
  readonly name: `${string}.${string}`
  readonly place: Place | 'both'
  /** Lowest door that may call it; `private` if absent. */
  readonly from?: Door
  /** `widen` if absent. */
  readonly effect?: Effect
  readonly args: A
  readonly result: S
  /** `run` receives these ports and no others. */
  readonly ports: readonly P[]
  /** Words of the command line, in place of the default. */
  readonly command?: string
  readonly aliases?: readonly string[]
  /** Name in chats, without the slash. */
  readonly slash?: string
  /** The only place whose chats may use it; every place that answers it if absent. */
  readonly slashAt?: Place
  /** Each place has its own answer: the command asks both, and reports which did not respond. */
  readonly each?: true
  /** Timeout in milliseconds, when longer than the default. */
  readonly within?: number
  /** The port released every text individually for the caller's sink, so none has a label above that sink's clearance. */
  readonly released?: true
  /** Requires a home that is already running: a home started only for this call would have nothing to do. */
  readonly awake?: true
  /**
   * The call leads to a task: the command line waits for that task and shows its
   * outcome. The result names the task as `task`, and an answered card as `card`.
   */
  readonly follows?: true
  /**
   * A model's plan may ask for it on the owner's private line at home, as `admin.<feature>_<verb>`
   * (features/admin). It is found by its words, and a change always needs a card. Not for an
   * operation that takes an id, an address, a path or a host, nor for answers to cards.
   */
  readonly plannable?: true
  run(ports: Pick<OperationPorts, P>, args: ValuesOf<A>, caller: Caller): Promise<Result<ValueOf<S>>>
  /**
   * Call that undoes it, stored in the audit row; null when none does. Ids, numbers and file names only, as in any
   * audit row.
   */
  undo?(done: Undoable<ValueOf<S>, ValuesOf<A>>): Undo | null
  /** State that it changes, read before and after for the audit row. */
  state?(ports: Pick<OperationPorts, P>, args: ValuesOf<A>, caller: Caller): Promise<Facts>
  text(result: ValueOf<S>, view: Telling, args: ValuesOf<A>): string
  /** Whether the result is bad news; the command then exits with failure. */
  fails?(result: ValueOf<S>): boolean
  /**
   * The command line shows this operation's result and asks before it continues; in a chat the message itself is the
   * confirmation. Takes the arguments of the same name.
   */
  readonly confirms?: string
}

interface Undoable<R, A> {
  readonly result: R
  readonly args: A
  /** Facts from `state` before the change. */
  readonly before: Facts
}

/** `shows`: an operation that reads. */
interface Confirm {
  readonly shows: string
  readonly asks: string
  readonly otherwise: string
}

/** An operation as the doors see it: values are validated at both ends, for every door. */
export interface Operation {
  readonly name: string
  readonly summary: string
  readonly place: Place | 'both'
  readonly from: Door
  readonly effect: Effect
  readonly args: Arguments
  readonly result: FieldSpec
  readonly ports: readonly PortName[]
  readonly command: readonly string[]
  readonly aliases: readonly (readonly string[])[]
  readonly slash: string | null
  readonly phrases: readonly string[]
  readonly slashAt: Place | null
  readonly each: boolean
  readonly within: number | null
  readonly confirm: Confirm | null
  readonly released: boolean
  readonly awake: boolean
  readonly follows: boolean
  readonly plannable: boolean
  /** The audit row contains the state before and after. */
  readonly states: boolean
  /** The audit row may name the call that undoes it. */
  readonly takesBack: boolean
  readonly refusals: Refusals
  /** Refusal: tool_arguments_invalid. */
  prepare(args: unknown): Result<Prepared>
  /** Validates a result received over a line. Refusals: field_missing, field_malformed, field_too_large. */
  read(result: unknown): Result<unknown>
  text(result: unknown, view: View, args: unknown): string
  fails(result: unknown): boolean
}

/** The operation as seen by code that calls one known operation: argument and result types only. */
export interface TypedOperation<A, R> extends Operation {
  readonly types?: { readonly args: A; readonly result: R }
}

/** An operation with parsed arguments. */
export interface Prepared {
  run(ports: Readonly<Partial<OperationPorts>>, caller: Caller): Promise<Result<unknown>>
  state(ports: Readonly<Partial<OperationPorts>>, caller: Caller): Promise<Facts>
  undo(result: unknown, before: Facts): Undo | null
}

export function defineOperation<
  const A extends DeclaredArguments,
  const S extends FieldSpec,
  const P extends PortName,
>(
  definition: Definition<A, S, P>,
  words: OperationWords = wordsOf(definition.name),
): TypedOperation<Partial<ValuesOf<A>>, ValueOf<S>> {
  const { name, result, ports, from = 'private', effect = 'widen' } = definition
  const now = (): OperationWords => inOwnersLanguage(name, words)
  // Worded on access, because the owner's language may change.
  let about = { of: translation(), args: worded(name, definition.args, now()) }
  return Object.freeze({
    ...{ name, result, ports, from, effect, place: definition.place },
    get summary() {
      return now().summary
    },
    get args() {
      const of = translation()
      if (about.of !== of) about = { of, args: worded(name, definition.args, now()) }
      return about.args
    },
    command: (definition.command ?? name.replace('.', ' ')).split(' '),
    aliases: (definition.aliases ?? []).map((words) => words.split(' ')),
    slash: definition.slash ?? null,
    phrases: words.phrases ?? [],
    slashAt: definition.slashAt ?? null,
    each: definition.each ?? false,
    within: definition.within ?? null,
    get confirm() {
      return confirmOf(definition.confirms, now())
    },
    released: definition.released ?? false,
    awake: definition.awake ?? false,
    follows: definition.follows ?? false,
    plannable: definition.plannable ?? false,
    states: definition.state !== undefined,
    takesBack: definition.undo !== undefined,
    get refusals() {
      return now().refusals ?? {}
    },
    prepare(input: unknown) {
      const read = readArguments(definition.args, input)
      if (!read.ok) return read
      const prepared: Prepared = {
        async run(available, caller) {
          const picked = pickPorts(available, ports)
          const done = picked.ok ? await definition.run(picked.value, read.value, caller) : picked
          // The result is validated where it is made as well, so no undeclared field leaves through any door.
          const given = done.ok ? readShape(result, done.value) : done
          if (given.ok && effect === 'widen' && !hasCard(given.value))
            throw new Error(`${name} widens and has put no card`)
          return given
        },
        async state(given, caller) {
          const picked = pickPorts(given, ports)
          return picked.ok ? ((await definition.state?.(picked.value, read.value, caller)) ?? {}) : {}
        },
        undo: (done, before) =>
          definition.undo?.({ result: done as ValueOf<S>, args: read.value, before }) ?? null,
      }
      return ok(prepared)
    },
    read: (value: unknown) => readShape(result, value),
    // The arguments as `run` got them, with defaults filled in.
    text(value: unknown, view: View, said: unknown) {
      const read = readArguments(definition.args, said)
      return definition.text(
        value as ValueOf<S>,
        { ...view, tell },
        read.ok ? read.value : (said as ValuesOf<A>),
      )
    },
    fails: (value: unknown) => definition.fails?.(value as ValueOf<S>) ?? false,
  })
}

/** Throws for an argument without words, and for words without an argument. */
function worded(name: string, args: DeclaredArguments, words: OperationWords): Arguments {
  const { args: about = {}, takes = {} } = words
  const strange = [...Object.keys(about), ...Object.keys(takes)].find((key) => !Object.hasOwn(args, key))
  if (strange !== undefined) throw new Error(`${name} has no argument ${strange}`)
  return Object.fromEntries(
    Object.entries(args).map(([key, argument]) => {
      const said = about[key]
      if (said === undefined) throw new Error(`${name} has no words for ${key}`)
      const value = takes[key]
      return [key, { ...argument, about: said, ...(value !== undefined && { takes: value }) }]
    }),
  )
}

function confirmOf(shows: string | undefined, { confirm }: OperationWords): Confirm | null {
  return shows === undefined || confirm === undefined ? null : { shows, ...confirm }
}

function hasCard(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'approval') === 'string'
}

/** Refusal: tool_unavailable, when this place lacks one of them. */
function pickPorts<P extends PortName>(
  given: Readonly<Partial<OperationPorts>>,
  names: readonly P[],
): Result<Pick<OperationPorts, P>> {
  const lacking = names.find((port) => given[port] === undefined)
  if (lacking !== undefined) return err('tool_unavailable', { port: lacking })
  return ok(Object.fromEntries(names.map((port) => [port, given[port]])) as Pick<OperationPorts, P>)
}

/** Words for a refusal, where the general ones do not say how to resolve it. */
type Refusals = Readonly<Partial<Record<ReasonCode, string>>>

/** The operation's own words for a refusal, with its facts as `{name}`; undefined where it has none. */
export function refusalWords(
  { refusals }: { readonly refusals: Refusals },
  { code, facts }: Refusal,
): string | undefined {
  return refusals[code]?.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : '',
  )
}

interface OperationWords {
  /** Description in the help. */
  readonly summary: string
  /** Description of each argument. */
  readonly args?: Readonly<Record<string, string>>
  /** Placeholder for an option's value in the help, when not `number` or `name`. */
  readonly takes?: Readonly<Record<string, string>>
  /**
   * Whole messages that request it in the owner's chats; case and the final punctuation mark are ignored. `{which}` stands for a
   * few words that become that argument.
   */
  readonly phrases?: readonly string[]
  /**
   * Words by which a plan's search finds it for a request that is no phrase, besides
   * its summary, in all languages. Only home's table contains them.
   */
  readonly finds?: readonly string[]
  readonly refusals?: Refusals
  /** Question before the command line continues, and the reply when the answer is no. */
  readonly confirm?: { readonly asks: string; readonly otherwise: string }
}

const WORDS: Readonly<Record<string, OperationWords>> = TABLE.operations

/** Throws for an operation without words: every listed operation must have them. */
export function wordsOf(operation: string): OperationWords {
  const words = Object.hasOwn(WORDS, operation) ? WORDS[operation] : undefined
  if (words === undefined) throw new Error(`${operation} has no words`)
  return words
}

/** The texts that people read about an operation, in the owner's language. Phrases are of all languages. */
function inOwnersLanguage(name: string, words: OperationWords): OperationWords {
  const operations = translation()?.operations ?? {}
  return Object.hasOwn(operations, name) ? { ...words, ...operations[name] } : words
}

/** What an operation does, in one clause without conditions; null for an unknown operation. */
export function summaryOf(operation: string): string | null {
  const words = Object.hasOwn(WORDS, operation) ? WORDS[operation] : undefined
  return words === undefined ? null : (inOwnersLanguage(operation, words).summary.split(';')[0] ?? null)
}

/** Description of a group of commands with the same first word; empty for one whose commands need none. */
export function groupWords(group: string): string {
  const words: Readonly<Record<string, string>> = translation()?.groups ?? TABLE.groups
  return Object.hasOwn(words, group) ? (words[group] ?? '') : ''
}
