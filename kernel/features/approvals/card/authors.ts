/**
 * Who wrote each argument of a call on a card (F-03): the owner, the assistant, a service from which it was
 * looked up, or others. Derived from the provenance and taint of a value, never from its content. Called by
 * authorize.ts and card.ts.
 */
import { followAsked, isOwnEdit } from '../../../call/asked.ts'
import { leavesOf } from '../../../flow/field.ts'
import type { ResolvedCall } from '../../../pipeline/resolve.ts'
import { HELD } from '../../../powers/effects.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import {
  type Argument,
  CANNED,
  CONTACTS_ROOT,
  OWN,
  parseReference,
  RULES,
  referencesIn,
} from '../../../task/plan.ts'
import type { Task } from '../../../task/task.ts'

/** Ordered as a card names them. `approved`: a card showed it before, and had a yes. */
export const AUTHORS = Object.freeze(['owner', 'assistant', 'service', 'others', 'approved'] as const)
export type Author = (typeof AUTHORS)[number]

/** Names of arguments, by author. */
export type Authors = Readonly<Partial<Record<Author, readonly string[]>>>

/** Roots of references to the owner's own data. */
const OWN_ROOTS: readonly string[] = ['said', OWN, CONTACTS_ROOT]

/** Origins of taint that name a planning model begin so. */
export const PLANNER = 'planner:'

export function authorsOf(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  step: { readonly id: string; readonly args: { readonly [name: string]: Argument } },
  call: ResolvedCall,
): Authors {
  const authors: Partial<Record<Author, string[]>> = {}
  for (const argument of call.args) {
    const of = { step: step.id, name: argument.name }
    const sourced = { task, written: step.args[argument.name] ?? null, of, path: [] }
    const from = followAsked(powers, sourced, isOwnEdit)
    const author = from === null || isOwnEdit(from) ? 'owner' : authorOf(from.task, from.written, argument)
    authors[author] = [...(authors[author] ?? []), argument.name]
  }
  return authors
}

/** `written`: the argument as the plan has it. */
export function authorOf(
  { words, plan, planner, results, memory = {} }: Omit<Task, 'memory'> & Partial<Pick<Task, 'memory'>>,
  written: Argument,
  { spec, value }: Pick<ResolvedCall['args'][number], 'spec' | 'value'>,
): Author {
  // What is only true or false says nothing of where it comes from: a model chose it.
  const isOurs = planner === RULES || planner === CANNED
  if (value.taint.level === 'clean') return typeof written === 'boolean' && !isOurs ? 'assistant' : 'owner'
  const held = referencesIn(written)
  if (held.length > 0 && held.every((ref) => isHeld(memory, ref))) return 'approved'
  const refs = held.map((ref) => picked(plan, results, ref))
  // Of what a text of others says, the day is theirs, whatever was added to it.
  if (refs.length > 0 && refs.every((ref) => isCalculated(plan, ref)))
    return value.taint.level === 'raw' ? 'service' : 'assistant'
  const isOwn = refs.every(isOwnRef)
  if (isOwn && value.taint.origins.some((origin) => origin.startsWith(PLANNER))) return 'assistant'
  // What the owner typed bears the facts that the planner had read, and stays the owner's; it is never raw.
  if (isOwn && value.taint.level === 'extracted' && words.taint.level === 'clean') return 'owner'
  // Code's own plan makes a text of the owner's words alone, such as a main clause of one behind "dass".
  if (isOurs && refs.length > 0 && refs.every(isLiteral) && words.taint.level === 'clean') return 'assistant'
  // A declared field of a service is its own, also where it is given as a text: the id of a calendar.
  const isFact = value.taint.level === 'extracted' && refs.length > 0 && !refs.some(isOwnRef)
  return !isFact && leavesOf(spec).some(([, leaf]) => leaf.kind === 'text') ? 'others' : 'service'
}

/** Whether it lies in what was approved for a later time, as it was approved (docs/decisions/022). */
function isHeld(memory: Task['memory'], ref: string): boolean {
  const parsed = parseReference(ref)
  const holds = parsed.ok ? memory[parsed.value.root]?.holds : undefined
  return holds?.what === 'record' && holds.action.startsWith(HELD)
}

/** Of what the owner picked among several, the reference to that one. */
function picked(plan: Task['plan'], results: Task['results'], ref: string): string {
  const parsed = parseReference(ref)
  const root = parsed.ok ? parsed.value.root : ''
  const result = results[root]
  const isPicked = plan?.steps.some(({ id, do: verb }) => id === root && verb === 'clarify') === true
  if (!isPicked || result?.kind !== 'alias') return ref
  return `${result.root}${result.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')}`
}

function isCalculated(plan: Task['plan'], ref: string): boolean {
  const parsed = parseReference(ref)
  return (
    parsed.ok &&
    plan?.steps.some(({ id, do: verb }) => id === parsed.value.root && verb === 'compute') === true
  )
}

/** Whether it names a text that the plan holds itself. */
function isLiteral(ref: string): boolean {
  const parsed = parseReference(ref)
  return parsed.ok && parsed.value.root === OWN
}

/** Whether it names something of the owner's, or a value of the plan itself. */
export function isOwnRef(ref: string): boolean {
  const parsed = parseReference(ref)
  return parsed.ok && OWN_ROOTS.includes(parsed.value.root)
}
