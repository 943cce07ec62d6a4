/**
 * Intake: validates, deduplicates and seals an event and makes it a task, before anything is acknowledged (B-24,
 * B-25, B-28, B-29). Must not run the task. Called by the shell's `receive`.
 */

import { canTakeBack } from '../features/channels/channel-port.ts'
import { withPrompt } from '../features/commands/commands.ts'
import type { RetractionStore } from '../features/deliveries/waiting-port.ts'
import type { Version } from '../features/deliveries/withdraw.ts'
import { attach } from '../features/files/attachments.ts'
import { type LinkPorts, lookAfterLinks, receiveLinkCode } from '../features/identities/identity-links.ts'
import { type SettlingPorts, settleLanguage } from '../features/language/language.ts'
import { pauseWordIn, sayPause } from '../features/pause/pause.ts'
import { type InvitationPorts, receiveInvitation } from '../features/people/invitations.ts'
import { type Routed, type RoutePorts, routeEvent, type Sent, sentBy } from '../features/people/route.ts'
import { planModeAfter } from '../features/plan-mode/plan-mode.ts'
import { receive } from '../flow/provenance.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { advance, rowsFor, startTask } from '../machine/machine.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type {
  Actions,
  Clock,
  Ids,
  Outgoing,
  OwnerFacts,
  OwnerPrompts,
  OwnerService,
  Pausing,
  PolicySource,
  Redaction,
} from '../powers/ports.ts'
import { RAW_LIFETIME, type SealedReading, sealForLater } from '../powers/sealed.ts'
import type { EventStore, StoreOf, TaskStore, Transactions } from '../powers/stores.ts'
import type { CommandSense, Completed, TalkSense } from '../powers/tier-port.ts'
import { invitationInMessage } from '../task/agreement.ts'
import { isSilent, type TypedAnswer } from '../task/answers/answer-words.ts'
import { taskIdOf } from '../task/capability.ts'
import type { InboundEvent } from '../task/event.ts'
import { codeInMessage } from '../task/identity-link.ts'
import type { PauseCommand } from '../task/pause.ts'
import type { Task } from '../task/task.ts'
import { withoutKnown } from '../wording/guard/pasted.ts'
import { type Repeated, repeatedIn } from './again.ts'
import type { Stopped } from './stop-word.ts'

/** Maximum UTF-16 units of all quoted text in one message: a forwarded book must not fill the writer's prompt. */
const QUOTED_MAX = 20_000

/** Replaces a code in the conversation history. */
const CODE_PLACEHOLDER = '(a one-time code)'

/** Replaces a credential. */
const CREDENTIAL_PLACEHOLDER = '(a credential)'

const CODE: Refusal = { code: 'identity_code', facts: {} }
const PASTED: Refusal = { code: 'secret_pasted', facts: {} }

export interface Received {
  readonly task: string
  readonly turn: number
  readonly principal: string
  readonly duplicate: boolean
}

/** Ports of everything that an event may touch before its task runs. Includes no model and no tool. */
export type IntakePorts = Actions &
  LinkPorts &
  RoutePorts &
  AdmitPorts &
  InvitationPorts &
  SettlingPorts &
  TalkSense &
  OwnerFacts &
  OwnerPrompts &
  Redaction &
  OwnerService

/**
 * `take`: removes an answer to a credential question before any of it is read or stored (L-13). Refusals:
 * event_malformed, event_too_large, template_none_matches, sink_not_of_task, place_not_cleared.
 */
