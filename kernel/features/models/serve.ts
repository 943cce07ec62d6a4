/**
 * Runs a read-only tool call at home for the edge (DESIGN §1), within the edge's clearance. Checks everything again with home's
 * own data, since a compromised edge may request anything. For a stranger (F-13, X-05): only under a live grant of home, for this
 * template, these fields and the stranger's own chat, within its limits. Called by home's tunnel client.
 */

import { accountSentAlong, alongDigest } from '../../call/along.ts'
import { readGrantFor } from '../../call/read-grant.ts'
import { type CallPorts, type ResolvedCall, scopeOf } from '../../call/resolve.ts'
import { runCall } from '../../call/run-call.ts'
import { checkClearance } from '../../flow/clearance.ts'
import { digestOf } from '../../flow/digest.ts'
import { leavesOf, parseFields } from '../../flow/field.ts'
import type { Json } from '../../flow/json.ts'
import { describeLabel, joinLabels, type Label } from '../../flow/label.ts'
import { combine, derive, fingerprint } from '../../flow/labeled.ts'
import { rankOf } from '../../flow/level.ts'
import { PLACE_CLEARANCE } from '../../flow/place.ts'
import { checkEgress } from '../../flow/policy.ts'
import { parseProvenance, receive } from '../../flow/provenance.ts'
import { declaredLabel, type LabeledRecord } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { shapeOf } from '../../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  Clock,
  DirectiveFiles,
  Extraction,
  Ids,
  PolicySource,
  Principals,
  Templates,
  TokenKey,
  Tools,
} from '../../powers/ports.ts'
import type {
  ApprovalStore,
  AuditLog,
  CapabilityUses,
  EventStore,
  StoreOf,
  Transactions,
  TurnStore,
} from '../../powers/stores.ts'
import { issueCapability, TOKEN_LIFETIME } from '../../task/capability.ts'
import { classOf, parsePrincipalId } from '../../task/principal.ts'
import { mayStart, type Template } from '../../template/template.ts'
import { findAction, type RegisteredAction } from '../../tool/registry.ts'
import type { SettingPorts } from '../admin/planned.ts'
import type { ContactPorts } from '../contacts/contacts.ts'
import { type DeliverPorts, releaseToPlace } from '../deliveries/deliver.ts'
import type { JobStore } from '../jobs/port.ts'
import type { EntryNumbers, FactStore, Forgetting, MemoryStore } from '../memory/port.ts'
import { agreementOver, directoryOf } from '../people/person-of.ts'
import type { AgreementStore } from '../people/port.ts'
import { policyFor } from '../people/route.ts'
import type { HomeAnswer, HomeCall } from '../places/home-port.ts'
import type { ReminderPorts } from '../reminders/named.ts'

/** Ports of everything that an answer to the edge may use. */
type ServePorts = DeliverPorts &
  AskingTime &
  CallPorts &
  CheckAskedPorts &
  DirectiveFiles &
  TokenKey &
  Extraction &
  StoreOf<JobStore & EventStore> &
  ReminderPorts &
  ContactPorts &
  SettingPorts &
  StoreOf<CapabilityUses & ApprovalStore & TurnStore & MemoryStore & FactStore & Forgetting & EntryNumbers>

export async function serveHomeCall(powers: ServePorts, call: HomeCall): Promise<HomeAnswer> {
  const { id, task, step, trace, principal, tool } = call
  const made = await answerCall(powers, call)
  const facts = { tool, asked: 'edge', ok: made.ok, code: made.ok ? null : made.reason.code }
  powers.store.appendAudit({
    at: powers.now(),
    place: powers.place,
    kind: 'tool_invoked',
    trace,
    task,
    principal,
    facts,
  })
  if (!made.ok) return { id, task, step, ok: false, reason: made.reason.code }
  const { record, output } = made.value
  const { inputs, reported = null } = record.source
  return { id, task, step, ok: true, output, label: describeLabel(record.label), inputs, reported }
}

