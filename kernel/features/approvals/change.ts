/**
 * Changes of the owner's rules (F-12 – F-14, F-17, F-19, X-05): proposed in one message, approved in another,
 * applied in the transaction of the approval. At home, which is the policy authority; at the edge only what
 * the edge alone will do. Must not widen anything by itself. Called by shell.ts and decisions.ts.
 */

import { callVerdict, neverGranted, shapeOfCall } from '../../call/call-verdict.ts'
import { disclosureOf } from '../../call/disclosure.ts'
import { type CallInput, type CallPorts, resolveCall } from '../../call/resolve.ts'
import { fieldName, leavesOf } from '../../flow/field.ts'
import { ASKER, type DisclosureGrant, type FieldGrant, type Grant } from '../../flow/grant.ts'
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  ChangeNews,
  Clock,
  CredentialService,
  DirectiveFiles,
  Ids,
  OwnerAnswers,
  OwnerChats,
  SelfKnowledge,
  Templates,
} from '../../powers/ports.ts'
import { keepText } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type {
  ApprovalStore,
  AskedApproval,
  GrantStore,
  IdentityLinkStore,
  StoreOf,
  TaskStore,
} from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import {
  type Approval,
  type ApprovalKind,
  changeDigest,
  createApproval,
  toolOf,
} from '../../task/approval.ts'
import { OWNER_PRINCIPAL, type PrincipalClass } from '../../task/principal.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import type { GuardPorts } from '../../wording/guard/guard.ts'
import type { Channels } from '../channels/channel-port.ts'
import { type DeliverPorts, deliverToOwner } from '../deliveries/deliver.ts'
import { adoptDraft } from '../directives/directive-keeping.ts'
import { disclosureGrantCard, fieldGrantCard, writeGrantCard } from '../grants/grant-card.ts'
import type { FieldTerms } from '../grants/port.ts'
import { applyLink } from '../identities/link-change.ts'
import { applyJob } from '../jobs/job-change.ts'
import type { JobStore } from '../jobs/port.ts'
import { type ForgetPorts, type ReplaceFactPorts, replaceFact } from '../memory/entries.ts'
import { forgetAll } from '../memory/forget-about.ts'
import { keepChoice } from '../models/choice.ts'
import { applyInvitation } from '../people/agreement-change.ts'
import type { AgreementStore } from '../people/port.ts'
import type { SettingStore } from '../quiet/port.ts'
import { switchTemplates, templatesOff } from '../templates/off.ts'
import { switchService } from '../tools/switched.ts'
import type { Webservices } from '../webservices/port.ts'
import { withApplied } from './applied.ts'
import { keyedCard } from './card/remarks.ts'
import type { Lasting, Proposer } from './port.ts'
import { named } from './waiting.ts'

/** Maximum lifetime of a grant, days: one that nobody reviewed for a year is assumed forgotten. */
const MAX_GRANT_DAYS = 365
/** Maximum uses of a grant a day: bounds what a program in a loop can do with it. */
const MAX_GRANT_USES = 100
/**
 * Furthest ahead that a grant may disclose dates to others, days: free/busy for a year is a profile of the
 * owner.
 */
const MAX_DAYS_AHEAD = 62
/** Classes of people that a grant of fields may serve. */
const FOR_OTHERS: readonly PrincipalClass[] = Object.freeze(['third_party', 'paired'])
/** Milliseconds. */
const DAY = 86_400_000

interface Proposal {
  /** Set to a stable id where the same question may be put again; otherwise a new id is made. */
  readonly id?: string
  readonly kind: ApprovalKind
  readonly change: ProposedChange
  /** What the owner reads before approving. */
  readonly card: Labeled<string>
}

/**
 * Shows the card in the chat of the request, if it is a chat of home, else in the first chat that accepts it:
 * at once, or at the next tick if the card must follow an answer. Refusals: approval_wrong_principal,
 * approval_place_too_low, and those of an immediate delivery, because a change that was not shown cannot be
 * approved.
 */
