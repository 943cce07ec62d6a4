/**
 * The flow rules of one call, combined: what its arguments may reach, where a write may go, and whether the
 * owner must be asked first (A-25 –, DESIGN §2). Yields a question, a grant that answers it, or a
 * refusal. Called by authorize.ts.
 */

import { isOwnRef, PLANNER } from '../features/approvals/card/authors.ts'
import { standingGrants } from '../features/grants/grants.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { policyFor } from '../features/people/route.ts'
import { checkClearance } from '../flow/clearance.ts'
import { checkDeclassifiable } from '../flow/declassify.ts'
import { digestOf } from '../flow/digest.ts'
import { type FieldSpec, leavesOf } from '../flow/field.ts'
import { findUnaskedGrant, findWriteGrant } from '../flow/grant.ts'
import { type Json, stringsIn } from '../flow/json.ts'
import { joinLabels, type Label, labelOf } from '../flow/label.ts'
import { combine, fingerprint, type Labeled, type Provenance, test } from '../flow/labeled.ts'
import type { Compartment, Level } from '../flow/level.ts'
import { checkEgress, checkWrite } from '../flow/policy.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { err, ok, type Refusal, type Result, type Verdict } from '../flow/verdict.ts'
import { isKept, isKernelEffect, MEMORY_SINK } from '../powers/effects.ts'
import type { Clock, OwnerFacts } from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import type { ReasonCode } from '../reasons.ts'
import { ASK_OWNER, OWN, parseReference, referencesIn, UNSURE } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { readersLevel } from '../tool/target.ts'
import { accountSentAlong, alongDigest } from './along.ts'
import { coveringYes, opensLater } from './covered.ts'
import {
  type Disclosure,
  disclosureGrantFor,
  disclosureOf,
  hasWordsOfText,
  isDisclosed,
  UNASKED,
} from './disclosure.ts'
import { pageGrantFor } from './job-page.ts'
import { jobThatTells } from './job-told.ts'
import { isOnward, isOwnOnward } from './onward.ts'
import { readGrantFor } from './read-grant.ts'
import {
  type CallInput,
  type CallPorts,
  type ResolvedArgument,
  type ResolvedCall,
  scopeOf,
} from './resolve.ts'
import { canBeTakenBack } from './taken-back.ts'
import { followAsked, isOwnEdit } from './values/asked.ts'
import { bareWord, standsIn, typedWords } from './values/literals.ts'
import { controlAbove } from './values/select.ts'

/** Placeholder for a destination that is in no table of sinks. */
const UNLISTED = 'sink:unlisted'

/** Verdict on a call that may run, possibly after a question. */
interface CallVerdict {
  /** Question for the owner; null when the call may run at once. */
  readonly question: Refusal | null
  /** Grant that answers the question, or that the call requires; its use must be counted. */
  readonly grant: string | null
  /** Earlier step's approval that covers this call; its use must be recorded. */
  readonly covered?: string
  /** Number of the job whose approval covers this call; its use must be recorded. */
  readonly job?: number
}

/** Input of the verdict. The arguments may come from a pending call. */
interface JudgedCall extends CallInput {
  readonly powers: CallPorts & Clock & StoreOf<TaskStore & ApprovalStore & Pick<JobStore, 'findJob'>>
  /** True for a job that is being proposed: its card asks the question. */
  readonly draft?: true
}