async function answerCall(
  powers: ServePorts,
  call: HomeCall,
): Promise<Result<{ readonly record: LabeledRecord; readonly output: Json }>> {
  if (powers.now() > call.deadline) return err('home_timeout', { call: call.id })
  const asked = checkAsked(powers, call)
  if (!asked.ok) return asked
  const { action, template } = asked.value
  const resolved = resolve(action, call)
  if (!resolved.ok) return resolved
  const reach = checkClearance(
    { level: action.reaches, compartments: [] },
    resolved.value.whole.label,
    'write_down',
  )
  if (!reach.allow) return err(reach.code, reach.facts)
  const isOwner = call.principal === powers.policy().owner
  const granted = isOwner
    ? ok(true)
    : useReadGrant(powers, { call, template, action, resolved: resolved.value })
  if (!granted.ok) return granted
  const token = tokenFor(powers, call, { action, resolved: resolved.value })
  const tokened = {
    task: call.task,
    step: stepName(call),
    ceiling: PLACE_CLEARANCE.edge,
    action,
  }
  const record = await runCall(powers, { ...tokened, call: resolved.value, token }, null)
  if (!record.ok) return record
  const told = isOwner ? granted : checkAnswer(powers, call, record.value.label)
  if (!told.ok) return told
  const output = releaseToPlace(powers, record.value.whole(), {
    sink: 'sink:place:edge',
    template: call.template,
  })
  return output.ok ? ok({ record: record.value, output: output.value }) : output
}

interface AskedFor {
  readonly template: Template
  readonly action: RegisteredAction
}

/** Ports needed to check a request of the edge. */
type CheckAskedPorts = Clock &
  PolicySource &
  Principals &
  Actions &
  Templates &
  Tools &
  StoreOf<AgreementStore>

/**
 * Accepts the owner, or a stranger in their own chat; a template available at the edge; a read-only tool of that
 * template which home has.
 */
function checkAsked(powers: CheckAskedPorts, call: HomeCall): Result<AskedFor> {
  const template = powers.templates.find(({ id }) => id === call.template)
  if (template === undefined) return err('template_none_matches')
  const who = checkWho(powers, call, template)
  if (!who.ok) return who
  if (rankOf(template.ceiling.level) > rankOf(PLACE_CLEARANCE.edge.level)) return err('place_not_cleared')
  if (!template.tools.includes(call.tool)) return err('tool_not_in_template', { tool: call.tool })
  const action = findAction(powers.registry, call.tool)
  if (!action.ok) return action
  if (action.value.semantics !== 'read') return err('approval_place_too_low', { tool: call.tool })
  if (leavesOf(action.value.args).some(([, leaf]) => leaf.destination === true))
    return err('write_unknown_destination')
  const found = powers.tools.availability(action.value)
  if (found === 'here') return ok({ template, action: action.value })
  if (found === 'off') return err('service_off', { tool: call.tool })
  return err(found === 'credential' ? 'credential_missing' : 'tool_unavailable', { tool: call.tool })
}

function checkWho(
  powers: Clock & PolicySource & Principals & Templates & StoreOf<AgreementStore>,
  call: HomeCall,
  template: Template,
): Result<true> {
  if (call.principal !== powers.policy().owner) return checkStranger(powers, call, template)
  return template.principalClass === 'owner' ? ok(true) : err('principal_not_allowed')
}

function resolve(action: RegisteredAction, call: HomeCall): Result<ResolvedCall> {
  const provenance = parseProvenance(call.provenance)
  if (!provenance.ok) return provenance
  const parsed = parseFields(action.args, call.args, 'refuse')
  if (!parsed.ok) return err('tool_arguments_invalid', { tool: call.tool })
  const values = parsed.value as { readonly [key: string]: Json }
  const whole = receive(values, provenance.value)
  const args = Object.keys(values).flatMap((name) => {
    const spec = action.args.fields[name]
    return spec === undefined ? [] : [{ name, spec, value: derive(whole, (all) => all[name] ?? null) }]
  })
  return ok({
    args,
    absent: [],
    whole: combine([whole], ([all]) => all as { readonly [key: string]: Json }),
  })
}

