/**
 * An operation: something that the owner can ask the running system to do or to show about itself (DESIGN §9). One definition, from which
 * the method of home's socket, the signed route of the edge, `pfar`, slash commands, help and the audit row are derived. Must not act by
 * itself. Called by every file in kernel/features/<feature>/operations.
 */
import type { FieldSpec } from '../flow/field.ts'
import type { Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { type Arguments, type DeclaredArguments, readArguments, type ValuesOf } from './argument.ts'
import type { Caller, Door, Undo } from './caller.ts'
import type { OperationPorts, PortName } from './ports.ts'
import { readShape, type ValueOf } from './shape.ts'
import { type OperationWords, type Refusals, type Tell, tell, wordsOf } from './words.ts'

/** `widen`: afterwards somebody may have, read or do more than before; it puts a card and does nothing else. */
export type Effect = 'read' | 'write' | 'widen'

/** What words for people need beside the result. */
export interface View {
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string
  /** Which place answers. */
  readonly place: Place
  /** The card that it put stands beside the words, with how to answer it. */
  readonly cardBeside: boolean
  /** How another operation is asked for here: `pfar grants revoke g1` or `/revoke g1`. */
  readonly say: (operation: string, ...args: readonly string[]) => string
}

/** The same, with the sentences of the features. */
export interface Telling extends View {
  readonly tell: Tell
}

/** Ids, labels, counts and states; never content. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

interface Definition<A extends DeclaredArguments, S extends FieldSpec, P extends PortName> {
  /** `feature.verb`; the command is the same words with a space unless `command` says other ones. */
  readonly name: `${string}.${string}`
  readonly place: Place | 'both'
  /** The lowest door that may call it; `private` if left out. */
  readonly from?: Door
  /** `widen` if left out. */
  readonly effect?: Effect
  readonly args: A
  readonly result: S
  /** And no others reach `run`. */
  readonly ports: readonly P[]
  /** Words of the command line, and other words for the same. */
  readonly command?: string
  readonly aliases?: readonly string[]
  /** Without its slash: what it is called in a chat. */
  readonly slash?: string
  /** The only place whose chats may say it; each that answers it if left out. */
  readonly slashAt?: Place
  /** Each place tells its own: the command asks both, and says which did not answer. */
  readonly each?: true
  /** Milliseconds for the answer, where it may take longer than others. */
  readonly within?: number
  /** Its port has released every text of it for the caller's sink, one by one: none is more guarded than that sink may hold. */
  readonly released?: true
  /** It is for a home that runs: one that was started for it alone has nothing to do. */
  readonly awake?: true
  /** What it leads to is a task: the command line waits for it and shows what came of it. Its result names it as `task`, and as `card` what was answered. */
  readonly follows?: true
  run(ports: Pick<OperationPorts, P>, args: ValuesOf<A>, caller: Caller): Promise<Result<ValueOf<S>>>
  /** What takes it back, noted in the audit row; null where nothing does. Ids, numbers and names of files, as in any audit row. */
  undo?(done: Undoable<ValueOf<S>, ValuesOf<A>>): Undo | null
  /** Facts that it changes, read before and after it for the audit row. */
  state?(ports: Pick<OperationPorts, P>, args: ValuesOf<A>, caller: Caller): Promise<Facts>
  text(result: ValueOf<S>, view: Telling, args: ValuesOf<A>): string
  /** Whether what was found is bad news: the command then fails. */
  fails?(result: ValueOf<S>): boolean
  /** The command line shows it and asks before it goes on; a chat asks by nothing else than its message. Takes the arguments of the same name. */
  readonly confirms?: string
}

interface Undoable<R, A> {
  readonly result: R
  readonly args: A
  /** What `state` said before. */
  readonly before: Facts
}

/** `shows`: an operation that reads. */
export interface Confirm {
  readonly shows: string
  readonly asks: string
  readonly otherwise: string
}

/** What the doors see of an operation: values are checked at both of its ends, whatever the door. */
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
  readonly refusals: Refusals
  /** Refusal: tool_arguments_invalid. */
  prepare(args: unknown): Result<Prepared>
  /** Checks what came over a line. Refusals: field_missing, field_malformed, field_too_large. */
  read(result: unknown): Result<unknown>
  text(result: unknown, view: View, args: unknown): string
  fails(result: unknown): boolean
}

/** The same, for code that calls one operation and knows which: what it takes and gives back, in types alone. */
export interface TypedOperation<A, R> extends Operation {
  readonly types?: { readonly args: A; readonly result: R }
}

/** With its arguments read. */
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
  const args = worded(name, definition.args, words)
  return Object.freeze({
    ...{ name, args, result, ports, from, effect, place: definition.place, summary: words.summary },
    command: (definition.command ?? name.replace('.', ' ')).split(' '),
    aliases: (definition.aliases ?? []).map((words) => words.split(' ')),
    slash: definition.slash ?? null,
    phrases: words.phrases ?? [],
    slashAt: definition.slashAt ?? null,
    each: definition.each ?? false,
    within: definition.within ?? null,
    confirm: confirmOf(definition.confirms, words),
    released: definition.released ?? false,
    awake: definition.awake ?? false,
    follows: definition.follows ?? false,
    refusals: words.refusals ?? {},
    prepare(input: unknown) {
      const read = readArguments(definition.args, input)
      if (!read.ok) return read
      const prepared: Prepared = {
        async run(available, caller) {
          const picked = pickPorts(available, ports)
          const done = picked.ok ? await definition.run(picked.value, read.value, caller) : picked
          // What it gives back is as declared at its own end, too: nothing undeclared leaves by any door.
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
    // As `run` had them: what was not said has its initial value.
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

/** Refusal: tool_unavailable, where this place lacks one of them. */
function pickPorts<P extends PortName>(
  given: Readonly<Partial<OperationPorts>>,
  names: readonly P[],
): Result<Pick<OperationPorts, P>> {
  const lacking = names.find((port) => given[port] === undefined)
  if (lacking !== undefined) return err('tool_unavailable', { port: lacking })
  return ok(Object.fromEntries(names.map((port) => [port, given[port]])) as Pick<OperationPorts, P>)
}