/** A refusal inside `ok` is a question for the owner; an `err` is final. */
export async function callVerdict(input: JudgedCall): Promise<Result<CallVerdict>> {
  const { powers, task, action, call } = input
  // Only an answer of the owner can provide the value, so no rule below applies.
  if (action.id === ASK_OWNER)
    return ok({ question: { code: 'write_template_asks', facts: { tool: action.id } }, grant: null })
  const unknown = await unknownDestinations(input)
  for (const { value } of unknown) {
    // Data whose label may never be lowered cannot be released by the owner's approval either (F-14).
    const open = checkDeclassifiable(powers.policy(), value, UNLISTED)
    if (!open.ok) return open
  }
  if (call.args.some(({ spec }) => isDestination(spec)) && hasWordsOfText(input))
    return err('value_for_others', { tool: action.id })
  const disclosure = await disclosureOf(input, (told) =>
    input.draft === true ? 0 : jobThatTells(input, told),
  )
  if (!disclosure.ok) return disclosure
  // The approval of the search covers reading these pages, since nothing private led to them.
  const covered = disclosure.value === null ? await coveringYes(input, unknown) : null
  if (covered !== null) return ok({ question: null, grant: null, covered })
  const control = await controlAbove(powers, task, input.index)
  const reach = checkReach(input, control.label)
  const flow = action.semantics === 'write' ? checkSink(input, control.label) : null
  for (const verdict of [reach, flow]) {
    if (verdict === null || verdict.allow) continue
    // A read that would disclose too much to a lower reader is refused; for a write the owner may approve it
    // once (F-12).
    if (action.semantics === 'read') return err(verdict.code, verdict.facts)
    if (hasOtherReaders(action) && !isSaidHere(input, control.label)) return err(verdict.code, verdict.facts)
    const label = joinLabels(call.whole.label, control.label)
    const open = checkDeclassifiable(policyFor(powers.policy(), task), { label }, action.sink ?? task.sink)
    return open.ok ? ok({ question: verdict, grant: null }) : open
  }
  if (action.semantics === 'read') return readVerdict(input, unknown.length, disclosure.value)
  const verdict = writeVerdict(input, control, unknown.length)
  if (disclosure.value !== null)
    return ok({ question: verdict.allow ? telling(action) : verdict, grant: null })
  const facts = { tool: action.id }
  if (task.plan?.explanation === UNSURE)
    return ok({ question: verdict.allow ? { code: 'write_unsure', facts } : verdict, grant: null })
  if (!verdict.allow) return ok(asking(input, verdict))
  const asked = action.asks === 'always'
  return ok({ question: asked ? { code: 'write_approval_required', facts } : null, grant: null })
}

function readVerdict(input: JudgedCall, unknown: number, disclosure: Disclosure | null): Result<CallVerdict> {
  const facts = { tool: input.action.id }
  if (unknown > 0 && disclosure === null)
    return ok(asking(input, { code: 'write_unknown_destination', facts }))
  if (disclosure !== null) {
    const { job } = disclosure
    if (job !== undefined && unknown === 0)
      return ok({ question: input.draft === true ? telling(input.action) : null, grant: null, job })
    const grant = unknown > 0 || opensLater(input) ? null : disclosureGrantFor(input, disclosure)
    return ok({ question: telling(input.action), grant })
  }
  const grant = readGrantFor(input)
  return grant.ok ? ok({ question: null, grant: grant.value }) : grant
}

function telling({ id: tool }: CallInput['action']): Refusal {
  return { code: 'disclosure_asks', facts: { tool } }
}

function asking(input: JudgedCall, question: Refusal): CallVerdict {
  return { question, grant: writeGrantFor(input, question.code) ?? pageGrantFor(input, question.code) }
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
    templateAsks:
      template.requireApprovalForWrites &&
      !isKernelEffect(action.id) &&
      !canBeTakenBack({ template, action, call }),
  })
}

/**
 * The service that sees the arguments must be cleared for them. An address is judged by the destination rule
 * instead: one the owner typed passes, any other needs approval. The kernel's own memory is judged as a sink.
 * Making the call at all reveals to the service what decided it, so `control` is checked like an argument,
 * except what the owner said in this chat.
 */
function checkReach(input: CallInput, control: Label): Verdict | null {
  const { task, action, call } = input
  if (isKernelEffect(action.id)) return null
  const own = ownWordsOrigin(task.sink)
  const deciding = labelOf(control.atoms.filter(({ origin }) => origin !== own))
  const readers = { level: levelOfReaders(action, call), compartments: compartmentsOfReaders(action) }
  const made = checkClearance(readers, deciding, 'write_down')
  if (!made.allow) return made
  for (const argument of call.args) {
    const { spec, value } = argument
    // Judged by other rules.
    if (isDestination(spec) || isDisclosed(spec)) continue
    // Told to nobody, or to those alone who were told exactly that before, or said it themselves.
    if (staysHere(spec) || isOnward(input, argument)) continue
    const verdict = checkClearance(readers, value.label, 'write_down')
    if (!verdict.allow) return verdict
  }
  // A missing argument reveals something about the record it was looked up in.
  for (const { label } of action.semantics === 'write' ? call.absent : []) {
    const verdict = checkClearance(readers, label, 'write_down')
    if (!verdict.allow) return verdict
  }
  return null
}