export async function propose(
  powers: DeliverPorts & OwnerChats & AskingTime & StoreOf<ApprovalStore>,
  { principal, place, message, behind = false, sink: asked, planned }: Proposer,
  { id = powers.newId(), kind, change, card: own }: Proposal,
): Promise<Result<{ readonly approval: string }>> {
  if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  const sink = powers.adminSinks.find((chat) => chat === asked) ?? powers.adminSinks[0]
  if (place !== powers.place || sink === undefined) return err('approval_place_too_low')
  if (powers.place !== 'home' && !isPlaces(change)) return err('approval_place_too_low')
  const now = powers.now()
  const until = now + powers.approvalTimeout
  const card = planned === undefined ? own : combine([own, planned], (texts) => texts.join('\n\n'))
  const sealed = await keepText(powers, { principal, store: 'sessions', until: null }, card)
  const shown = { id: `change:${id}`, kind: 'card', text: card, approval: id, until } as const
  const told = behind ? ok(true) : await deliverToOwner(powers, null, shown, { first: sink })
  if (!told.ok) return told
  const approval = createApproval({
    ...{ id, kind, task: '', step: '', principal, tool: toolOf(change), sink, change, message },
    ...{ digest: changeDigest(change, sink), card: sealed.id, reason: 'write_approval_required' },
    ...{ label: card.label, now, timeout: powers.approvalTimeout, told: !behind, of: powers.place },
  })
  powers.store.transaction(() => {
    powers.store.saveApproval(approval, sealed)
    const { tool, reason } = approval
    audit(powers, 'approval_asked', null, { approval: id, kind, tool, reason })
  })
  return ok({ approval: id })
}

/**
 * A job stays within the clearance and the chats of its place, so the edge may apply it. Its page is a grant, which only home may
 * apply.
 */
function isPlaces(change: ProposedChange): boolean {
  return change.do === 'job' && change.page === undefined && change.cloud === undefined
}

/** Ports of everything that an approved change may write. */
export type ApplyChangePorts = Auditing &
  Actions &
  ReplaceFactPorts &
  ForgetPorts &
  ChangeNews &
  DirectiveFiles &
  OwnerAnswers &
  CredentialService &
  Channels &
  Webservices &
  Clock &
  SelfKnowledge &
  StoreOf<
    TaskStore &
      ApprovalStore &
      GrantStore &
      IdentityLinkStore &
      SealedStore &
      AgreementStore &
      JobStore &
      SettingStore
  >

/** Applies the approved change in the transaction of the decision; a denial changes nothing. */
export function applyChange(powers: ApplyChangePorts, { approval, card }: AskedApproval): Result<true> {
  const { change, sink, digest, id } = approval
  const agreed = approval.state === 'approved' && change !== null
  if (agreed && changeDigest(change, sink) !== digest) return err('approval_changed', { approval: id })
  const apply = (): Result<unknown> => applyOne(powers, { approval, card }, agreed)
  const applied = agreed ? withApplied(powers, approval, apply) : apply()
  if (agreed && !applied.ok) return applied
  powers.store.saveApproval(agreed ? { ...approval, state: 'spent' } : approval, null)
  return ok(true)
}

/** Dispatches by kind of change. A refusal matters only after an approval. */
function applyOne(
  powers: ApplyChangePorts,
  { approval, card }: AskedApproval,
  agreed: boolean,
): Result<unknown> {
  const { change, id } = approval
  switch (change?.do) {
    case 'link':
      return applyLink(powers, { approval, card }, change)
    case 'pair':
      return applyInvitation(powers, { approval, card }, change)
    case 'brain':
      if (agreed) return adoptDraft(powers, change, id)
      powers.directives?.dropDraft(change.draft)
      return ok(true)
    case 'word':
      powers.queueAnswer?.({ id, asker: change.asker, decision: agreed ? 'approve' : 'deny' })
      return ok(true)
    case 'leave':
      if (agreed) powers.channels?.home?.leave(change.channel, approval.sink)
      return ok(true)
    case 'job': {
      const applied = applyJob(powers, change, agreed)
      const granted = agreed && applied.ok ? (change.page?.grant ?? change.cloud) : undefined
      if (granted !== undefined) saveGrant(powers, granted, { approval, card })
      return applied
    }
    case 'heard':
      dropTranscript(powers, change.task)
      return ok(true)
    case 'fact':
      return agreed ? replaceFact(powers, change) : ok(true)
    case 'forget':
      return agreed ? forgetAll(powers, change) : ok(true)
    case 'model':
      if (agreed) keepChoice(powers, change.choice)
      return ok(true)
    case 'webservice':
      return powers.webservices?.settle(change.digest, agreed) ?? err('approval_changed', { approval: id })
    case 'tool':
      if (agreed) switchService(powers, { service: change.service, on: true })
      powers.self.touch('integration')
      return ok(true)
    case 'template':
      if (agreed) switchTemplates(powers, { ids: change.templates, on: true })
      return ok(true)
    case 'disconnect':
      if (agreed) powers.credentials?.remove?.(change.service, approval.sink)
      return ok(true)
    case 'grant':
      if (agreed) saveGrant(powers, change.grant, { approval, card })
      return ok(true)
    default:
      return ok(true)
  }
}

