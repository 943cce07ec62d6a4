/**
 * Identity links (F-15, F-16, E-21): requested by the owner at home, proven by a code from both principals, approved
 * by the owner in another message, and revocable. Must not read a session: a link only says who may
 * (read-through.ts). Called by shell.ts and intake.ts.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { provenanceOf, receive } from '../../flow/provenance.ts'
import type { LinkedChat } from '../../flow/sink.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type {
  AskingTime,
  ChangeNews,
  Clock,
  HomeLine,
  Ids,
  OwnerChats,
  Pausing,
  PolicySource,
  Principals,
} from '../../powers/ports.ts'
import type {
  ApprovalStore,
  CapabilityUses,
  IdentityLinkStore,
  StoreOf,
  Transactions,
} from '../../powers/stores.ts'
import {
  approvalOf,
  checkEnds,
  classInLinks,
  type EnteredCode,
  enterCode,
  type IdentityLink,
  isOver,
  type LinkEnd,
  partnersOf,
  startLink,
} from '../../task/identity-link.ts'
import { classOf, OWNER_PRINCIPAL, type PrincipalClass } from '../../task/principal.ts'
import { codeFrom } from '../../tunnel/pairing.ts'
import type { CodeUse } from '../../tunnel/synced.ts'
import { encodeText } from '../../vault/text.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import { pausedNow } from '../pause/pause.ts'
import { directoryOf } from '../people/person-of.ts'
import type { AgreementStore } from '../people/port.ts'
import type { HomeLink } from '../places/home-port.ts'
import { linksOf, saveLink } from './link-change.ts'
import type { IdentitiesPort, LinkServicePort, LinkView, Removed, Started } from './port.ts'

/** Codes of one principal that are checked in an hour: a flood of guesses must not fill the audit. */
export const MAX_CODES_AN_HOUR = 10
const HOUR = 3_600_000
/** Milliseconds before a question that could not be delivered is retried. */
const ASK_AGAIN = 60_000

export interface IdentityLinks extends IdentitiesPort {
  /** A code that was sent in a chat of the edge, as forwarded by the edge. */
  heardAtEdge(said: CodeUse): Promise<void>
}

export function createIdentityLinks(powers: LinkPorts & HomeLine & StoreOf<CapabilityUses>): IdentityLinks {
  return {
    list: () => linksOf(powers).map((link) => viewOf(powers, link)),
    start: (proposer, principals) => Promise.resolve(start(powers, proposer, principals)),
    remove: (id, principal) => Promise.resolve(remove(powers, id, principal)),
    async heardAtEdge(said) {
      await receiveLinkCode(powers, { ...said, at: 'edge' })
      await lookAfterLinks(powers)
    },
  }
}

/** Links at home, which is the authority. */
export function linkServiceOf(
  powers: () => Auditing & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
): LinkServicePort {
  return {
    live: async () =>
      linksOf(powers())
        .filter(({ state }) => state === 'live')
        .map(({ id, ends: [one, other] }) => ({ id, ends: [one.principal, other.principal] })),
    end: async (id) => remove(powers(), id, OWNER_PRINCIPAL),
  }
}

/**
 * The edge reports that the owner ended these links there. Accepted for links with an end at the edge, because ending
 * narrows.
 */
export function endedAtEdge(
  powers: Auditing & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
  ids: readonly string[],
): void {
  for (const { id, state, ends } of linksOf(powers))
    if (ids.includes(id) && state === 'live' && ends.some(({ at }) => at === 'edge'))
      remove(powers, id, OWNER_PRINCIPAL)
}

function viewOf(
  powers: Clock & Principals & StoreOf<IdentityLinkStore & AgreementStore>,
  { id, state, ends, createdAt }: IdentityLink,
): LinkView {
  const links = linksOf(powers)
  return {
    ...{ id, state, createdAt },
    ends: ends.map(({ principal, sink }) => ({
      principal,
      class: classAs(powers, principal, links),
      proved: sink !== null,
    })),
  }
}