/** Whether anyone but the owner can read what is written: readers that were looked up, or everyone. */
function hasOtherReaders({ target, reaches }: CallInput['action']): boolean {
  return target !== undefined || reaches === 'public'
}

/** A tool without a host sends nothing out, so data of its compartment may decide its calls. */
function compartmentsOfReaders({ compartment, tool }: CallInput['action']): readonly Compartment[] {
  const { network, accounts = [], credential, selfHosted = false } = tool
  const isOfHome = network.length + accounts.length === 0 && credential === null && !selfHosted
  return compartment !== null && isOfHome ? [compartment] : []
}

/** Before the lookup, the readers of a target are unknown. */
function levelOfReaders(action: CallInput['action'], { readers }: ResolvedCall): Level {
  return readersLevel(action, readers)
}

function checkSink({ powers, task, action, call }: CallInput, control: Label): Verdict {
  const kernelSink = isKept(action.id) ? MEMORY_SINK[powers.place] : null
  const label = joinLabels(call.whole.label, control)
  const request = { label, template: task.template, now: powers.now() }
  const sink = kernelSink ?? action.sink ?? task.sink
  return checkEgress(policyFor(powers.policy(), task), { ...request, sink })
}

/**
 * Whether everything that the readers are not cleared for was typed in this message, or worded from it. The owner
 * may send that to them after a card; what was looked up, remembered or written by others is refused (I-14).
 */
function isSaidHere({ powers, task, index, action, call }: JudgedCall, control: Label): boolean {
  const readers = { level: levelOfReaders(action, call), compartments: compartmentsOfReaders(action) }
  const own = ownWordsOrigin(task.sink)
  const deciding = labelOf(control.atoms.filter(({ origin }) => origin !== own))
  if (!checkClearance(readers, deciding, 'write_down').allow) return false
  const step = task.plan?.steps[index]
  return call.args.every(({ name, value }) => {
    if (checkClearance(readers, value.label, 'write_down').allow) return true
    const written = step !== undefined && 'args' in step ? step.args[name] : undefined
    const of = { step: step?.id ?? '', name }
    const from = followAsked(powers, { task, written: written ?? null, of, path: [] }, isOwnEdit)
    return isOwnEdit(from) || (referencesIn(from?.written).every(isSaidRef) && isForThem(value, own))
  })
}

/** Whether the owner typed the value, or a planner wrote it that had read nothing private but the message. */
function isForThem({ label, taint }: Provenance, own: string): boolean {
  if (taint.level !== 'raw') return true
  const others = labelOf(label.atoms.filter(({ origin }) => origin !== own))
  return (
    taint.origins.some((origin) => origin.startsWith(PLANNER)) &&
    checkClearance(UNASKED, others, 'write_down').allow
  )
}

function isSaidRef(ref: string): boolean {
  const parsed = parseReference(ref)
  return parsed.ok && (parsed.value.root === 'said' || parsed.value.root === OWN)
}

/**
 * Questions that a grant can answer in advance. Excludes `write_raw` and any question about a new reader of
 * the data.
 */
const COVERED: readonly ReasonCode[] = ['write_template_asks', 'write_unknown_destination', 'write_free_text']

/** Id of a live grant that answers this question; null when the owner must be asked. */
function writeGrantFor(input: CallInput, question: ReasonCode): string | null {
  const { powers } = input
  if (question === 'write_template_asks') {
    const unasked = unaskedGrantFor(input)
    if (unasked !== null) return unasked
  }
  if (!COVERED.includes(question) || neverGranted(input)) return null
  const { writeGrants } = powers.policy()
  return findWriteGrant(writeGrants, { ...shapeOfCall(input), now: powers.now() })?.id ?? null
}