/** Deletes a transcript that was denied. An approved one is kept by the message made from it. */
function dropTranscript({ store }: StoreOf<TaskStore & SealedStore>, task: string): void {
  const { names, heard } = store.loadTask(task)?.attached ?? {}
  store.deleteSealed([names, heard].flatMap((ref) => (ref === undefined ? [] : [ref.id])))
}

function saveGrant(
  powers: Auditing & ChangeNews & StoreOf<GrantStore>,
  grant: Grant,
  { approval, card }: AskedApproval,
): void {
  powers.store.saveGrant(grant, card)
  audit(powers, 'grant_changed', null, { grant: grant.id, kind: grant.kind, approval: approval.id })
  powers.grantsChanged?.()
}

/**
 * "Always allow this": proposes a grant for the shape of a call that is waiting. Refusals: approval_unknown;
 * those of the call; write_raw, write_free_text or declassification_forbidden for what no grant may cover.
 */
export async function proposeAlways(
  powers: ProposeFieldsPorts & CallPorts & GuardPorts & StoreOf<Pick<JobStore, 'findJob'>>,
  proposer: Proposer,
  { approval: name, ...lasting }: Lasting & { readonly approval: string },
): Promise<Result<{ readonly approval: string }>> {
  const stored = powers.store.loadApproval(named(powers, name).id)
  const call = stored === null ? err('approval_unknown') : await callOf(powers, stored.approval)
  if (!call.ok) return call
  const verdict = await callVerdict(call.value)
  if (!verdict.ok) return verdict
  if (verdict.value.question?.code === 'disclosure_asks')
    return proposeDisclosure(powers, proposer, call.value, lasting)
  const forbidden = neverCovered(neverGranted(call.value), verdict.value.question?.code ?? null)
  if (forbidden !== null) return err(forbidden)
  const terms = lastingOf(powers, lasting)
  if (!terms.ok) return terms
  const { now: _now, ...shape } = { ...shapeOfCall(call.value), now: 0 }
  const grant: Grant = { kind: 'write', ...shape, ...terms.value }
  const { action, task } = call.value
  const args = call.value.call.whole
  const { contacts } = powers.profile()
  const card = keyedCard(powers, task, {
    action,
    args,
    card: writeGrantCard(args, { action, grant, contacts }),
  })
  return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
}

/**
 * Proposes a grant to disclose the owner's words to the same hosts in future. Refusal: write_raw when text of
 * others influenced the words.
 */
async function proposeDisclosure(
  powers: DeliverPorts & OwnerChats & AskingTime & StoreOf<ApprovalStore>,
  proposer: Proposer,
  call: CallInput,
  lasting: Lasting,
): Promise<Result<{ readonly approval: string }>> {
  const told = await disclosureOf(call)
  if (!told.ok) return told
  if (told.value?.grantable !== true) return err('write_raw')
  const terms = lastingOf(powers, lasting)
  if (!terms.ok) return terms
  const { tool, hosts, args } = told.value
  const grant: DisclosureGrant = {
    ...{ kind: 'disclosure', template: call.template.id, tool, hosts, args },
    ...terms.value,
  }
  const card = receive(disclosureGrantCard(grant), kernelWords())
  return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
}

