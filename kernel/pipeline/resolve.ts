/**
 * Resolve: turns references into labelled values, and arguments into one labelled tree (C-14, C-16). A value keeps
 * the label and taint of exactly the field it came from. Must not authorise or run. Called by authorize.ts, invoke.ts
 * and compose.ts.
 */

import { isCut, referencesIn } from '../call/cut-text.ts'
import { literalAt, writtenValue } from '../call/literals.ts'
import { guardReply } from '../features/deliveries/reply.ts'
import { type FieldSpec, parseFields } from '../flow/field.ts'
import { isPlainRecord, isSafeKey, type Json, type Path } from '../flow/json.ts'
import { PUBLIC } from '../flow/label.ts'
import { combine, derive, fingerprint, type Labeled, type Provenance, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { type LabeledRecord, lengthAt, pick } from '../flow/record.ts'
import { taintOf } from '../flow/taint.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Actions, AtPlace, HomeLine, OwnerFacts, PolicySource } from '../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { GrantStore, IdentityLinkStore, StoreOf } from '../powers/stores.ts'
import { digestOf } from '../task/capability.ts'
import { type Argument, isReference, OWN, parseReference, REPLY } from '../task/plan.ts'
import type { SealedRef, StepResult, Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { GuardPorts } from './guard.ts'

/** A longer chain of aliases is treated as a loop. */
const MAX_ALIASES = 8

/** Final target of a reference: a sealed or selected root, and a path inside it. */
export interface Target {
  readonly root: string
  readonly path: Path
}

/** One argument by itself, for the taint rule and the destination rule. */
export interface ResolvedArgument {
  readonly name: string
  readonly spec: FieldSpec
  readonly value: Labeled
}

export interface ResolvedCall {
  readonly args: readonly ResolvedArgument[]
  /** Provenance of the records in which absent optional arguments were looked up; also part of `whole`. */
  readonly absent: readonly Provenance[]
  /** All arguments as one tree: the bytes that are digested, shown and run. */
  readonly whole: Labeled<{ readonly [key: string]: Json }>
}

/** Ports needed to judge one call. */
export type CallPorts = SealedReading &
  AtPlace &
  PolicySource &
  OwnerFacts &
  Actions &
  HomeLine &
  StoreOf<GrantStore & IdentityLinkStore>

/** A resolved call and its task: the input of the flow rules. */
export interface CallInput {
  readonly powers: CallPorts
  readonly task: Task
  readonly template: Template
  readonly index: number
  readonly action: RegisteredAction
  readonly call: ResolvedCall
}

/** Follows `select` aliases to the actual data. */
export function targetOf(task: Task, ref: string): Result<Target> {
  const parsed = parseReference(ref)
  if (!parsed.ok) return parsed
  let target: Target = parsed.value
  for (let hops = 0; hops < MAX_ALIASES; hops += 1) {
    const result = task.results[target.root]
    if (result?.kind === 'alias') target = { root: result.root, path: [...result.path, ...target.path] }
    else if (result?.kind === 'aliases') {
      const [index, ...rest] = target.path
      const chosen = typeof index === 'number' ? result.paths[index] : undefined
      if (chosen === undefined) return err('reference_unresolved', { root: target.root })
      target = { root: result.root, path: [...chosen, ...rest] }
    } else if (result?.kind === 'many') {
      const [index, ...rest] = target.path
      const step = typeof index === 'number' ? result.steps[index] : undefined
      if (step === undefined) return err('reference_unresolved', { root: target.root })
      target = { root: step, path: rest }
    } else return ok(target)
  }
  return err('reference_malformed', { root: target.root })
}

export function sealedAt(task: Task, root: string): SealedRef | null {
  if (root === 'said') return task.said
  if (root.startsWith('w')) return task.memory[root] ?? null
  const result = task.results[root]
  return result?.kind === 'sealed' ? result.ref : null
}

/** The value that a reference names. */
export async function resolveRef(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<Result<Labeled>> {
  const members = membersOf(task, ref)
  if (members !== null) return everyOf(powers, task, members)
  const target = targetOf(task, ref)
  if (!target.ok) return target
  const { root, path } = target.value
  const result = task.results[root]
  if (result?.kind === 'choice' && path.length === 0) return chosen(powers, task, result)
  if (root === OWN) return ownValue(powers, task, path)
  const sealed = sealedAt(task, root)
  if (sealed === null) return err('reference_unresolved', { root })
  if (sealed.holds.what === 'record') {
    const record = await openRecordOf(powers, sealed)
    return record.ok ? pick(record.value, path) : record
  }
  return path.length === 0 ? openTextOf(powers, sealed) : err('reference_unresolved', { root })
}

/** An option written by the planner; bears what the planner read, in addition to what the choice depends on. */
async function chosen(
  powers: SealedReading,
  task: Task,
  { value, provenance }: Extract<StepResult, { kind: 'choice' }>,
): Promise<Result<Labeled>> {
  const choice = receive(value, provenance)
  if (value === null) return ok(choice)
  const option = await writtenValue(powers, task, value)
  return option.ok ? ok(combine([choice, option.value], ([, text]) => text ?? null)) : option
}

function ownValue(powers: SealedReading, task: Task, [index, ...rest]: Path): Promise<Result<Labeled>> {
  return typeof index === 'number' && rest.length === 0
    ? literalAt(powers, task, index)
    : Promise.resolve(err('reference_unresolved', { root: OWN }))
}

/** The result of `select … all` or `forEach` is a list of references; its value is the list of their values. */
function membersOf(task: Task, ref: string): readonly string[] | null {
  const parsed = parseReference(ref)
  if (!parsed.ok || parsed.value.path.length > 0) return null
  const { root } = parsed.value
  const result = task.results[root]
  if (result?.kind === 'many') return result.steps
  return result?.kind === 'aliases' ? result.paths.map((_, index) => `${root}[${index}]`) : null
}

async function everyOf(
  powers: SealedReading & Actions,
  task: Task,
  refs: readonly string[],
): Promise<Result<Labeled>> {
  const values: Labeled[] = []
  for (const ref of refs) {
    const value = await resolveRef(powers, task, ref)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(combine(values, (all) => [...all]))
}

/** Length of the list that a reference names. */
export async function countAt(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<Result<number>> {
  const members = membersOf(task, ref)
  if (members !== null) return ok(members.length)
  const list = await listAt(powers, task, ref)
  return list.ok ? ok(list.value.length) : list
}

/** Record and path behind a reference to a list, for `select` and `forEach`. */
export async function listAt(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<Result<Target & { readonly record: LabeledRecord; readonly length: number }>> {
  const target = targetOf(task, ref)
  if (!target.ok) return target
  const sealed = sealedAt(task, target.value.root)
  if (sealed === null) return err('reference_unresolved', { root: target.value.root })
  const record = await openRecordOf(powers, sealed)
  if (!record.ok) return record
  const length = lengthAt(record.value, target.value.path)
  return length.ok ? ok({ ...target.value, record: record.value, length: length.value }) : length
}

/** Arguments of a call: references resolved, each literal labelled with what the planner read. */
export async function resolveCall(
  powers: GuardPorts & SealedReading,
  task: Task,
  call: {
    readonly action: RegisteredAction
    readonly args: { readonly [key: string]: Argument }
    readonly step: string
  },
): Promise<Result<ResolvedCall>> {
  const planned: Provenance = task.planned ?? task.words
  const args: ResolvedArgument[] = []
  const absent: Provenance[] = []
  for (const [name, spec] of Object.entries(call.action.args.fields)) {
    if (!Object.hasOwn(call.args, name)) continue
    const argument = call.args[name] as Argument
    const edit = task.edits?.[call.step]
    const own = edit?.argument === name ? await openTextOf(powers, edit.ref) : null
    const found = own ?? (await argumentValue({ powers, task, planned }, argument))
    // Text that the owner wrote in its place may contain its own links.
    const guarded = own === null && found.ok && call.action.id === REPLY
    const cut = referencesIn(argument).some((ref) => isCut(task, ref))
    const value = guarded ? await guardReply(powers, task, { text: found.value, cut }) : found
    if (value.ok) args.push({ name, spec, value: value.value })
    else if (!(spec.optional === true && isAbsence(value.reason.code))) return value
    else for (const ref of referencesIn(argument)) absent.push(await provenanceBehind(powers, task, ref))
  }
  const whole = combine(
    [
      ...args.map(({ name, value }) => derive(value, (inner) => ({ [name]: inner }))),
      // Whoever could have supplied an absent argument decided its absence, so the whole bears that provenance too.
      ...absent.map((looked) => receive({}, looked)),
    ],
    (parts) => Object.assign({}, ...parts) as { readonly [key: string]: Json },
  )
  const fits = test(whole, (value) => parseFields(call.action.args, value, 'refuse').ok)
  return fits ? ok({ args, absent, whole }) : err('tool_arguments_invalid', { tool: call.action.id })
}

/**
 * Provenance of what a reference names, present or absent. Absence is decided by whoever could have supplied the
 * value: the record, or a stranger when there is no record.
 */
export async function provenanceBehind(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<Provenance> {
  const value = await resolveRef(powers, task, ref)
  if (value.ok) return value.value
  const target = targetOf(task, ref)
  const sealed = target.ok ? sealedAt(task, target.value.root) : null
  return sealed ?? { label: PUBLIC, taint: taintOf('raw', 'unresolved') }
}

/** Resource that a token is valid for, as digests: enforceable without revealing it. */
export function scopeOf(call: ResolvedCall): string {
  const scoped = call.args.filter(({ spec }) => 'scope' in spec && spec.scope === true)
  return scoped.map(({ name, value }) => `${name}#${fingerprint(value, digestOf).slice(0, 16)}`).join(',')
}

interface Resolving {
  readonly powers: SealedReading & Actions
  readonly task: Task
  readonly planned: Provenance
}

async function argumentValue(resolving: Resolving, argument: Argument): Promise<Result<Labeled>> {
  if (isReference(argument)) return resolveRef(resolving.powers, resolving.task, argument.$ref)
  if (Array.isArray(argument)) {
    const items = await everyValue(resolving, argument)
    return items.ok ? ok(combine([blank(resolving), ...items.value], ([, ...rest]) => rest)) : items
  }
  if (isPlainRecord(argument)) {
    const keys = Object.keys(argument)
    if (!keys.every(isSafeKey)) return err('reference_malformed')
    const values = await everyValue(resolving, Object.values(argument) as Argument[])
    if (!values.ok) return values
    const entry = (parts: readonly Json[]): Json =>
      Object.fromEntries(keys.map((key, i) => [key, parts[i + 1] ?? null]))
    return ok(combine([blank(resolving), ...values.value], entry))
  }
  return ok(receive(argument as Json, resolving.planned))
}

/** Applies the plan's own provenance to a container, which may otherwise be empty. */
function blank({ planned }: Resolving): Labeled {
  return receive(null, planned)
}

async function everyValue(
  resolving: Resolving,
  items: readonly Argument[],
): Promise<Result<readonly Labeled[]>> {
  const values: Labeled[] = []
  for (const item of items) {
    const value = await argumentValue(resolving, item)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}

/**
 * Whether the value is merely absent: not said by the owner, or not returned by the tool. An optional argument is
 * then omitted.
 */
function isAbsence(code: string): boolean {
  return code === 'reference_unresolved'
}
