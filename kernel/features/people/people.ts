/**
 * The owner's side of pairing with other people (B-04): invite at home, approve in another message, see who came,
 * revoke. Must not process a code; invitations.ts does. Called by shell.ts.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { combine, type Labeled } from '../../flow/labeled.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { momentOf } from '../../operations/lines.ts'
import type { Auditing } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  ChangeNews,
  Clock,
  OwnerChats,
  PolicySource,
  SecretScan,
  Templates,
} from '../../powers/ports.ts'
import { type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, Transactions } from '../../powers/stores.ts'
import { type Agreement, idBeside, isMeant, isPast, offer, questionOf } from '../../task/agreement.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Template } from '../../template/template.ts'
import { codeFrom } from '../../tunnel/pairing.ts'
import type { CodeUse } from '../../tunnel/synced.ts'
import { encodeText } from '../../vault/text.ts'
import { showUnseen } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import { type DeliverPorts, openForOwner } from '../deliveries/deliver.ts'
import { templatesOff } from '../templates/off.ts'
import { agreementsOf, saveAgreement, whoFrom, whoKeeping } from './agreement-change.ts'
import { type InvitationPorts, receiveInvitation } from './invitations.ts'
import { MOST_INVITED } from './named-people.ts'
import type {
  AgreementStore,
  Dismissed,
  InvitationRequest,
  Invited,
  PeoplePort,
  PersonView,
  StoredAgreement,
} from './port.ts'

/** Maximum hours that a code is valid: one found later in an old chat must be worthless. */
const MAX_CODE_HOURS = 168
/** Maximum length of an agreement, days: one that nobody reviewed for a year is assumed forgotten. */
const MAX_AGREEMENT_DAYS = 365
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface People extends PeoplePort {
  /** A code that was sent in a chat of the edge, as forwarded by the edge. */
  heardAtEdge(said: CodeUse): Promise<void>
}

export function createPeople(powers: InvitationPorts & InvitePorts): People {
  return {
    list: () => Promise.all(powers.store.agreements().map((stored) => viewOf(powers, stored))),
    invite: (proposer, asked) => invite(powers, proposer, asked),
    revoke: (id, principal) => Promise.resolve(revoke(powers, id, principal)),
    heardAtEdge: (said) => receiveInvitation(powers, { ...said, at: 'edge' }),
  }
}

async function viewOf(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & OwnerChats,
  { agreement, who }: StoredAgreement,
): Promise<PersonView> {
  const { id, state, principal, sink, templates, createdAt, openUntil, expiresAt } = agreement
  const words = who === null ? err('record_unreadable') : await openForOwner(powers, who)
  const times = { createdAt, openUntil, expiresAt }
  const now = isPast(agreement, powers.now()) ? 'ended' : state
  return {
    ...{ id, state: now, principal, sink, templates, ...times },
    ...whoFrom(words.ok ? words.value : ''),
  }
}

/** Ports needed to put an invitation to the owner. */
type InvitePorts = DeliverPorts &
  ChangeNews &
  OwnerChats &
  AskingTime &
  Actions &
  Templates &
  StoreOf<ApprovalStore & AgreementStore>

