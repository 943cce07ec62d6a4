/**
 * One-time codes that other people send (B-04): counted, compared at home; the owner is notified once one was right. The sender
 * gets the same reply in every case; the owner's audit has the reason. Must not let a code into a history, a log or a prompt.
 * Called by intake.ts, people.ts and tick.ts.
 */
import { combine } from '../../flow/labeled.ts'
import { kernelWords, provenanceOf, receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type {
  AtPlace,
  ChangeNews,
  Clock,
  HomeLine,
  Ids,
  OwnerChats,
  Pausing,
  PolicySource,
} from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, CapabilityUses, StoreOf, Transactions } from '../../powers/stores.ts'
import {
  type Agreement,
  endOf,
  type InvitationMessage,
  isCodeOf,
  isPast,
  questionOf,
  takeUp,
} from '../../task/agreement.ts'
import { plainHandle } from '../../wording/strangers.ts'
import { tell as sentence } from '../../wording/words.ts'
import { type DeliverPorts, deliverNotice, deliverToOwner } from '../deliveries/deliver.ts'
import { pausedNow } from '../pause/pause.ts'
import type { HomeLink } from '../places/home-port.ts'
import { agreementsOf, saveAgreement, whoFrom, whoKeeping } from './agreement-change.ts'
import type { AgreementStore, StoredAgreement } from './port.ts'

/** Codes of one principal that are checked in an hour: a flood of guesses must not fill the audit. */
export const MAX_GUESSES_AN_HOUR = 10
/**
 * The same for all principals together: at this rate, guessing one of 2^60 codes is hopeless with any number of
 * accounts. Counted at home, for the edge's chats over all codes that it forwards, since each person there has a
 * separate object and count.
 */
export const MAX_ALL_GUESSES_AN_HOUR = 100
const HOUR = 3_600_000
/** Milliseconds before a failed notice to the owner is retried. */
const TELL_AGAIN = 60_000

/** A message that was a code; `event` identifies it, so that a duplicate delivery is ignored. */
interface ReceivedInvitation extends Omit<InvitationMessage, 'now'> {
  readonly event: string
  /** Channel's name of the sender. */
  readonly handle?: string
}

/** Ports of everything that a received code may lead to. */
export type InvitationPorts = DeliverPorts &
  HomeLine &
  ChangeNews &
  OwnerChats &
  Pausing &
  StoreOf<CapabilityUses & ApprovalStore & AgreementStore>

/** Counts every attempt; the edge forwards it to home, which compares. */
export async function receiveInvitation(powers: InvitationPorts, heard: ReceivedInvitation): Promise<void> {
  if (!counts(powers, heard)) return
  const { home } = powers
  if (home !== null) return handOn(powers, home, heard)
  const taken = await compare(powers, { ...heard, now: powers.now() })
  if (!taken.ok) {
    const { code, facts } = taken.reason
    audit(powers, 'denial', null, { code, ...facts, of: 'agreement', from: heard.principal })
    return
  }
  await lookAfterPeople(powers)
  const { id } = taken.value
  const { principal, sink } = heard
  // For a chat of the edge, the edge replies once it knows the result.
  if (heard.at === undefined)
    await deliverNotice(powers, { id: `agreement:${id}`, sink, principal, code: 'agreement_made' })
}

/** False for a duplicate delivery, and above the limits; for these the audit gets one row an hour. */
function counts(
  powers: Auditing & HomeLine & StoreOf<Transactions & CapabilityUses>,
  { principal, event }: ReceivedInvitation,
): boolean {
  const { store, home } = powers
  const hour = Math.floor(powers.now() / HOUR)
  return store.transaction(() => {
    const isFew =
      store.countUse(`people:${principal}:${hour}`, MAX_GUESSES_AN_HOUR) &&
      (home !== null || store.countUse(`people:all:${hour}`, MAX_ALL_GUESSES_AN_HOUR))
    if (isFew) return store.countUse(`people:event:${event}`, 1)
    const facts = { code: 'remote_rate_limited', of: 'agreement', from: principal }
    if (store.countUse(`people:flood:${hour}`, 1)) audit(powers, 'denial', null, facts)
    return false
  })
}

/** A code that cannot be forwarded counts as wrong: the owner must make another. */
async function handOn(
  powers: Auditing,
  home: HomeLink,
  { event, principal, sink, code, handle }: ReceivedInvitation,
): Promise<void> {
  const said = {
    event,
    principal,
    sink,
    code,
    as: 'person',
    ...(handle !== undefined && { handle }),
  } as const
  const told = await home.tellCode(said).catch((): Result<true> => err('home_offline'))
  if (!told.ok) audit(powers, 'fault', null, { code: told.reason.code, effect: 'tell_home' })
}

