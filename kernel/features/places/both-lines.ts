/**
 * One chat bot for both lines (DESIGN §1): the question to the owner, the choice of edge messages that home answers,
 * and their conversion to events of home. Must not widen anything; change.ts applies an approval, `revokeGrant` ends
 * it. Called by both places.
 */
import { liveTransport, withBothLines } from '../../flow/both-lines.ts'
import type { TransportGrant } from '../../flow/grant.ts'
import type { Policy } from '../../flow/policy.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
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
import type { ApprovalStore, GrantStore, IdentityLinkStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { isTaken } from '../../runtime/intake.ts'
import { invitationInMessage } from '../../task/agreement.ts'
import { commandIn, UNLINK } from '../../task/command.ts'
import type { InboundEvent } from '../../task/event.ts'
import { codeInMessage } from '../../task/identity-link.ts'
import { type Directory, OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Template } from '../../template/template.ts'
import { withoutKnown } from '../../wording/guard/pasted.ts'
import { progressOf } from '../../wording/progress.ts'
import type { AnswersHerePorts } from '../approvals/answers/shown-here.ts'
import { answersHere } from '../approvals/answers/typed-answer.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import type { Channels } from '../channels/channel-port.ts'
import { mayBeCredential } from '../credentials/credentials.ts'
import { type DeliverPorts, showElsewhere } from '../deliveries/deliver.ts'
import { chatTitle } from '../deliveries/outage.ts'
import type { ShowWorkPorts } from '../deliveries/reader-check.ts'
import type { Version } from '../deliveries/withdraw.ts'
import { bothLinesCard } from '../grants/home-cards.ts'
import { isPauseText } from '../pause/pause.ts'
import type { AgreementStore } from '../people/port.ts'
import { type RoutePorts, routeEvent, sentBy } from '../people/route.ts'
import type { HomeWork, RemoteMessage } from './handover-port.ts'
import { callId, HOME_WAIT } from './home-call.ts'

/** Days that the grant lasts: one that nobody reviewed for a year is assumed forgotten. */
export const BOTH_LINES_DAYS = 365
/** Milliseconds. */
const DAY = 86_400_000

/** Template of the tasks that home answers there: that of the owner's private line. */
const PRIVATE_TEMPLATE = 'owner_private'

export function standingTransport({ store, now }: Clock & StoreOf<GrantStore>): TransportGrant | null {
  return liveTransport(
    store.grants().map(({ grant }) => grant),
    now(),
  )
}

/** The newest grant, live or ended. */
export function lastTransport({ store }: StoreOf<GrantStore>): TransportGrant | undefined {
  return store
    .grants()
    .map(({ grant }) => grant)
    .findLast((grant) => grant.kind === 'transport')
}

/** Home's policy with the acknowledgement as it is now; a revoked one forwards nothing. */
export function withTransport(policy: Policy, powers: Clock & Templates & StoreOf<GrantStore>): Policy {
  const live = standingTransport(powers)
  const jobs = (): readonly Template[] =>
    powers.templates.filter(({ principalClass }) => principalClass === 'cron')
  return live === null ? policy : withBothLines(policy, live, jobs())
}

/** Ports needed to propose one bot for both lines. */
type BothLinesPorts = DeliverPorts &
  ChatServices &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

/**
 * Sends the approval card. Refusals: template_none_matches; declassification_forbidden when the template may hold more than
 * `sensitive`; nothing_found when it was acknowledged already; those of `propose`.
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

/** Ports needed to decide whether home answers. */
type MessageForHomePorts = RoutePorts &
  AnswersHerePorts &
  PolicySource &
  Principals &
  Actions &
  Redaction &
  Channels &
  StoreOf<IdentityLinkStore>

/**
 * At the edge: the owner's message for home, or null for one that the edge handles: another person's message or chat,
 * a file, a code, a possible secret, a message taken here before, an answer to a question of the edge, and one
 * matched by a narrower template. `template`: as last synced from home; `spokeAt`: when home last wrote there, epoch
 * milliseconds.
 */
export function messageForHome(
  powers: MessageForHomePorts,
  input: unknown,
  { sink, template, spokeAt = 0 }: Pick<TransportGrant, 'sink' | 'template'> & { readonly spokeAt?: number },
): RemoteMessage | null {
  const raised: RoutePorts & PolicySource & Principals & StoreOf<IdentityLinkStore> = {
    ...powers,
    policy: () => withBothLines(powers.policy(), { sink, template }),
  }
  const sent = sentBy(raised, input)
  if (!sent.ok || sent.value.chat.id !== sink || sent.value.principal.class !== 'owner') return null
  const { event } = sent.value
  // The edge took it while home was offline; home must not answer a duplicate delivery as well.
  if (isTaken(powers, sent.value)) return null
  if (event.kind !== 'message' || event.attachments.length > 0 || isForHere(powers, event)) return null
  if (mayBeCredential(powers, sent.value) || answersHere(powers, sent.value, spokeAt)) return null
  const routed = routeEvent(raised, sent.value)
  if (routed.ok || routed.reason.code !== 'place_not_cleared') return null
  const { id, text, quoted, edits } = event
  return { id, text, quoted, ...(edits !== undefined && { version: 'edited' as const }) }
}

/**
 * At the edge: the owner's edited message in their chat, which replaces its former versions at either place; null for
 * any other message.
 */
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

/** Tells home that the edge answers this message; contains none of its text. */
export function answeredThere({ event }: Version): RemoteMessage {
  return { id: event, text: '', quoted: [], version: 'elsewhere' }
}

/**
 * At home: the same, in the chat of the acknowledgement. Refusals: grant_missing; event_malformed when it names no
 * message.
 */
export function versionOfMessage(
  powers: Clock & StoreOf<GrantStore>,
  { id }: Pick<RemoteMessage, 'id'>,
): Result<Version> {
  const live = standingTransport(powers)
  const edits = messageOf(id)
  if (live === null) return err('grant_missing')
  if (edits === null) return err('event_malformed')
  return ok({ principal: OWNER_PRINCIPAL, sink: live.sink, event: id, edits })
}

/** The id of a version starts with the id of its message. */
function messageOf(id: string): string | null {
  return id.includes('.') ? id.slice(0, id.lastIndexOf('.')) : null
}

/**
 * Whether it is a one-time code, a pause or unlink command, or a possible secret, which is handled at the place where it was
 * typed.
 */
function isForHere(powers: Redaction, { text, quoted }: Pick<InboundEvent, 'text' | 'quoted'>): boolean {
  return (
    isCode(text) ||
    isPauseText(text) ||
    commandIn(text)?.name === UNLINK ||
    [text, ...quoted].some((part) => withoutKnown(powers, part).found)
  )
}

function isCode(text: string): boolean {
  return codeInMessage(text) !== null || invitationInMessage(text) !== null
}

/**
 * At home: a message that the edge reports as the owner's, accepted in the chat of the acknowledgement only.
 * `waited`: milliseconds it was queued; from `HOME_WAIT` on, home counts as having been offline.
 * Refusals: grant_missing; identity_code, which must be typed at its own place.
 */
export function eventOfMessage(
  powers: Clock & StoreOf<GrantStore>,
  { id, text, quoted, version }: RemoteMessage,
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

/** At home: the directory, with the owner as sender in that chat. The channel has no account of this name. */
export function withOwnerThere(directory: Directory, live: Pick<TransportGrant, 'sink'> | null): Directory {
  const [, adapter, chat] = live?.sink.split(':') ?? []
  return live === null ? directory : { ...directory, owner: [...directory.owner, `${adapter}:${chat}`] }
}

/** Refusals: task_unknown for a call that no task waits for; those of `showElsewhere`. */
export async function hearHomeAtWork(
  powers: ShowWorkPorts & Actions & StoreOf<TaskStore>,
  { id, task: named }: Extract<HomeWork, { readonly on: 'call' }>,
): Promise<Result<true>> {
  const task = powers.store.loadTask(named)
  if (task?.state.at !== 'awaiting_home') return err('task_unknown', { call: id })
  const { step } = task.state
  const asked = task.plan?.steps[step]
  if (asked === undefined || callId(task, asked.id) !== id) return err('task_unknown', { call: id })
  return showElsewhere(powers, task, progressOf(powers.registry, task, { do: 'ask_home', step }))
}