async function invite(
  powers: InvitePorts,
  proposer: Proposer,
  asked: InvitationRequest,
): Promise<Result<Invited>> {
  if (proposer.principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  const terms = termsOf(powers, asked)
  if (!terms.ok) return terms
  const { templates, names, ...times } = terms.value
  const first = powers.newId()
  const made: Made[] = []
  for (const [at, name] of names.entries()) {
    const code = codeFrom(sha256(encodeText(`pfar/people/1:${powers.newId()}`)))
    const id = idBeside(first, at + 1)
    const offered = offer({ id, templates: templates.map((one) => one.id), code, ...times })
    if (!offered.ok) return offered
    made.push({
      agreement: offered.value,
      code,
      who: await sealForLater(powers, whoKeeping(id, false), name),
    })
  }
  const [one, ...others] = made
  if (one === undefined) return err('field_malformed', { path: 'name' })
  powers.store.transaction(() => {
    for (const { agreement, who } of made) {
      who.put()
      saveAgreement(powers, { agreement, who: who.ref, facts: { by: proposer.principal } })
    }
  })
  const change = {
    do: 'pair',
    agreement: first,
    ...pick(one.agreement),
    ...(others.length > 0 && { others: others.map(({ agreement: { id } }) => id) }),
  } as const
  const card = combine(names, (words) => invitationCard(powers, words.map(String), { templates, ...times }))
  const put = await propose(powers, proposer, {
    id: questionOf(one.agreement),
    kind: 'admin_change',
    change,
    card,
  })
  if (!put.ok) {
    powers.store.transaction(() => {
      for (const { agreement } of made) saveAgreement(powers, { agreement: { ...agreement, state: 'ended' } })
    })
    return put
  }
  const shown = [asked.name, ...(asked.others ?? [])].map(shownName)
  return ok({
    ...{ agreement: first, ...put.value, say: `pair ${one.code}`, openUntil: times.openUntil },
    each: (others.length === 0 ? [] : made).map(({ agreement: { id }, code: own }, at) => ({
      ...{ agreement: id, name: shown[at] ?? '', say: `pair ${own}` },
    })),
  })
}

interface Made {
  readonly agreement: Agreement
  readonly code: string
  readonly who: Awaited<ReturnType<typeof sealForLater>>
}

/** Text of the card: who, what they may do, where, how long, and how it ends. */
function invitationCard(
  { registry }: Actions,
  names: readonly string[],
  { templates, openUntil, expiresAt }: Pick<Terms, 'templates' | 'openUntil' | 'expiresAt'>,
): string {
  const does = (id: string): string => {
    const found = lookUpAction(registry, id)
    return found.ok ? `${found.value.description.replace(/\.$/, '')} (${id})` : id
  }
  const lines = templates.map(({ id, description, tools }) =>
    tell('people.card_template', { id, description, tools: tools.map(does).join('; ') }),
  )
  const day = momentOf(expiresAt).slice(0, 10)
  const terms = { templates: lines.join('\n'), until: momentOf(openUntil), day }
  const [name = '', ...others] = names
  return others.length === 0
    ? tell('people.card', { name, ...terms })
    : tell('people.card_several', { names: names.map((one) => `  - ${one}`).join('\n'), ...terms })
}

/** Maximum UTF-16 units of a displayed name. */
const MOST_OF_A_NAME = 80

/** A name on one line, without invisible characters. */
function shownName(name: string): string {
  const seen = showUnseen(name.replaceAll(/\s+/g, ' ').trim())
  return seen.length <= MOST_OF_A_NAME ? seen : `${seen.slice(0, MOST_OF_A_NAME)}…`
}

function pick({ templates, openUntil, expiresAt }: Agreement) {
  return { templates, openUntil, expiresAt }
}

interface Terms extends Pick<Agreement, 'createdAt' | 'openUntil' | 'expiresAt'> {
  readonly templates: readonly Template[]
  readonly names: readonly Labeled<string>[]
}

function termsOf(
  powers: Clock & AtPlace & PolicySource & Templates & OwnerChats & StoreOf<AgreementStore>,
  { name, others = [], templates: ids, hours, days }: InvitationRequest,
): Result<Terms> {
  const shown = [name, ...others].map(shownName)
  if (shown.includes('') || shown.length > MOST_INVITED) return err('field_malformed', { path: 'name' })
  if (!isWithin(hours, MAX_CODE_HOURS)) return err('field_malformed', { path: 'hours' })
  if (!isWithin(days, MAX_AGREEMENT_DAYS)) return err('field_malformed', { path: 'days' })
  const off = templatesOff(powers)
  const templates = powers.templates.filter(
    ({ id, principalClass }) => principalClass === 'paired' && ids.includes(id) && !off.includes(id),
  )
  if (templates.length === 0 || templates.length !== new Set(ids).size) return err('template_none_matches')
  const [sink] = powers.policy().sinks.filter(({ id }) => id === powers.adminSinks[0])
  if (powers.place !== 'home' || sink === undefined) return err('approval_place_too_low')
  const createdAt = powers.now()
  const times = { createdAt, openUntil: createdAt + hours * HOUR, expiresAt: createdAt + days * DAY }
  const names = shown.map((one) => receive(one, ownerWords(sink.id, sink.level)))
  return ok({ templates, names, ...times })
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

function revoke(
  powers: Auditing & ChangeNews & StoreOf<Transactions & AgreementStore>,
  id: string,
  principal: string,
): Result<Dismissed> {
  if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  return powers.store.transaction(() => {
    const open = agreementsOf(powers).filter(
      (one) => isMeant(one.id, id) && ['asked', 'open', 'live'].includes(one.state),
    )
    if (open.length === 0) return err('agreement_unknown', { agreement: id })
    for (const agreement of open)
      saveAgreement(powers, { agreement: { ...agreement, state: 'revoked' }, facts: { by: principal } })
    return ok({ agreement: id, wasLive: open.some(({ state }) => state === 'live') })
  })
}
