/**
 * One bot for both lines (DESIGN §1): the question that is put to the owner, which of his messages at the edge home answers, and such a
 * message as an event of home's. Must not widen anything by itself: change.ts applies a yes, `revokeGrant` ends it. Called by both
 * places.
 */

import { liveTransport, withBothLines } from '../../flow/both-lines.ts'
import type { TransportGrant } from '../../flow/grant.ts'
import type { Policy } from '../../flow/policy.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { DeliverPorts } from '../../pipeline/deliver.ts'
import { type RoutePorts, routeEvent, sentBy } from '../../pipeline/route.ts'
import type {
  Actions,
  AskingTime,
  ChatServices,
  Clock,
  OwnerChats,
  PolicySource,
  Principals,
  Redaction,
  Templates,
} from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, IdentityLinkStore, StoreOf } from '../../powers/stores.ts'
import { isTaken } from '../../runtime/intake.ts'
import { invitationSaid } from '../../task/agreement.ts'
import { commandIn, UNLINK } from '../../task/command.ts'
import type { InboundEvent } from '../../task/event.ts'
import { codeSaid } from '../../task/identity-link.ts'
import { type Directory, OWNER_PRINCIPAL } from '../../task/principal.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import { type AnswersHerePorts, answersHere } from '../approvals/typed-answer.ts'
import type { Channels } from '../channels/channel-port.ts'
import { mayBeCredential } from '../credentials/credentials.ts'
import { chatTitle } from '../deliveries/outage.ts'
import type { Version } from '../deliveries/withdraw.ts'
import { withoutKnown } from '../deliveries/without-known.ts'
import { bothLinesCard } from '../grants/grant-card.ts'
import { isPauseText } from '../pause/pause.ts'
import type { AgreementStore } from '../people/agreement-port.ts'
import type { SaidThere } from './handover-port.ts'
import { HOME_WAIT } from './home-call.ts'

/** Days that it stands: what nobody looked at for a year was forgotten, not meant. */
export const BOTH_LINES_DAYS = 365
/** Milliseconds. */
const DAY = 86_400_000

/** Whose tasks home answers there: those of the owner's private line. */
const PRIVATE_TEMPLATE = 'owner_private'

export function standingTransport({ store, now }: Clock & StoreOf<GrantStore>): TransportGrant | null {
  return liveTransport(
    store.grants().map(({ grant }) => grant),
    now(),
  )
}

/** The newest that ever was. */
export function lastTransport({ store }: StoreOf<GrantStore>): TransportGrant | undefined {
  return store
    .grants()
    .map(({ grant }) => grant)
    .findLast((grant) => grant.kind === 'transport')
}

/** Home's policy as the acknowledgement has it at this moment: what was taken back a moment ago carries nothing. */
export function withTransport(policy: Policy, powers: Clock & StoreOf<GrantStore>): Policy {
  const live = standingTransport(powers)
  return live === null ? policy : withBothLines(policy, live)
}

/** What it takes to ask for both lines. */
type BothLinesPorts = DeliverPorts &
  ChatServices &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

/**
 * Puts the card. Refusals: template_none_matches; declassification_forbidden where the template may hold more than `sensitive`;
 * nothing_found where it was said already; those of `propose`.
 */
export async function proposeBothLines(
  powers: BothLinesPorts,
  proposer: Proposer,
  sink: string,
): Promise<Result<{ readonly approval: string }>> {
  const template = powers.templates.find(({ id }) => id === PRIVATE_TEMPLATE)
  if (template === undefined) return err('template_none_matches')
  if (template.ceiling.level !== 'sensitive') return err('declassification_forbidden')
  if (standingTransport(powers) !== null) return err('nothing_found')
  const createdAt = powers.now()
  const grant: TransportGrant = {
    ...{ kind: 'transport', id: powers.newId(), template: template.id, sink, createdAt, perDay: 0 },
    ...{ expiresAt: createdAt + BOTH_LINES_DAYS * DAY, revoked: false },
  }
  const card = receive(bothLinesCard(grant, chatTitle(sink, powers.chats)), kernelWords())
  return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
}

/** By what is told whether home answers. */
type SaidForHomePorts = RoutePorts &
  AnswersHerePorts &
  PolicySource &
  Principals &
  Actions &
  Redaction &
  Channels &
  StoreOf<IdentityLinkStore>

/**
 * At the edge: the owner's words for home, or null for what is answered here: another's message or chat, a file, a code, what may be a
 * secret, what was taken here before, what answers a question of the edge's, and what a narrower template takes. `template`: as home told last; `spokeAt`: when home last
 * spoke there, epoch milliseconds.
 */
