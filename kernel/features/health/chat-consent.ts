/**
 * Decides which of the owner's chats may show data of a compartment (A-41, X-03b): the card that asks, and the withdrawal. Must
 * not widen anything: change.ts applies an approval. Called by the operations of this folder.
 */
import { liveCompartments, mayHold } from '../../flow/compartments.ts'
import type { CompartmentGrant } from '../../flow/grant.ts'
import { type Compartment, parseCompartment } from '../../flow/level.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { audit } from '../../powers/audit.ts'
import type { AskingTime, ChangeNews, ChatServices, OwnerChats, Templates } from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { propose } from '../approvals/change.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import { chatTitle } from '../deliveries/outage.ts'
import { compartmentCard } from '../grants/grant-card.ts'
import { revokeGrant } from '../grants/grants.ts'
import type { CompartmentsPort } from './port.ts'

/** Days that the grant lasts: one that nobody reviewed for a year is assumed forgotten. */
export const COMPARTMENT_DAYS = 365
/** Milliseconds. */
const DAY = 86_400_000

type ConsentPorts = DeliverPorts &
  ChatServices &
  ChangeNews &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

export function createCompartments(powers: ConsentPorts): CompartmentsPort {
  return {
    async allow(proposer, chat, word) {
      const named = namedIn(powers, chat, word)
      return named.ok ? ask(powers, proposer, named.value) : named
    },
    async withdraw(principal, chat, word) {
      const named = namedIn(powers, chat, word)
      if (!named.ok) return named
      const { sink, compartment } = named.value
      let last: Result<{ readonly grant: string }> = err('grant_missing')
      for (const grant of standing(powers))
        if (grant.sink === sink && grant.compartment === compartment)
          last = revokeGrant(powers, grant.id, principal)
      return last
    },
    chats: (word) =>
      powers
        .policy()
        .sinks.filter(
          ({ id, compartments }) =>
            powers.adminSinks.includes(id) && compartments.some((one) => one === word),
        )
        .map(({ id }) => chatTitle(id, powers.chats)),
  }
}

function standing({ store, now }: ConsentPorts): readonly CompartmentGrant[] {
  return liveCompartments(
    store.grants().map(({ grant }) => grant),
    now(),
  )
}

interface Named {
  readonly sink: string
  readonly compartment: Compartment
}

/**
 * A chat of the owner, named by its sink, or by the name or title of its service. Refusals: sink_unknown, compartment_malformed.
 */
function namedIn(powers: ConsentPorts, chat: string, word: string): Result<Named> {
  const wanted = chat.toLowerCase()
  const sink = powers.adminSinks.find((id) =>
    [id, id.split(':')[1] ?? '', chatTitle(id, powers.chats)].some((name) => name.toLowerCase() === wanted),
  )
  if (sink === undefined) return err('sink_unknown', { sink: chat })
  const compartment = parseCompartment(word)
  return compartment.ok ? ok({ sink, compartment: compartment.value }) : compartment
}

/** Whether the chat is that of a messaging service, and not a line of this machine. */
function isOnMessagingService({ chats }: ChatServices, sink: string): boolean {
  return Object.hasOwn(chats, sink.split(':')[1] ?? '')
}

/** Asks nothing for a compartment that no template of the owner may hold. */
async function ask(
  powers: ConsentPorts,
  proposer: Proposer,
  { sink: id, compartment }: Named,
): Promise<Result<Proposed>> {
  const policy = powers.policy()
  const sink = policy.sinks.find((one) => one.id === id)
  const template = powers.templates.find(
    ({ principalClass, ceiling }) =>
      principalClass === 'owner' &&
      ceiling.compartments !== 'all' &&
      ceiling.compartments.includes(compartment),
  )
  if (template === undefined) return err('template_none_matches')
  if (sink === undefined || !mayHold(policy, sink, compartment)) return err('sink_unknown', { sink: id })
  if (sink.compartments.includes(compartment)) return err('nothing_found', { sink: id })
  const createdAt = powers.now()
  const grant: CompartmentGrant = {
    ...{ kind: 'compartment', id: powers.newId(), template: template.id, compartment, sink: id, createdAt },
    ...{ perDay: 0, expiresAt: createdAt + COMPARTMENT_DAYS * DAY, revoked: false },
  }
  const chat = { chat: chatTitle(id, powers.chats), onMessagingService: isOnMessagingService(powers, id) }
  const card = receive(compartmentCard(grant, chat), kernelWords())
  const before = waitingFor(powers, { sink: id, compartment })
  const asked = await propose(powers, proposer, {
    kind: 'admin_change',
    change: { do: 'grant', grant },
    card,
  })
  if (asked.ok && before !== null) replace(powers, before)
  return asked
}

function waitingFor({ store }: ConsentPorts, { sink, compartment }: Named): Approval | null {
  const same = store.pendingApprovals(OWNER_PRINCIPAL).find(({ approval: { change } }) => {
    const grant = change?.do === 'grant' ? change.grant : null
    return grant?.kind === 'compartment' && grant.sink === sink && grant.compartment === compartment
  })
  return same?.approval ?? null
}

/** Closes an earlier card for the same, because with two such cards a bare yes would be ambiguous. */
function replace(powers: ConsentPorts, approval: Approval): void {
  powers.store.transaction(() => {
    powers.store.saveApproval({ ...approval, state: 'replaced', decidedAt: powers.now() }, null)
    audit(powers, 'approval_decided', null, {
      ...{ approval: approval.id, kind: approval.kind, decision: 'replaced', ok: true },
    })
  })
}
