/**
 * Resolve: turns references into labelled values, and arguments into one labelled tree (C-14, C-16). A value keeps
 * the label and taint of exactly the field it came from. Must not authorise or run. Called by authorize.ts,
 * invoke.ts and compose.ts.
 */

import { guardReply } from '../features/deliveries/payload.ts'
import { digestOf } from '../flow/digest.ts'
import { type FieldSpec, parseFields } from '../flow/field.ts'
import { isPlainRecord, isSafeKey, type Json, valueAt as jsonAt, type Path } from '../flow/json.ts'
import { PUBLIC } from '../flow/label.ts'
import {
  combine,
  derive,
  fingerprint,
  joinProvenance,
  type Labeled,
  type Provenance,
  test,
} from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { type LabeledRecord, lengthAt } from '../flow/record.ts'
import { taintOf } from '../flow/taint.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Actions, AtPlace, HomeLine, OwnerFacts, PolicySource, Tools } from '../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, GrantStore, IdentityLinkStore, StoreOf, TaskStore } from '../powers/stores.ts'
import { isCut } from '../task/cut-text.ts'
import { editOf } from '../task/edits.ts'
import {
  type Argument,
  CONTACTS_ROOT,
  isReference,
  OWN,
  parseReference,
  REPLY,
  referencesIn,
} from '../task/plan.ts'
import type { SealedRef, StepResult, Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { askedIn, followAsked, takesItsOwn } from './values/asked.ts'
import { withoutLeft } from './values/left-out.ts'
import { literalAt, writtenValue } from './values/literals.ts'
import { choiceAt, choiceIn, fitted, listLength, membersOf, membersUnder } from './values/members.ts'
import { isAbsent, pickRow } from './values/row.ts'
import { isSaidSpan, saidSpan } from './values/said.ts'
import { openFound } from './values/value.ts'

/** A longer chain of aliases is treated as a loop. */
const MAX_ALIASES = 8

/** Final target of a reference: a sealed or selected root, and a path inside it. */
interface Target {
  readonly root: string
  readonly path: Path
  /** Provenance of the choices that led there; the value bears it. */
  readonly chosen: readonly Provenance[]
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
  /** Values from the lookup of a write's target; also part of `whole`. */
  readonly readers?: string
}

/** Ports needed to judge one call. */
export type CallPorts = SealedReading &
  AtPlace &
  PolicySource &
  OwnerFacts &
  Actions &
  Tools &
  HomeLine &
  StoreOf<GrantStore & IdentityLinkStore & Pick<ApprovalStore, 'approvalsOf'>>

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
function targetOf(task: Task, ref: string): Result<Target> {
  const parsed = parseReference(ref)
  if (!parsed.ok) return parsed
  let target: Target = { ...parsed.value, chosen: [] }
  for (let hops = 0; hops < MAX_ALIASES; hops += 1) {
    const result = task.results[target.root]
    const chosen = [...target.chosen, ...choiceIn(result)]
    if (result?.kind === 'alias')
      target = { root: result.root, path: [...result.path, ...target.path], chosen }
    else if (result?.kind === 'aliases') {
      const [index, ...rest] = target.path
      if (typeof index !== 'number') return err('reference_unresolved', { root: target.root })
      const item = result.paths[index]
      if (item === undefined) return err('nothing_found', { root: target.root })
      target = { root: result.root, path: [...item, ...rest], chosen }
    } else if (result?.kind === 'many') {
      const [index, ...rest] = target.path
      const step = typeof index === 'number' ? result.steps[index] : undefined
      if (step === undefined) return err('reference_unresolved', { root: target.root })
      target = { root: step, path: rest, chosen }
    } else return ok(target)
  }
  return err('reference_malformed', { root: target.root })
}

/** Joins the provenance of the choices to a value. */
function bearing(value: Result<Labeled>, chosen: readonly Provenance[]): Result<Labeled> {
  if (!value.ok || chosen.length === 0) return value
  return ok(
    combine<Json, Json>([value.value, receive(null, joinProvenance(...chosen))], ([inner]) => inner ?? null),
  )
}

/** The sealed row behind a root; null for a root that has none. */
export function sealedAt(task: Task, root: string): SealedRef | null {
  if (root === 'said') return task.said
  if (root.startsWith('w') || root === CONTACTS_ROOT) return task.memory[root] ?? null
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
  // An empty list also bears what led to it.
  if (members !== null) return bearing(await everyOf(powers, task, members), choiceAt(task, ref))
  const target = targetOf(task, ref)
  if (!target.ok) return target
  const value = bearing(await valueAt(powers, task, target.value), target.value.chosen)
  if (value.ok || value.reason.code !== 'field_unknown') return value
  // A field of a list stands for that field of all items.
  const all = await membersIn(powers, task, ref)
  if (all === null) return err('reference_malformed', { root: target.value.root })
  return all.length === 0 ? err('nothing_found', { root: target.value.root }) : everyOf(powers, task, all)
}

/** References to each of several values that one reference names; null where it names one. */
export async function membersIn(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<readonly string[] | null> {
  const members = membersOf(task, ref)
  if (members !== null) return members
  const at = await recordAt(powers, task, ref)
  return at === null ? null : membersUnder(ref, at)
}

async function valueAt(
  powers: SealedReading & Actions,
  task: Task,
  { root, path }: Target,
): Promise<Result<Labeled>> {
  const result = task.results[root]
  if (result?.kind === 'value' && path.length === 0) {
    const found = await openFound(powers, result.ref)
    return found.ok ? ok(derive(found.value, ({ value }) => value)) : found
  }
  if (result?.kind === 'choice' && path.length === 0) return chosen(powers, task, result)
  if (root === OWN) return ownValue(powers, task, path)
  if (isSaidSpan(root, path)) return saidSpan(powers, task, path)
  const sealed = sealedAt(task, root)
  if (sealed === null) return err('reference_unresolved', { root })
  if (sealed.holds.what === 'record') {
    const record = await openRecordOf(powers, sealed)
    return record.ok ? pickRow(record.value, path) : record
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

async function everyOf(
  powers: SealedReading & Actions,
  task: Task,
  refs: readonly string[],
): Promise<Result<Labeled>> {
  const values: Labeled[] = []
  let missing: Result<Labeled> | null = null
  for (const ref of refs) {
    const value = await resolveRef(powers, task, ref)
    if (value.ok) values.push(value.value)
    else missing ??= value
  }
  // A failed call among several is reported separately; the others have results.
  return missing !== null && values.length === 0 ? missing : ok(combine(values, (all) => [...all]))
}

/** The record and path behind a reference; null for a text, a value, or what does not exist. */
export async function recordAt(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<{ readonly record: LabeledRecord; readonly path: Path } | null> {
  const target = targetOf(task, ref)
  const sealed = target.ok ? sealedAt(task, target.value.root) : null
  if (!target.ok || sealed?.holds.what !== 'record') return null
  const record = await openRecordOf(powers, sealed)
  return record.ok ? { record: record.value, path: target.value.path } : null
}

/** Length of the list that a reference names. */
export async function countAt(
  powers: SealedReading & Actions,
  task: Task,
  ref: string,
): Promise<Result<number>> {
  const parsed = parseReference(ref)
  const members = parsed.ok && parsed.value.path.length === 0 ? listLength(task, parsed.value.root) : null
  if (members !== null) return ok(members)
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
  powers: GuardPorts & SealedReading & StoreOf<ApprovalStore>,
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
  if (!takesItsOwn(powers, task, { tool: call.action.id, args: call.args })) return err('reference_malformed')
  for (const [name, spec] of Object.entries(call.action.args.fields)) {
    const edit = editOf(task, call.step, name)
    if (!Object.hasOwn(call.args, name) && edit === undefined) continue
    const argument = (call.args[name] ?? null) as Argument
    const own = edit === undefined ? null : await openTextOf(powers, edit.ref)
    const written = own ?? (await argumentValue({ powers, task, planned }, argument))
    const found = withoutLeft(task, { step: call.step, name }, fitted(spec, written))
    // A text that the owner wrote on a card may contain links. In a corrected text the rest is by others.
    const guarded = (own === null || edit?.kept === true) && found.ok && call.action.id === REPLY
    const cut = referencesIn(argument).some((ref) => isCut(task, ref))
    const value = guarded ? await guardReply(powers, task, { text: found.value, cut }) : found
    if (value.ok) args.push({ name, spec, value: value.value })
    // Merely absent, not said by the owner or not returned by the tool: an optional argument is then omitted.
    else if (spec.optional !== true || !isAbsent(value.reason.code)) return value
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
  const chosen = target.ok ? target.value.chosen : []
  if (sealed !== null && chosen.length > 0) return joinProvenance(sealed, ...chosen)
  return sealed ?? { label: PUBLIC, taint: taintOf('raw', 'unresolved') }
}

/** Resource that a token is valid for, as digests: enforceable without revealing it. */
export function scopeOf(call: ResolvedCall): string {
  const scoped = call.args.filter(({ spec }) => 'scope' in spec && spec.scope === true)
  return scoped.map(({ name, value }) => `${name}#${fingerprint(value, digestOf).slice(0, 16)}`).join(',')
}

interface Resolving {
  readonly powers: SealedReading & Actions & StoreOf<TaskStore & ApprovalStore>
  readonly task: Task
  readonly planned: Provenance
}

/** One operand of `compute`: a reference or a number of the plan's own. */
export function operandValue(
  powers: SealedReading & Actions & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  operand: Argument,
): Promise<Result<Labeled>> {
  return argumentValue({ powers, task, planned: task.planned ?? task.words }, operand)
}

async function argumentValue(resolving: Resolving, argument: Argument): Promise<Result<Labeled>> {
  if (isReference(argument) && askedIn(argument.$ref) !== null) return askedValue(resolving, argument)
  if (isReference(argument)) return resolveRef(resolving.powers, resolving.task, argument.$ref)
  // A container bears the plan's own provenance, since it may be empty otherwise.
  if (Array.isArray(argument)) {
    const items = await everyValue(resolving, argument)
    return items.ok
      ? ok(combine([receive(null, resolving.planned), ...items.value], ([, ...rest]) => rest))
      : items
  }
  if (isPlainRecord(argument)) {
    const keys = Object.keys(argument)
    if (!keys.every(isSafeKey)) return err('reference_malformed')
    const values = await everyValue(resolving, Object.values(argument) as Argument[])
    if (!values.ok) return values
    const entry = (parts: readonly Json[]): Json =>
      Object.fromEntries(keys.map((key, i) => [key, parts[i + 1] ?? null]))
    return ok(combine([receive(null, resolving.planned), ...values.value], entry))
  }
  return ok(receive(argument as Json, resolving.planned))
}

/** The argument as the waiting call has it: bytes and provenance are those that the owner was asked about. */
async function askedValue({ powers, task }: Resolving, written: Argument): Promise<Result<Labeled>> {
  const found = followAsked(powers, { task, written, of: null, path: [] })
  // Must not be absent: an argument of a card is kept or changed, never dropped silently.
  if (found === null) return err('reference_malformed')
  const edit = found.of === null ? undefined : editOf(found.task, found.of.step, found.of.name)
  if (edit !== undefined) return openTextOf(powers, edit.ref)
  const planned = found.task.planned ?? found.task.words
  const whole = await argumentValue({ powers, task: found.task, planned }, found.written)
  const value = withoutLeft(found.task, found.of, whole)
  if (!value.ok || found.path.length === 0) return value
  return test(value.value, (whole) => jsonAt(whole, found.path) !== undefined)
    ? ok(derive(value.value, (whole) => jsonAt(whole, found.path) ?? null))
    : err('reference_malformed')
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