function tokenFor(
  powers: Clock & Ids & AtPlace & TokenKey & Tools,
  call: HomeCall,
  { action, resolved }: { readonly action: RegisteredAction; readonly resolved: ResolvedCall },
): ReturnType<typeof issueCapability> {
  const issuedAt = powers.now()
  return issueCapability(
    {
      ...{
        id: powers.newId(),
        place: powers.place,
        task: call.task,
        template: call.template,
        principal: call.principal,
      },
      ...{
        step: stepName(call),
        tool: action.id,
        scope: scopeOf(resolved),
        argsTaint: resolved.whole.taint,
        approval: null,
      },
      ...{
        ...alongDigest(accountSentAlong(powers, action, resolved.whole)),
        argsDigest: fingerprint(resolved.whole, digestOf),
        issuedAt,
        expiresAt: issuedAt + TOKEN_LIFETIME,
      },
      maxInvocations: 1,
    },
    powers.tokenKey,
  )
}

function stepName(call: HomeCall): string {
  return `s${call.step + 1}`
}

/** A call on behalf of a stranger. */
interface GrantedCall {
  readonly call: HomeCall
  readonly template: Template
  readonly action: RegisteredAction
  readonly resolved: ResolvedCall
}

/**
 * Refusals: principal_not_allowed; agreement_ended; sink_not_of_task for a chat that this person could not have
 * written in.
 */
function checkStranger(
  powers: Clock & PolicySource & Principals & Templates & StoreOf<AgreementStore>,
  { principal, sink }: HomeCall,
  template: Template,
): Result<true> {
  const name = parsePrincipalId(principal)
  const person = name.ok ? name.value : { kind: 'nobody' as const }
  // A group has many readers, and no grant for a single requester.
  if (person.kind !== 'peer' && person.kind !== 'member' && person.kind !== 'number')
    return err('principal_not_allowed')
  const as = classOf(principal, directoryOf(powers))
  if (template.principalClass !== as) return err('principal_not_allowed')
  // Checks home's own row: the edge's copy may be old or forged.
  const over = agreementOver(powers, { principal, template: template.id, sink: sink ?? '' })
  if (over !== null) return err(over.code, over.facts)
  const { adapter } = person
  const isKnown = powers.policy().sinks.some(({ id }) => id === sink)
  const isOwn = sink?.startsWith(`sink:${adapter}:`) === true && !isKnown
  return isOwn && mayStart(template, { adapter, kind: 'message', class: as })
    ? ok(true)
    : err('sink_not_of_task')
}

/**
 * Counts one use of the covering grant before the call is made, so the budget may be spent early but never exceeded.
 * Refusals: grant_missing, grant_budget_spent, and those of `checkEgress` when a field of the result is not granted.
 */
function useReadGrant(
  powers: CallPorts & StoreOf<Transactions & AuditLog>,
  granted: GrantedCall,
): Result<true> {
  const { call, template, action, resolved } = granted
  const found = readGrantFor({ powers, task: chatOf(call), template, action, call: resolved })
  if (!found.ok) return found
  const grant = found.value
  // Public data needs no grant, but the edge can get that itself.
  if (grant === null) return err('grant_missing', { tool: action.id })
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return shape
  const whole = joinLabels(declaredLabel(shape.value), resolved.whole.label)
  const mayTell = checkAnswer(powers, call, whole)
  if (!mayTell.ok) return mayTell
  const used = powers.store.transaction(() => powers.store.useGrant(grant, powers.now()))
  const { task, trace, principal } = call
  powers.store.appendAudit({
    ...{ at: powers.now(), place: powers.place, kind: 'grant_used', task, trace, principal },
    facts: { grant, tool: action.id, asked: 'edge', ok: used },
  })
  return used ? ok(true) : err('grant_budget_spent', { grant })
}

/** Whether the result may be shown in the stranger's chat now; the grant may have been revoked meanwhile. */
function checkAnswer(powers: Clock & PolicySource, call: HomeCall, label: Label): Result<true> {
  const chat = chatOf(call)
  const request = { label, sink: chat.sink, template: call.template, now: powers.now() }
  const verdict = checkEgress(policyFor(powers.policy(), chat), request)
  return verdict.allow ? ok(true) : err(verdict.code, verdict.facts)
}

function chatOf({ sink = '', principal }: HomeCall) {
  return { sink, principal, place: 'edge' } as const
}
