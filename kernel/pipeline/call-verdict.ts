/**
 * The flow rules of one call, together: what its arguments may reach, where a write may go, and whether the
 * owner must be asked first (A-25 –, DESIGN §2). Yields null for "go", a reason to ask, or a refusal.
 * Called by authorize.ts and by serve.ts.
 */
import { checkClearance } from '../flow/clearance.ts'
import { checkDeclassifiable } from '../flow/declassify.ts'
import { type FieldSpec, leavesOf } from '../flow/field.ts'
import { stringsIn } from '../flow/json.ts'
import { combine, test } from '../flow/labeled.ts'
import { checkEgress, checkWrite } from '../flow/policy.ts'
import { allowed, type Refusal, type Result, refused, type Verdict } from '../flow/verdict.ts'
import { isKernelEffect, MEMORY_SINK } from '../powers/effects.ts'
import type { Powers } from '../powers/ports.ts'
import { openTextOf } from '../powers/sealed.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { ResolvedArgument, ResolvedCall } from './resolve.ts'
import { policyFor } from './route.ts'
import { controlAbove } from './select.ts'

/** No sink at all: a destination that is in no table. */
const UNLISTED = 'sink:unlisted'

export interface CallInput {
  readonly powers: Powers
  readonly task: Task
  readonly template: Template
  readonly index: number
  readonly action: RegisteredAction
  readonly call: ResolvedCall
}

/** null: no question. A refusal inside `ok` is a question for the owner; outside it is a *no*. */
export async function callVerdict(input: CallInput): Promise<Result<Refusal | null>> {
  const { action, call } = input
  const unknown = await unknownDestinations(input)
  for (const { value } of unknown) {
    // What may never be lowered may not be put to the owner either (F-14).
    const open = checkDeclassifiable(input.powers.policy(), value, UNLISTED)
    if (!open.ok) return open
  }
  const reach = checkReach(action, call)
  const flow = action.semantics === 'write' ? checkSink(input) : null
  for (const verdict of [reach, flow]) {
    if (verdict === null || verdict.allow) continue
    // A read that would tell a lower reader too much is refused; a write may be put to the owner, once (F-12).
    if (action.semantics === 'read') return refused(verdict.code, verdict.facts)
    const open = checkDeclassifiable(input.powers.policy(), call.whole, action.sink ?? input.task.sink)
    return open.ok ? allowed(verdict) : open
  }
  if (action.semantics === 'read') {
    return allowed(
      unknown.length > 0 ? { code: 'write_unknown_destination', facts: { tool: action.id } } : null,
    )
  }
  const verdict = await writeVerdict(input, unknown.length)
  return allowed(verdict.allow ? null : verdict)
}

async function writeVerdict(input: CallInput, unknownDestinations: number): Promise<Verdict> {
  const { powers, task, template, index, action, call } = input
  const control = await controlAbove(powers, task, index)
  return checkWrite({
    arguments: call.args.map(({ spec, value }) => ({ taint: value.taint, freeText: hasFreeText(spec) })),
    control: [control.taint, ...call.absent.map(({ taint }) => taint)],
    unknownDestinations,
    // The owner's own memory and the answer to his own chat reach nobody else.
    templateAsks: template.requireApprovalForWrites && !isKernelEffect(action.id),
  })
}

/**
 * The service that sees the arguments must be cleared for them. An address is judged by the destination rule instead:
 * typed by the owner it is his to use, anything else is put to him. The kernel's own memory is judged as a sink.
 */
function checkReach(action: RegisteredAction, call: ResolvedCall): Verdict | null {
  if (isKernelEffect(action.id)) return null
  for (const { spec, value } of call.args) {
    if (isDestination(spec)) continue
    const verdict = checkClearance({ level: action.reaches, compartments: [] }, value.label, 'write_down')
    if (!verdict.allow) return verdict
  }
  // That an argument is missing tells the service something of the record it was looked for in.
  for (const { label } of action.semantics === 'write' ? call.absent : []) {
    const verdict = checkClearance({ level: action.reaches, compartments: [] }, label, 'write_down')
    if (!verdict.allow) return verdict
  }
  return null
}

function checkSink({ powers, task, action, call }: CallInput): Verdict {
  const kernelSink = action.id === 'memory.save' ? MEMORY_SINK[powers.place] : null
  const request = { label: call.whole.label, template: task.template, now: powers.now() }
  const sink = kernelSink ?? action.sink ?? task.sink
  return checkEgress(policyFor(powers.policy(), task), { ...request, sink })
}

/** Destinations that the owner neither typed in this message nor keeps as a contact or grant (DESIGN §2). */
async function unknownDestinations(input: CallInput): Promise<readonly ResolvedArgument[]> {
  const { powers, task, call } = input
  const strange: ResolvedArgument[] = []
  for (const argument of call.args) {
    if (!isDestination(argument.spec) || isGranted(input, argument) || isContact(powers, argument)) continue
    if (!(await isTypedByOwner(powers, task, argument))) strange.push(argument)
  }
  return strange
}

function isContact(powers: Powers, { value }: ResolvedArgument): boolean {
  const known = new Set(powers.profile().contacts.map(({ email }) => email.toLowerCase()))
  return test(value, (inner) => stringsIn(inner).every((address) => known.has(address.toLowerCase())))
}

function isGranted({ powers, template, action }: CallInput, { value }: ResolvedArgument): boolean {
  const live = powers
    .policy()
    .destinationGrants.filter((grant) => !grant.revoked && grant.expiresAt > powers.now())
    .filter((grant) => grant.template === template.id && grant.tool === action.id)
  return test(value, (inner) =>
    stringsIn(inner).every((to) => live.some(({ destination }) => destination === to)),
  )
}

/** A whole word of his own clean words: neither a name that matched a mail nor a piece of an address makes a destination. */
async function isTypedByOwner(powers: Powers, task: Task, { value }: ResolvedArgument): Promise<boolean> {
  if (task.words.taint.level !== 'clean' || value.taint.level !== 'clean') return false
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const typed = combine([words.value, value], ([text, inner]) => {
    const known = wordsOf(String(text))
    return stringsIn(inner ?? null).every((address) => known.has(address))
  })
  return test(typed, (inner) => inner === true)
}

/** Words as typed, and without the punctuation around them: `<tom@new.example>,` is `tom@new.example`. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return new Set(words.flatMap((word) => [word, word.replace(/^[<("'[]+|[>)"'\].,;:!?]+$/g, '')]))
}

function isDestination(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.destination === true)
}

function hasFreeText(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.kind === 'text')
}
