/**
 * The flow rules of one call, combined: what its arguments may reach, where a write may go, and whether the owner
 * must be asked first (A-25 –, DESIGN §2). Yields a question, a grant that answers it, or a refusal.
 * Called by authorize.ts.
 */
import { checkClearance } from '../flow/clearance.ts'
import { checkDeclassifiable } from '../flow/declassify.ts'
import { joinLabels, type Label, labelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { checkEgress, checkWrite } from '../flow/policy.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { err, ok, type Refusal, type Result, type Verdict } from '../flow/verdict.ts'
import type { CallInput } from '../pipeline/resolve.ts'
import { policyFor } from '../pipeline/route.ts'
import { isKernelEffect, MEMORY_SINK } from '../powers/effects.ts'
import { ASK_OWNER } from '../task/plan.ts'
import { readGrantFor, writeGrantFor } from './call-grant.ts'
import { hasFreeText, isDestination, unknownDestinations } from './destination.ts'
import { type Disclosure, disclosureGrantFor, disclosureOf, isDisclosed } from './disclosure.ts'
import { controlAbove } from './select.ts'

/** Stands for a destination that is in no table of sinks. */
const UNLISTED = 'sink:unlisted'

/** Verdict on a call that may run, possibly after a question. */
export interface CallVerdict {
  /** Question for the owner; null when the call may run at once. */
  readonly question: Refusal | null
  /** Grant that answers the question, or that the call requires; its use must be counted. */
  readonly grant: string | null
}

/** A refusal inside `ok` is a question for the owner; an `err` is final. */
export async function callVerdict(input: CallInput): Promise<Result<CallVerdict>> {
  const { powers, task, action, call } = input
  // Only the owner's answer can satisfy this call; no rule below applies.
  if (action.id === ASK_OWNER)
    return ok({ question: { code: 'write_template_asks', facts: { tool: action.id } }, grant: null })
  const unknown = await unknownDestinations(powers, task, call)
  for (const { value } of unknown) {
    // Data whose label may never be lowered cannot be put to the owner either (F-14).
    const open = checkDeclassifiable(powers.policy(), value, UNLISTED)
    if (!open.ok) return open
  }
  const disclosure = await disclosureOf(input)
  if (!disclosure.ok) return disclosure
  const control = await controlAbove(powers, task, input.index)
  const reach = checkReach(input, control.label)
  const flow = action.semantics === 'write' ? checkSink(input, control.label) : null
  for (const verdict of [reach, flow]) {
    if (verdict === null || verdict.allow) continue
    // A read that would disclose too much to a lower reader is refused; for a write the owner may approve it once
    // (F-12).
    if (action.semantics === 'read') return err(verdict.code, verdict.facts)
    const label = joinLabels(call.whole.label, control.label)
    const open = checkDeclassifiable(policyFor(powers.policy(), task), { label }, action.sink ?? task.sink)
    return open.ok ? ok({ question: verdict, grant: null }) : open
  }
  if (action.semantics === 'read') return readVerdict(input, unknown.length, disclosure.value)
  const verdict = writeVerdict(input, control, unknown.length)
  if (disclosure.value !== null)
    return ok({ question: verdict.allow ? telling(action) : verdict, grant: null })
  return ok(verdict.allow ? { question: null, grant: null } : asking(input, verdict))
}

function readVerdict(input: CallInput, unknown: number, disclosure: Disclosure | null): Result<CallVerdict> {
  const facts = { tool: input.action.id }
  if (unknown > 0 && disclosure === null)
    return ok(asking(input, { code: 'write_unknown_destination', facts }))
  if (disclosure !== null) {
    const grant = unknown > 0 ? null : disclosureGrantFor(input, disclosure)
    return ok({ question: telling(input.action), grant })
  }
  const grant = readGrantFor(input)
  return grant.ok ? ok({ question: null, grant: grant.value }) : grant
}

function telling({ id: tool }: CallInput['action']): Refusal {
  return { code: 'disclosure_asks', facts: { tool } }
}

function asking(input: CallInput, question: Refusal): CallVerdict {
  return { question, grant: writeGrantFor(input, question.code) }
}

function writeVerdict(
  { template, action, call }: CallInput,
  control: Provenance,
  unknownDestinations: number,
): Verdict {
  return checkWrite({
    arguments: call.args.map(({ spec, value }) => ({ taint: value.taint, freeText: hasFreeText(spec) })),
    control: [control.taint, ...call.absent.map(({ taint }) => taint)],
    unknownDestinations,
    // Writes to the owner's own memory, and answers to their own chat, reach nobody else.
    templateAsks: template.requireApprovalForWrites && !isKernelEffect(action.id),
  })
}

/**
 * The service that sees the arguments must be cleared for them. An address is judged by the destination rule instead:
 * one the owner typed passes, any other needs approval. The kernel's own memory is judged as a sink. Making the call
 * at all reveals to the service what decided it, so `control` is checked like an argument, except what the owner said
 * in this chat.
 */
function checkReach({ task, action, call }: CallInput, control: Label): Verdict | null {
  if (isKernelEffect(action.id)) return null
  const own = ownWordsOrigin(task.sink)
  const deciding = labelOf(control.atoms.filter(({ origin }) => origin !== own))
  const made = checkClearance({ level: action.reaches, compartments: [] }, deciding, 'write_down')
  if (!made.allow) return made
  for (const { spec, value } of call.args) {
    // Judged by rules of their own.
    if (isDestination(spec) || isDisclosed(spec)) continue
    const verdict = checkClearance({ level: action.reaches, compartments: [] }, value.label, 'write_down')
    if (!verdict.allow) return verdict
  }
  // A missing argument reveals something about the record it was looked up in.
  for (const { label } of action.semantics === 'write' ? call.absent : []) {
    const verdict = checkClearance({ level: action.reaches, compartments: [] }, label, 'write_down')
    if (!verdict.allow) return verdict
  }
  return null
}

function checkSink({ powers, task, action, call }: CallInput, control: Label): Verdict {
  const kernelSink = action.id === 'memory.save' ? MEMORY_SINK[powers.place] : null
  const label = joinLabels(call.whole.label, control)
  const request = { label, template: task.template, now: powers.now() }
  const sink = kernelSink ?? action.sink ?? task.sink
  return checkEgress(policyFor(powers.policy(), task), { ...request, sink })
}