/**
 * Id of the owner's grant under which writes of typed values by this template run without asking. Asked
 * last in `checkWrite`: nothing in the call is raw, no text is by others, and the destination is known.
 */
function unaskedGrantFor({ powers, task, template, action }: CallInput): string | null {
  if (task.place !== 'home' || template.unasked?.includes(action.id) !== true) return null
  const shape = { template: template.id, tool: action.id, now: powers.now() }
  return findUnaskedGrant(standingGrants(powers), shape)?.id ?? null
}

/** What a grant is bound to: place, argument names, destinations, form of a key. */
export function shapeOfCall({ powers, task, template, action, call }: CallInput) {
  const to = call.args.filter(({ spec }) => isDestination(spec))
  const key = Object.values(alongDigest(accountSentAlong(powers, action, call.whole)))
  return {
    template: template.id,
    tool: action.id,
    sink: action.sink ?? task.sink,
    args: call.args.map(({ name }) => name).sort(),
    destinations: [...to.flatMap(({ value }) => fingerprints(value)), ...key].sort(),
    scope: scopeOf(call),
  }
}

/** Whether the call contains what no grant covers: values that are not the owner's. */
export function neverGranted(input: CallInput): boolean {
  return (
    input.action.asks === 'always' ||
    input.call.args.some((argument) => isOthersText(argument) || isReadOut(input, argument))
  )
}

/** A value extracted from a text needs a card (DESIGN §10). The grant binds addresses. */
function isReadOut({ task, index }: CallInput, { name, spec, value }: ResolvedArgument): boolean {
  if (value.taint.level === 'clean' || isDestination(spec)) return false
  const step = task.plan?.steps[index]
  const written = step !== undefined && 'args' in step ? step.args[name] : undefined
  return !referencesIn(written).every(isOwnRef)
}

/** Free text not written by the owner can say anything, so a grant given for another text never covers it. */
function isOthersText({ spec, value }: CallInput['call']['args'][number]): boolean {
  return hasFreeText(spec) && value.taint.level !== 'clean'
}

/** One fingerprint per address, so that a grant for two addresses covers a call to one of them. */
function fingerprints(value: Labeled): readonly string[] {
  const digests = (inner: Json): string => stringsIn(inner).map(digestOf).join(' ')
  return fingerprint(value, digests)
    .split(' ')
    .filter((digest) => digest !== '')
}

async function unknownDestinations(input: CallInput): Promise<readonly ResolvedArgument[]> {
  const { powers, task, call } = input
  const strange: ResolvedArgument[] = []
  for (const argument of call.args) {
    if (!isDestination(argument.spec) || isContact(powers, argument) || isOwnOnward(input, argument)) continue
    if (!(await isTypedByOwner(powers, task, argument))) strange.push(argument)
  }
  return strange
}

function isDestination(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.destination === true)
}

function staysHere(spec: FieldSpec): boolean {
  return leavesOf(spec).every(([, leaf]) => leaf.stays === true)
}

function hasFreeText(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.kind === 'text')
}

function isContact(powers: OwnerFacts, { value }: ResolvedArgument): boolean {
  const known = new Set(powers.profile().contacts.map(({ email }) => email.toLowerCase()))
  return test(value, (inner) => stringsIn(inner).every((address) => known.has(address.toLowerCase())))
}

/**
 * Matches whole words of the owner's own clean text only; a name of several words must occur
 * as one phrase. A name found in a mail, or part of an address, does not count as typed.
 */
async function isTypedByOwner(
  powers: SealedReading,
  task: Task,
  { value }: ResolvedArgument,
): Promise<boolean> {
  if (task.words.taint.level !== 'clean' || value.taint.level !== 'clean') return false
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const typed = combine([words.value, value], ([text, inner]) => {
    const known = new Set(typedWords(String(text)).flatMap((word) => [word, bareWord(word)]))
    return stringsIn(inner ?? null).every(
      (address) => known.has(address) || (/\s/.test(address) && standsIn(String(text), address)),
    )
  })
  return test(typed, (inner) => inner === true)
}