export async function takeIn(
  powers: IntakePorts,
  input: unknown,
  { only, take, agreed, answers, stops, edited, alone = false }: Taking,
): Promise<Result<Received>> {
  const from = ofPrincipal(sentBy(powers, input), only)
  if (from.ok) {
    const { principal, event } = from.value
    const known = taskId(principal.id, event)
    // A duplicate delivery is not examined at all, even if it would now answer a question.
    if (powers.store.loadTask(known) !== null) return ok(repeated(powers, known, principal.id))
  }
  const taken = from.ok ? take(from.value) : null
  if (from.ok && taken !== null) return endTaken(powers, from.value, taken)
  const sent = from.ok ? ok(withPrompt(powers, from.value)) : from
  const isCode = sent.ok && (await takeCode(powers, sent.value))
  const arrived = sent.ok ? routeEvent(powers, sent.value) : sent
  if (!arrived.ok) {
    audit(powers, 'event_rejected', null, { code: arrived.reason.code, ...arrived.reason.facts })
    return arrived
  }
  const { principal, event } = arrived.value
  if (principal.class !== 'owner') powers.ownerService?.recordSender(event.source)
  const { routed, pasted } = isCode ? withoutCode(arrived.value) : withoutSecrets(powers, arrived.value)
  const end = isCode ? CODE : pasted ? PASTED : null
  if (end === null) await settleLanguage(powers, routed)
  // Derived from the event: a duplicate delivery names the same task, whether or not the first is still running.
  const id = taskId(routed.principal.id, routed.event)
  const again = end === null ? await repeatedIn(powers, routed) : null
  const repeats =
    again ?? (end === null ? ((await powers.tier.talk?.completed(powers, routed)) ?? null) : null)
  const words = repeats?.words ?? (await sealWords(powers, routed))
  const quoted = await sealQuoted(powers, routed)
  const files = await attach(powers, routed)
  const counts = end === null && sent.ok ? sent.value : null
  const answer = (counts && (await answers?.(counts))) ?? null
  const stop = (counts && stops?.(counts)) ?? null
  const word = end === null ? pauseWordIn(routed) : null
  const template = powers.templates.find((one) => one.id === repeats?.of.template) ?? routed.template
  const sort = { end, alone, retract: end === PASTED }
  const kept = { routed: { ...routed, template }, id, words, quoted, files, repeats, ...sort }
  return powers.store.transaction(() => {
    if (agreed?.() === false) return err('approval_spent')
    const received = admit(powers, { ...kept, answer, stop, word })
    const { edits } = routed.event
    if (!received.duplicate && edits !== undefined)
      edited?.({ principal: routed.principal.id, sink: routed.sink, event: routed.event.id, edits })
    return ok(received)
  })
}

interface Taking {
  readonly only: string | null
  readonly take: (sent: Sent) => Taken | null
  /** Records the decision that takes the event in, in its transaction; false cancels the intake. */
  readonly agreed?: () => boolean
  /** Recognises a typed approval or denial; applied in the transaction. What it leaves undefined runs as a request. */
  readonly answers?: (sent: Sent) => Promise<(() => TypedAnswer | undefined) | null>
  /** Recognises a stop command; applied in the transaction. */
  readonly stops?: (sent: Sent) => (() => Stopped) | null
  /** Called in the transaction when the message replaces former versions. */
  readonly edited?: (version: Version) => void
  /** True: home is not called for this message. */
  readonly alone?: boolean
}

/** Result of a message that answers a credential question. */
export interface Taken {
  readonly end: Refusal
  /** It contained a value: the message is deleted from the chat (L-14). */
  readonly secret: boolean
  /** Runs before the acknowledgement is durable; a duplicate delivery repeats it. */
  readonly before?: () => Promise<void>
  /** Runs after that, and is not awaited. */
  readonly after?: () => void
}

/** Stores nothing of the message except that there was one. */
async function endTaken(
  powers: AdmitPorts & RoutePorts & SealedReading & StoreOf<Transactions>,
  { event, ...sent }: Sent,
  { end, secret, before, after }: Taken,
): Promise<Result<Received>> {
  const { message } = event
  const bare = {
    ...{ id: event.id, at: event.at, source: event.source, kind: 'message' as const, place: event.place },
    ...{ text: secret ? CREDENTIAL_PLACEHOLDER : event.text, quoted: [], attachments: [], replyTo: null },
    ...(message !== undefined && { message }),
  }
  const routed = routeEvent(powers, { ...sent, event: bare })
  if (!routed.ok) return routed
  const id = taskId(sent.principal.id, event)
  const words = await sealWords(powers, routed.value)
  await before?.()
  const admission = { routed: routed.value, id, words, quoted: null, files: null, end, retract: secret }
  const received = powers.store.transaction(() => admit(powers, admission))
  if (!received.duplicate) after?.()
  return ok(received)
}

/**
 * A one-time code, of an identity link or an invitation, is handled by the kernel only: it counts whether or not a
 * template matches, and no model reads it (F-15, B-04).
 */