async function compare(
  powers: Auditing & SealedKeeping & PolicySource & ChangeNews & StoreOf<Transactions & AgreementStore>,
  said: InvitationMessage & { readonly handle?: string },
): Promise<Result<Agreement>> {
  const { sink, at, code } = said
  const isHomes = powers.policy().sinks.some(({ id, place }) => id === sink && place === 'home')
  // The edge reports codes of its own chats only.
  if (at === 'edge' && isHomes) return err('pairing_refused', { why: 'not_its_chat' })
  // Compares with every agreement, so that the time taken reveals nothing about a near match.
  const [found] = powers.store.agreements().filter(({ agreement }) => isCodeOf(agreement, code))
  if (found === undefined) return err('pairing_refused', { why: 'wrong' })
  const first = takeUp(found.agreement, said)
  if (!first.ok) return first
  const who = await sealWho(powers, found, said.handle ?? '')
  return powers.store.transaction(() => {
    // Another person may have used the code while this one was sealed.
    const now = agreementsOf(powers).find(({ id }) => id === found.agreement.id) ?? found.agreement
    const taken = takeUp(now, said)
    if (!taken.ok) return taken
    endOthers(powers, taken.value)
    who?.put()
    const facts = { by: said.principal, sink }
    saveAgreement(powers, { agreement: taken.value, facts, ...(who !== null && { who: who.ref }) })
    return taken
  })
}

/** Ends earlier agreements of the same person: only the one accepted last counts. */
function endOthers(
  powers: Auditing & ChangeNews & StoreOf<AgreementStore>,
  { id, principal }: Agreement,
): void {
  for (const other of agreementsOf(powers))
    if (other.id !== id && other.principal === principal && other.state === 'live')
      saveAgreement(powers, { agreement: { ...other, state: 'ended' }, facts: { by: id } })
}

async function sealWho(powers: SealedReading & Ids, { agreement, who }: StoredAgreement, handle: string) {
  const name = who === null ? null : await openTextOf(powers, who)
  if (name?.ok !== true) return null
  // The name was chosen by the person: guarded and tainted like text they write.
  const own = receive(plainHandle(handle), provenanceOf('third_party_message', 'handle'))
  const both = combine([name.value, own], ([known, called]) => `${known}\n${called}`)
  return sealForLater(powers, whoKeeping(agreement.id, true), both)
}

/**
 * Notifies the owner of people who came, and closes what expired. A failed notice is retried by the next tick. At
 * home only.
 */
export async function lookAfterPeople(
  powers: DeliverPorts & ChangeNews & OwnerChats & Pausing & StoreOf<ApprovalStore & AgreementStore>,
): Promise<void> {
  if (powers.place !== 'home' || pausedNow(powers) !== null) return
  const now = powers.now()
  for (const stored of powers.store.agreements()) {
    const { agreement } = stored
    if (isPast(agreement, now) || isUnanswered(powers, agreement))
      powers.store.transaction(() => saveAgreement(powers, { agreement: { ...agreement, state: 'ended' } }))
    else if (isUntold(agreement)) await tell(powers, stored)
  }
}

/** No answer before expiry is a denial. */
function isUnanswered({ store }: StoreOf<ApprovalStore>, agreement: Agreement): boolean {
  const asked = agreement.state === 'asked' ? store.loadApproval(questionOf(agreement)) : null
  return asked !== null && asked.approval.state !== 'pending'
}

function isUntold({ state, told }: Agreement): boolean {
  return state === 'live' && !told
}

async function tell(
  powers: DeliverPorts & OwnerChats & StoreOf<AgreementStore>,
  { agreement, who }: StoredAgreement,
): Promise<void> {
  const { id, principal, sink } = agreement
  const words = who === null ? null : await openTextOf(powers, who)
  const lines = words?.ok === true ? words.value : receive('somebody', kernelWords())
  // Account numbers of people: guarded like text that they write.
  const account = receive([principal, sink].join('\n'), provenanceOf('third_party_message', 'agreement'))
  const text = combine([lines, account], ([known = '', ids = '']) => {
    const [who = '', chat = ''] = ids.split('\n')
    const { name, handle } = whoFrom(known)
    const own = plainHandle(handle)
    return sentence('people.came', {
      ...{ id, name, account: who.replace(/^principal:/, ''), chat: chat.replace(/^sink:/, '') },
      called: own === '' ? '' : sentence('people.came_as', { handle: own }),
    })
  })
  const told = await deliverToOwner(powers, null, { id: `came:${id}`, kind: 'notice', text, approval: null })
  if (!told.ok) return
  powers.store.transaction(() => {
    const now = agreementsOf(powers).find((one) => one.id === id) ?? agreement
    powers.store.saveAgreement({ ...now, told: true }, null)
  })
}

/** When to look again (epoch milliseconds); null when nothing is pending. */
export function peopleMoment(powers: Clock & AtPlace & StoreOf<AgreementStore>): number | null {
  if (powers.place !== 'home') return null
  const moments = agreementsOf(powers).flatMap((agreement) => {
    if (isUntold(agreement)) return [powers.now() + TELL_AGAIN]
    return endOf(agreement) ?? []
  })
  return moments.length === 0 ? null : Math.min(...moments)
}