/** Reason why no grant can answer the question, so that the owner would be asked again each time; null if a grant can (F-19). */
function neverCovered(othersText: boolean, question: ReasonCode | null): ReasonCode | null {
  if (question === 'write_raw') return question
  if (othersText) return 'write_free_text'
  const covers = ['write_template_asks', 'write_unknown_destination', 'write_free_text', null]
  return covers.includes(question) ? null : 'declassification_forbidden'
}

async function callOf(
  powers: CallPorts & GuardPorts & Clock & StoreOf<ApprovalStore & Pick<JobStore, 'findJob'>>,
  { task: id, step: name }: Approval,
) {
  const task = powers.store.loadTask(id)
  const index = task?.plan?.steps.findIndex((candidate) => candidate.id === name) ?? -1
  const step = task?.plan?.steps[index]
  const template = powers.templates.find((candidate) => candidate.id === task?.template)
  if (!task || template === undefined || step?.do !== 'tool') return err('approval_unknown')
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return action
  const call = await resolveCall(powers, task, { action: action.value, args: step.args, step: step.id })
  return call.ok ? ok({ powers, task, template, index, action: action.value, call: call.value }) : call
}

/** Ports needed to propose a grant of fields. */
type ProposeFieldsPorts = DeliverPorts &
  Actions &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & SettingStore>

/**
 * Proposes a grant of fields of one read, for anyone served by a template for strangers or paired people
 * (X-05).
 * Refusals: template_none_matches, tool_not_in_template, field_unknown, declassification_forbidden for fields
 * that may never be disclosed to others (F-14).
 */
export async function proposeFields(
  powers: ProposeFieldsPorts,
  proposer: Proposer,
  { days, perDay, ...terms }: Lasting & FieldTerms,
): Promise<Result<{ readonly approval: string }>> {
  const { template: id, action: name, fields, daysAhead } = terms
  const template = powers.templates.find((candidate) => candidate.id === id)
  if (
    template === undefined ||
    !FOR_OTHERS.includes(template.principalClass) ||
    templatesOff(powers).includes(id)
  )
    return err('template_none_matches')
  if (!template.tools.includes(name)) return err('tool_not_in_template', { tool: name })
  const lawful = checkFields(powers, name, fields)
  if (!lawful.ok) return lawful
  const lasting = lastingOf(powers, { days, perDay })
  if (!lasting.ok) return lasting
  if (!isWithin(daysAhead, MAX_DAYS_AHEAD)) return err('field_malformed', { path: 'daysAhead' })
  const grant: FieldGrant = {
    ...{ kind: 'fields', template: id, action: name, fields: [...fields].sort(), sink: ASKER, daysAhead },
    ...lasting.value,
  }
  const card = receive(fieldGrantCard(template, grant), kernelWords())
  return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
}

function checkFields(powers: Actions, name: string, fields: readonly string[]): Result<true> {
  const action = lookUpAction(powers.registry, name)
  if (!action.ok) return action
  if (action.value.semantics !== 'read' || fields.length === 0) return err('field_unknown', { path: name })
  const leaves = new Map(leavesOf(action.value.output))
  for (const field of fields) {
    const leaf = leaves.get(field)
    if (leaf === undefined) return err('field_unknown', { path: fieldName([field]) })
    const level = leaf.level ?? action.value.ceiling
    const guarded = (leaf.compartment ?? action.value.compartment) !== null
    // Free text could contain anything; regulated and secret data never leaves for others.
    if (guarded || level === 'regulated' || level === 'secret' || leaf.kind === 'text')
      return err('declassification_forbidden', { path: field })
  }
  return ok(true)
}

function lastingOf(powers: Clock & Ids, { days, perDay }: Lasting) {
  if (!isWithin(days, MAX_GRANT_DAYS)) return err('field_malformed', { path: 'days' })
  if (!isWithin(perDay, MAX_GRANT_USES)) return err('field_malformed', { path: 'perDay' })
  const createdAt = powers.now()
  const id = powers.newId()
  return ok({ id, createdAt, expiresAt: createdAt + days * DAY, perDay, revoked: false })
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}