function classAs(
  powers: Clock & Principals & StoreOf<AgreementStore>,
  id: string,
  links: readonly IdentityLink[],
): PrincipalClass {
  const directory = directoryOf(powers)
  return classInLinks({ id, class: classOf(id, directory) }, links, directory)
}

function start(
  powers: Auditing & Ids & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
  { principal, place, message }: Proposer,
  principals: readonly [string, string],
): Result<Started> {
  if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  if (place !== 'home' || powers.place !== 'home') return err('approval_place_too_low')
  const lawful = checkEnds(principals)
  if (!lawful.ok) return lawful
  const [one, other] = principals
  if (partnersOf(linksOf(powers), one).includes(other)) return err('identity_linked')
  const ends = principals.map((end) => ({ principal: end, code: newCode(powers) }))
  const started = startLink({ id: powers.newId(), message, ends, now: powers.now() })
  if (!started.ok) return started
  const link = started.value
  powers.store.transaction(() => {
    // A new request for the same two invalidates the codes of the earlier one.
    for (const old of linksOf(powers))
      if (isOpen(old) && hasSameEnds(old, link)) saveLink(powers, { link: { ...old, state: 'ended' } })
    saveLink(powers, { link, facts: { by: principal, one, other } })
  })
  return ok({
    link: link.id,
    ends: ends.map(({ principal: end, code }) => ({ principal: end, say: `link ${code}` })),
    expiresAt: link.expiresAt,
  })
}

function newCode({ newId }: Ids): string {
  return codeFrom(sha256(encodeText(`pfar/identity/1:${newId()}`)))
}

function isOpen({ state }: IdentityLink): boolean {
  return state === 'asked' || state === 'proven'
}

function hasSameEnds(a: IdentityLink, b: IdentityLink): boolean {
  const named = ({ ends }: IdentityLink) => ends.map(({ principal }) => principal).sort()
  return JSON.stringify(named(a)) === JSON.stringify(named(b))
}

function remove(
  powers: Auditing & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
  id: string,
  principal: string,
): Result<Removed> {
  if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  return powers.store.transaction(() => {
    const link = linksOf(powers).find((one) => one.id === id)
    if (link === undefined || !(isOpen(link) || link.state === 'live')) return err('identity_unknown')
    const wasLive = link.state === 'live'
    const state = wasLive ? 'removed' : 'ended'
    saveLink(powers, { link: { ...link, state }, facts: { by: principal } })
    return ok({ link: id, wasLive })
  })
}

/** A message that was a code; `event` identifies it, so that a duplicate delivery is ignored. */
interface Heard extends Omit<EnteredCode, 'now'> {
  readonly event: string
}

/**
 * Counts every attempt, and proves the end that the code was made for; the edge forwards it to home, which compares.
 * The sender does not learn the result.
 */
export async function receiveLinkCode(
  powers: Auditing &
    PolicySource &
    HomeLine &
    ChangeNews &
    StoreOf<Transactions & CapabilityUses & IdentityLinkStore>,
  heard: Heard,
): Promise<void> {
  const { home, store } = powers
  const { event, ...said } = heard
  const now = powers.now()
  const isNew = (): boolean =>
    store.countUse(`identity:${said.principal}:${Math.floor(now / HOUR)}`, MAX_CODES_AN_HOUR) &&
    store.countUse(`identity:event:${event}`, 1)
  if (home === null) store.transaction(() => isNew() && compare(powers, { ...said, now }))
  else if (store.transaction(isNew)) await handOn(powers, home, heard)
}

/** A code that cannot be forwarded counts as wrong: the owner must request new ones. */
async function handOn(
  powers: Auditing,
  home: HomeLink,
  { event, principal, sink, code }: Heard,
): Promise<void> {
  const told = await home
    .tellCode({ event, principal, sink, code })
    .catch((): Result<true> => err('home_offline'))
  if (!told.ok) audit(powers, 'fault', null, { code: told.reason.code, effect: 'tell_home' })
}