async function takeCode(
  powers: LinkPorts & InvitationPorts,
  { event, principal, chat }: Sent,
): Promise<boolean> {
  if (event.kind !== 'message' && event.kind !== 'command') return false
  const said = { principal: principal.id, sink: chat.id, event: taskId(principal.id, event) }
  const linking = event.kind === 'message' ? codeInMessage(event.text) : null
  const inviting = invitationInMessage(event.text)
  if (linking !== null) {
    await receiveLinkCode(powers, { ...said, code: linking })
    await lookAfterLinks(powers)
  } else if (inviting !== null) {
    const { handle } = event.source
    await receiveInvitation(powers, { ...said, code: inviting, ...(handle !== undefined && { handle }) })
  }
  return linking !== null || inviting !== null
}

/** Stored form of a message that was a code. */
function withoutCode(routed: Routed): { readonly routed: Routed; readonly pasted: false } {
  return {
    routed: { ...routed, event: { ...routed.event, text: CODE_PLACEHOLDER, quoted: [], attachments: [] } },
    pasted: false,
  }
}

/**
 * Removes pasted keys (L-17) and secrets known to this place before anything is stored or read; a stored secret would
 * block every later prompt that contains it (D-05). `pasted`: the owner's own words contained one; the owner is asked
 * what it is for, and the words are not used otherwise.
 */
function withoutSecrets(
  powers: Redaction,
  routed: Routed,
): { readonly routed: Routed; readonly pasted: boolean } {
  const { event, principal } = routed
  const { text, found } = withoutKnown(powers, event.text)
  const quoted = event.quoted.map((part) => withoutKnown(powers, part).text)
  return {
    routed: { ...routed, event: { ...event, text, quoted } },
    pasted: found && principal.class === 'owner',
  }
}

/** A namespace accepts events of its own principal only. */
function ofPrincipal(sent: Result<Sent>, only: string | null): Result<Sent> {
  const isOther = sent.ok && only !== null && sent.value.principal.id !== only
  return isOther ? err('principal_not_allowed') : sent
}

type Later = Awaited<ReturnType<typeof sealForLater>>

interface Admission {
  readonly routed: Routed
  readonly id: string
  readonly words: Later
  readonly quoted: Later | null
  readonly files: Awaited<ReturnType<typeof attach>>
  /** The request whose words are used instead of those of the message, or together with them. */
  readonly repeats?: Repeated | Completed | null
  /** Why the message is not run; null for a request. */
  readonly end: Refusal | null
  /** True: the message is deleted from the chat. */
  readonly retract: boolean
  /** True: home is not called for this message. */
  readonly alone?: boolean
  /** Set if the message is a pause command of the owner. */
  readonly word?: PauseCommand['do'] | null
  readonly answer?: (() => TypedAnswer | undefined) | null
  readonly stop?: (() => Stopped) | null
}

/** Ports needed to admit an event. */
type AdmitPorts = Auditing &
  Ids &
  PolicySource &
  Outgoing &
  Pausing &
  CommandSense &
  StoreOf<EventStore & TaskStore & RetractionStore>

function admit(
  powers: AdmitPorts,
  { routed, id, words, quoted, files, repeats, end, retract, alone, answer, stop, word }: Admission,
): Received {
  const { event, principal, sink } = routed
  // Checked before the event decides anything.
  if (powers.store.loadTask(id) !== null) return repeated(powers, id, principal.id)
  const typed = answer?.()
  const stopped = stop?.().ended
  const turn = powers.store.nextTurn(principal.id)
  const refs = {
    words: words.ref,
    ...repeats?.stillStored,
    ...(quoted !== null && { quoted: quoted.ref }),
    ...(files !== null && { attached: files.attached }),
    ...(alone === true && { alone: true as const }),
    ...(word && { pause: sayPause(powers, { do: word, sink, sent: event.at }) }),
    ...(typed !== undefined && { typed }),
    ...(stopped !== undefined && { stopped }),
  }
  const started = startTask(newTask(powers, routed, { id, turn, ...refs, ...settingsOf(powers, routed) }))
  const begun = isSilent(typed) ? advance(started.task, { got: 'withdrawn' }) : ended(started, end)
  const { task, rows } = rowsFor(begun.task, begun.effects)
  // The task's id is derived from the event and never forgotten, so a duplicate is found however late it arrives
  // (B-24).
  if (!powers.store.addTask(task, rows)) return repeated(powers, id, principal.id)
  words.put()
  quoted?.put()
  files?.put()
  if (retract && event.message !== undefined && canTakeBack(powers))
    powers.store.saveRetraction({
      ...{ id, principal: principal.id, sink: task.sink, message: event.message },
      ...{ attempts: 0, due: powers.now() },
    })
  const { adapter } = event.source
  audit(powers, 'task_created', task, {
    ...{ template: task.template, sink: task.sink, adapter, kind: event.kind, class: principal.class },
    ...(repeats && { [repeats.stillStored === undefined ? 'completes' : 'repeats']: repeats.of.id }),
  })
  return { task: id, turn, principal: principal.id, duplicate: false }
}