export function saidForHome(
  powers: SaidForHomePorts,
  input: unknown,
  { sink, template, spokeAt = 0 }: Pick<TransportGrant, 'sink' | 'template'> & { readonly spokeAt?: number },
): SaidThere | null {
  const raised: RoutePorts & PolicySource & Principals & StoreOf<IdentityLinkStore> = {
    ...powers,
    policy: () => withBothLines(powers.policy(), { sink, template }),
  }
  const sent = sentBy(raised, input)
  if (!sent.ok || sent.value.chat.id !== sink || sent.value.principal.class !== 'owner') return null
  const { event } = sent.value
  // Taken here while home was away: whatever comes of a second delivery, home is not its second answer.
  if (isTaken(powers, sent.value)) return null
  if (event.kind !== 'message' || event.attachments.length > 0 || isForHere(powers, event)) return null
  if (mayBeCredential(powers, sent.value) || answersHere(powers, sent.value, spokeAt)) return null
  const routed = routeEvent(raised, sent.value)
  if (routed.ok || routed.reason.code !== 'place_not_cleared') return null
  const { id, text, quoted, edits } = event
  return { id, text, quoted, ...(edits !== undefined && { version: 'edited' as const }) }
}

/** At the edge: the owner's message in his chat, where it takes the place of former versions, wherever those were taken; null for any other. */
export function versionThere(
  powers: Clock & PolicySource & Principals & StoreOf<IdentityLinkStore & AgreementStore>,
  input: unknown,
  sink: string,
): Version | null {
  const sent = sentBy(powers, input)
  if (!sent.ok || sent.value.chat.id !== sink || sent.value.principal.class !== 'owner') return null
  const { event, principal } = sent.value
  const { id, edits } = event
  return edits === undefined ? null : { principal: principal.id, sink, event: id, edits }
}

/** What home is told of one that is answered at the edge: none of its words. */
export function answeredThere({ event }: Version): SaidThere {
  return { id: event, text: '', quoted: [], version: 'elsewhere' }
}

/** At home: the same, in the chat of his acknowledgement. Refusals: grant_missing; event_malformed where it names no message. */
export function versionOfSaid(
  powers: Clock & StoreOf<GrantStore>,
  { id }: Pick<SaidThere, 'id'>,
): Result<Version> {
  const live = standingTransport(powers)
  const edits = messageOf(id)
  if (live === null) return err('grant_missing')
  if (edits === null) return err('event_malformed')
  return ok({ principal: OWNER_PRINCIPAL, sink: live.sink, event: id, edits })
}

/** The id of a version begins with the name of its message. */
function messageOf(id: string): string | null {
  return id.includes('.') ? id.slice(0, id.lastIndexOf('.')) : null
}

/** A one-time code, a word of pausing or of unlinking, or what looks like a secret: each is taken where it was typed. */
function isForHere(powers: Redaction, { text, quoted }: Pick<InboundEvent, 'text' | 'quoted'>): boolean {
  return (
    isCode(text) ||
    isPauseText(text) ||
    commandIn(text)?.name === UNLINK ||
    [text, ...quoted].some((part) => withoutKnown(powers, part).found)
  )
}

function isCode(text: string): boolean {
  return codeSaid(text) !== null || invitationSaid(text) !== null
}

/**
 * At home: what the edge says that its owner wrote, in the chat of his acknowledgement and no other. `waited`: milliseconds that it
 * lay there; as long as the edge's own tasks hold the line for home, home was away. Refusals: grant_missing; identity_code, which is
 * said where it was typed.
 */
export function eventOfSaid(
  powers: Clock & StoreOf<GrantStore>,
  { id, text, quoted, version }: SaidThere,
  waited = 0,
): Result<InboundEvent> {
  const live = standingTransport(powers)
  if (live === null) return err('grant_missing')
  if (isCode(text)) return err('identity_code')
  const [, adapter = '', chat = ''] = live.sink.split(':')
  const edits = messageOf(id)
  return ok({
    ...{ id, at: powers.now() - waited, kind: 'message', text, quoted, attachments: [], replyTo: null },
    ...(version !== undefined && edits !== null && { edits }),
    ...{ place: 'edge', ...(waited >= HOME_WAIT && { waited: true as const }) },
    source: { adapter, user: chat, chat, group: false },
  })
}

/** At home, with the owner as he comes by that chat: no account of the channel's bears its name. */
export function withOwnerThere(directory: Directory, live: Pick<TransportGrant, 'sink'> | null): Directory {
  const [, adapter, chat] = live?.sink.split(':') ?? []
  return live === null ? directory : { ...directory, owner: [...directory.owner, `${adapter}:${chat}`] }
}