/** The edge reports codes of its own chats only: a chat of home proves itself at home. */
function compare(
  powers: Auditing & PolicySource & ChangeNews & StoreOf<IdentityLinkStore>,
  said: EnteredCode,
): void {
  const { principal, sink, at } = said
  const isHomes = powers.policy().sinks.some(({ id, place }) => id === sink && place === 'home')
  const changed =
    at === 'edge' && isHomes
      ? []
      : linksOf(powers).flatMap((link) => {
          const next = enterCode(link, said)
          return next === link ? [] : [next]
        })
  for (const link of changed) saveLink(powers, { link, facts: { by: principal, proved: proves(link, said) } })
  if (changed.length === 0) audit(powers, 'denial', null, { code: 'pairing_refused', of: 'identity' })
}

function proves(
  { ends }: IdentityLink,
  { principal, sink }: Pick<EnteredCode, 'principal' | 'sink'>,
): boolean {
  return ends.some((end) => end.principal === principal && end.sink === sink)
}

/** Ports needed to continue pending links. */
export type LinkPorts = DeliverPorts &
  Principals &
  ChangeNews &
  OwnerChats &
  AskingTime &
  Pausing &
  StoreOf<ApprovalStore & IdentityLinkStore & AgreementStore>

/**
 * Puts links with both ends proven to the owner, and closes expired ones. A failed delivery is retried by the next
 * tick, so a crash between proof and question loses nothing.
 */
export async function lookAfterLinks(powers: LinkPorts): Promise<void> {
  if (pausedNow(powers) !== null) return
  const now = powers.now()
  for (const link of linksOf(powers)) {
    if (isOver(link, now) || isUnanswered(powers, link))
      powers.store.transaction(() => saveLink(powers, { link: { ...link, state: 'ended' } }))
    else if (isUnasked(powers, link)) await ask(powers, link)
  }
}

function isUnasked({ store }: StoreOf<ApprovalStore>, link: IdentityLink): boolean {
  return link.state === 'proven' && store.loadApproval(approvalOf(link)) === null
}

/** No answer before expiry is a denial. */
function isUnanswered({ store }: StoreOf<ApprovalStore>, link: IdentityLink): boolean {
  const asked = link.state === 'proven' ? store.loadApproval(approvalOf(link)) : null
  return asked !== null && asked.approval.state !== 'pending'
}

async function ask(
  powers: DeliverPorts &
    Principals &
    OwnerChats &
    AskingTime &
    StoreOf<ApprovalStore & IdentityLinkStore & AgreementStore>,
  link: IdentityLink,
): Promise<void> {
  const ends = link.ends.map(({ principal, sink }: LinkEnd) => ({ principal, sink: sink ?? '' }))
  const [one, other] = ends
  if (one === undefined || other === undefined) return
  const after = [...linksOf(powers), { ...link, state: 'live' as const }]
  // Names and numbers of people: guarded like text that they write.
  const card = receive(linkCard(powers, ends, after), provenanceOf('third_party_message', 'identity'))
  const proposer = { principal: OWNER_PRINCIPAL, place: powers.place, message: link.message }
  const change = { do: 'link', link: link.id, ends: [one, other] } as const
  await propose(powers, proposer, { id: approvalOf(link), kind: 'identity_link', change, card })
}

/**
 * Text of the card: who, proven where, what each will see of the other, and what cannot be undone. `after`: the links if it is
 * approved.
 */
function linkCard(
  powers: Clock & Principals & StoreOf<AgreementStore>,
  ends: readonly LinkedChat[],
  after: readonly IdentityLink[],
): string {
  const lines = ends.map(({ principal, sink }) =>
    tell('identities.card_end', {
      principal: plain(principal, 'principal:'),
      sink: plain(sink, 'sink:'),
      as: classAs(powers, principal, after).replaceAll('_', ' '),
    }),
  )
  return tell('identities.card', { ends: lines.join('\n') })
}

function plain(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** When to look again (epoch milliseconds); null when no link is pending. */
export function linkMoment(powers: Clock & StoreOf<ApprovalStore & IdentityLinkStore>): number | null {
  const moments = linksOf(powers).flatMap((link) => {
    if (link.state === 'asked') return [link.expiresAt]
    return isUnasked(powers, link) ? [powers.now() + ASK_AGAIN] : []
  })
  return moments.length === 0 ? null : Math.min(...moments)
}