function ended(started: ReturnType<typeof startTask>, end: Refusal | null): ReturnType<typeof startTask> {
  return end === null ? started : advance(started.task, { got: 'faulted', reason: end })
}

function repeated({ store }: StoreOf<TaskStore>, task: string, principal: string): Received {
  return { task, turn: store.loadTask(task)?.turn ?? 0, principal, duplicate: true }
}

function newTask(
  powers: Clock & Ids,
  { template, principal, event, sink, place }: Routed,
  own: Pick<
    Task,
    | 'id'
    | 'turn'
    | 'words'
    | 'quoted'
    | 'attached'
    | 'manner'
    | 'planMode'
    | 'alone'
    | 'pause'
    | 'typed'
    | 'stopped'
  >,
): Parameters<typeof startTask>[0] {
  const { ceiling, tools, maxToolCalls } = template
  const { waited } = event
  return {
    ...own,
    ...(waited === true && { waited }),
    ...{
      trace: powers.newId(),
      template: template.id,
      principal: principal.id,
      event: event.id,
      place,
    },
    ...{ ceiling, tools, maxToolCalls, sink, memory: {} },
    // Uses the time of the message, so that a late answer is recognised as late.
    createdAt: waited === true ? event.at : powers.now(),
  }
}

/** Only the owner, in their own words, sets the answer style and plan mode (P-30, P-19). */
function settingsOf(
  powers: CommandSense & StoreOf<TaskStore>,
  routed: Routed,
): Pick<Task, 'manner' | 'planMode'> {
  const { event, principal } = routed
  if (principal.class !== 'owner') return {}
  const words = event.kind === 'message' ? receive(event.text, routed.words) : null
  const said = { principal: principal.id, words }
  const manner = words === null ? null : powers.tier.commands.tone(powers, { ...said, words })
  const planMode = planModeAfter(powers, said)
  return { ...(manner !== null && { manner }), ...(planMode !== undefined && { planMode }) }
}

function sealWords(
  powers: SealedReading & Ids,
  { event, principal, words }: Routed,
): ReturnType<typeof sealForLater> {
  const until = principal.class === 'owner' ? null : powers.now() + RAW_LIFETIME
  const keeping = { principal: principal.id, store: 'sessions', until } as const
  return sealForLater(powers, keeping, receive(event.text, words))
}

/** Stored for this task only, like everything written by others (C-04). */
async function sealQuoted(
  powers: SealedReading & Ids,
  { event, principal, quoted }: Routed,
): Promise<Later | null> {
  const text = event.quoted.join('\n\n').slice(0, QUOTED_MAX)
  if (text === '' || quoted === null) return null
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: principal.id, store: 'sessions', until } as const
  return sealForLater(powers, keeping, receive(text, quoted))
}

/** Whether this message is a task here already. */
export function isTaken(
  { store }: StoreOf<TaskStore>,
  { principal, event }: Pick<Sent, 'principal' | 'event'>,
): boolean {
  return store.loadTask(taskId(principal.id, event)) !== null
}

/** Same sender, same chat, same delivery id: the same event. */
function taskId(principal: string, { id, source: { adapter, chat } }: InboundEvent): string {
  return taskIdOf(principal, `${adapter}:${chat}:${id}`)
}
