/**
 * Who wrote each argument of a call on a card (F-03): the owner, the assistant, a service from which it was looked up, or others.
 * Derived from the provenance and taint of a value, never from its content. Called by ask.ts, call-verdict.ts, card.ts and
 * show-plan.ts.
 */

import type { ResolvedCall } from '../../../call/resolve.ts'
import { followAsked, isOwnEdit } from '../../../call/values/asked.ts'
import { leavesOf } from '../../../flow/field.ts'
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

/** Authors in the order of a card. `approved`: an earlier card showed the value, and was approved. */
export const AUTHORS = Object.freeze(['owner', 'assistant', 'service', 'others', 'approved'] as const)
export type Author = (typeof AUTHORS)[number]

/** Names of arguments, by author. */
export type Authors = Readonly<Partial<Record<Author, readonly string[]>>>

/** Roots of references to the owner's own data. */
const OWN_ROOTS: readonly string[] = ['said', OWN, CONTACTS_ROOT]

/** Prefix of taint origins that name a planning model. */
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
  // A boolean has no author of its own: a model chose it.
  const isOurs = planner === RULES || planner === CANNED
  if (value.taint.level === 'clean') return typeof written === 'boolean' && !isOurs ? 'assistant' : 'owner'
  const held = referencesIn(written)
  if (held.length > 0 && held.every((ref) => isHeld(memory, ref))) return 'approved'
  const refs = held.map((ref) => picked(plan, results, ref))
  // A calculated date counts as looked up if a part of it was read from a raw text, otherwise as the assistant's.
  if (refs.length > 0 && refs.every((ref) => isCalculated(plan, ref)))
    return value.taint.level === 'raw' ? 'service' : 'assistant'
  const isOwn = refs.every(isOwnRef)
  if (isOwn && value.taint.origins.some((origin) => origin.startsWith(PLANNER))) return 'assistant'
  // Words of the owner bear the label of facts that the planner had read, but stay the owner's; they are
  // never raw.
  if (isOwn && value.taint.level === 'extracted' && words.taint.level === 'clean') return 'owner'
  // A plan by code builds texts only from the owner's words, such as a main clause from a "dass" clause.
  if (isOurs && refs.length > 0 && refs.every(isLiteral) && words.taint.level === 'clean') return 'assistant'
  // A declared field of a service counts as the service's, even if passed as text, such as the id of a
  // calendar.
  const isFact = value.taint.level === 'extracted' && refs.length > 0 && !refs.some(isOwnRef)
  return !isFact && leavesOf(spec).some(([, leaf]) => leaf.kind === 'text') ? 'others' : 'service'
}

/** Whether the value is part of a scheduled call, as it was approved (docs/decisions/022). */
function isHeld(memory: Task['memory'], ref: string): boolean {
  const parsed = parseReference(ref)
  const holds = parsed.ok ? memory[parsed.value.root]?.holds : undefined
  return holds?.what === 'record' && holds.action.startsWith(HELD)
}

/** The reference to the option that the owner chose. */
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

/** Whether the reference names a literal of the plan. */
function isLiteral(ref: string): boolean {
  const parsed = parseReference(ref)
  return parsed.ok && parsed.value.root === OWN
}

/** Whether the reference names data of the owner, or a literal of the plan. */
export function isOwnRef(ref: string): boolean {
  const parsed = parseReference(ref)
  return parsed.ok && OWN_ROOTS.includes(parsed.value.root)
}
