/**
 * Intake: an event is checked, deduplicated, sealed and turned into a task, before anyone is told "received"
 * (B-24, B-25, B-28, B-29). Must not run the task. Called by the shell's `receive`.
 */

import { canTakeBack } from '../features/channels/chat-abilities.ts'
import { withPrompt } from '../features/commands/prompt-command.ts'
import type { RetractionStore } from '../features/deliveries/retraction-port.ts'
import type { Version } from '../features/deliveries/withdraw.ts'
import { withoutKnown } from '../features/deliveries/without-known.ts'
import { attach } from '../features/files/attachments.ts'
import { hearCode, type LinkPorts, lookAfterLinks } from '../features/identities/identity-links.ts'
import { pauseWordIn, sayPause } from '../features/pause/pause.ts'
import { hearInvitation, type InvitationPorts } from '../features/people/invitations.ts'
import { planModeAfter } from '../features/plan-mode/plan-mode.ts'
import { receive } from '../flow/provenance.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { advance, rowsFor, startTask } from '../machine/machine.ts'
import { type Routed, type RoutePorts, routeEvent, type Sent, sentBy } from '../pipeline/route.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type {
  Clock,
  Ids,
  Outgoing,
  OwnerDesk,
  OwnerPrompts,
  Pausing,
  PolicySource,
  Redaction,
} from '../powers/ports.ts'
import { RAW_LIFETIME, type SealedReading, sealForLater } from '../powers/sealed.ts'
import type { EventStore, StoreOf, TaskStore, Transactions } from '../powers/stores.ts'
import type { CommandSense } from '../powers/tier-port.ts'
import { invitationSaid } from '../task/agreement.ts'
import type { TypedAnswer } from '../task/answer-said.ts'
import { digestOf } from '../task/capability.ts'
import type { InboundEvent } from '../task/event.ts'
import { codeSaid } from '../task/identity-link.ts'
import type { PauseWord } from '../task/pause.ts'
import type { Task } from '../task/task.ts'
import type { Stopped } from './stop-word.ts'

/** UTF-16 units of everything quoted in one message: a forwarded book must not fill the writer's prompt. */
const QUOTED_MAX = 20_000
/** Hex digits of a task id: 96 bits, so that two events never share one. */
const TASK_ID_DIGITS = 24

/** In place of a code, in the conversation that it came by. */
const CODE_SAID = '(a one-time code)'

/** The same of a credential. */
const CREDENTIAL_SAID = '(a credential)'

const CODE: Refusal = { code: 'identity_code', facts: {} }
const PASTED: Refusal = { code: 'secret_pasted', facts: {} }

export interface Received {
  readonly task: string
  readonly turn: number
  readonly principal: string
  readonly duplicate: boolean
}

/** All that an event may touch before its task runs. No model, and no tool. */
export type IntakePorts = LinkPorts &
  RoutePorts &
  AdmitPorts &
  InvitationPorts &
  OwnerPrompts &
  Redaction &
  OwnerDesk

/**
 * `take`: what answers a question for a credential is taken out before anything of it is read or kept (L-13).
 * Refusals: event_malformed, event_too_large, template_none_matches, sink_not_of_task, place_not_cleared.
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
    // A second delivery is nothing new, whatever is asked for by now: nothing of it is looked at.
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
  if (principal.class !== 'owner') powers.ownerDesk?.heard(event.source)
  const { routed, pasted } = isCode ? withoutCode(arrived.value) : withoutSecrets(powers, arrived.value)
  const end = isCode ? CODE : pasted ? PASTED : null
  // Derived from the event: a second delivery names the same task, whether or not the first is still running.
  const id = taskId(routed.principal.id, routed.event)
  const words = await sealWords(powers, routed)
  const quoted = await sealQuoted(powers, routed)
  const files = await attach(powers, routed)
  const counts = end === null && sent.ok ? sent.value : null
  const answer = counts === null ? null : (answers?.(counts) ?? null)
  const stop = counts === null ? null : (stops?.(counts) ?? null)
  const word = end === null ? pauseWordIn(routed) : null
  const kept = { routed, id, words, quoted, files, end, alone, retract: end === PASTED }
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
  /** Where it is taken in by a decision: makes that, in the transaction; nothing is taken without. */
  readonly agreed?: () => boolean
  /** A yes or no that was typed; settled in the transaction. */
  readonly answers?: (sent: Sent) => (() => TypedAnswer) | null
  /** A word that ends what is under way; done in the transaction. */
  readonly stops?: (sent: Sent) => (() => Stopped) | null
  /** Called in the transaction, where it takes the place of former versions. */
  readonly edited?: (version: Version) => void
  /** Answered without home. */
  readonly alone?: boolean
}

/** What an answer to a question for a credential comes to. */
export interface Taken {
  readonly end: Refusal
  /** It held a value: its message goes from the chat (L-14). */
  readonly secret: boolean
  /** Done before it is durable that the message was taken: a second delivery does it again. */
  readonly before?: () => Promise<void>
  /** Done after that, and not waited for. */
  readonly after?: () => void
}

/** Of the message itself nothing stays but that there was one. */
async function endTaken(
  powers: AdmitPorts & RoutePorts & SealedReading & StoreOf<Transactions>,
  { event, ...sent }: Sent,
  { end, secret, before, after }: Taken,
): Promise<Result<Received>> {
  const { message } = event
  const bare = {
    ...{ id: event.id, at: event.at, source: event.source, kind: 'message' as const, place: event.place },
    ...{ text: secret ? CREDENTIAL_SAID : event.text, quoted: [], attachments: [], replyTo: null },
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
 * A one-time code, of an identity link or of an invitation, is for the kernel alone: it counts whether or not any template would
 * take the message, and no model reads it (F-15, B-04).
 */
async function takeCode(
  powers: LinkPorts & InvitationPorts,
  { event, principal, chat }: Sent,
): Promise<boolean> {
  if (event.kind !== 'message' && event.kind !== 'command') return false
  const said = { principal: principal.id, sink: chat.id, event: taskId(principal.id, event) }
  const linking = event.kind === 'message' ? codeSaid(event.text) : null
  const inviting = invitationSaid(event.text)
  if (linking !== null) {
    await hearCode(powers, { ...said, code: linking })
    await lookAfterLinks(powers)
  } else if (inviting !== null) {
    const { handle } = event.source
    await hearInvitation(powers, { ...said, code: inviting, ...(handle !== undefined && { handle }) })
  }
  return linking !== null || inviting !== null
}

/** What is remembered of a message that was a code. */
function withoutCode(routed: Routed): { readonly routed: Routed; readonly pasted: false } {
  return {
    routed: { ...routed, event: { ...routed.event, text: CODE_SAID, quoted: [], attachments: [] } },
    pasted: false,
  }
}

/**
 * Before anything is kept or read: a key that was pasted is no message (L-17), nor is a secret that this place knows, whatever
 * it looks like: kept, it would refuse every later prompt that takes it along (D-05). `pasted` is true when the owner's own words
 * held one; he is asked what it is for, and nothing else is done with them.
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

/** A namespace takes its own principal's events and no other's. */
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
  /** Why nothing is done with it; null for a message that is a request. */
  readonly end: Refusal | null
  /** Its message goes from the chat. */
  readonly retract: boolean
  /** Answered without home. */
  readonly alone?: boolean
  /** It is the owner's word of pausing. */
  readonly word?: PauseWord['do'] | null
  readonly answer?: (() => TypedAnswer) | null
  readonly stop?: (() => Stopped) | null
}

/** What becomes of an event that is let in. */
type AdmitPorts = Auditing &
  Ids &
  PolicySource &
  Outgoing &
  Pausing &
  CommandSense &
  StoreOf<EventStore & TaskStore & RetractionStore>

function admit(
  powers: AdmitPorts,
  { routed, id, words, quoted, files, end, retract, alone, answer, stop, word }: Admission,
): Received {
  const { event, principal, sink } = routed
  // Before anything is decided by it.
  if (powers.store.loadTask(id) !== null) return repeated(powers, id, principal.id)
  const typed = answer?.()
  const stopped = stop?.().ended
  const turn = powers.store.nextTurn(principal.id)
  const refs = {
    words: words.ref,
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
  // The task bears the event's name and is never forgotten: a second delivery finds it, however late it comes (B-24).
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
  })
  return { task: id, turn, principal: principal.id, duplicate: false }
}

function ended(started: ReturnType<typeof startTask>, end: Refusal | null): ReturnType<typeof startTask> {
  return end === null ? started : advance(started.task, { got: 'faulted', reason: end })
}

/** The task that he said yes or no to is what answers him. */
function isSilent(typed: TypedAnswer | undefined): boolean {
  return typed !== undefined && 'decided' in typed && typed.speaks
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
    // Said then, and answered late as measured from then.
    createdAt: waited === true ? event.at : powers.now(),
  }
}

/** The owner alone says how he is answered, and whether he sees plans first, and only in his own words (P-30, P-19). */
function settingsOf(
  powers: CommandSense & StoreOf<TaskStore>,
  routed: Routed,
): Pick<Task, 'manner' | 'planMode'> {
  const { event, principal } = routed
  if (principal.class !== 'owner') return {}
  const words = event.kind === 'message' ? receive(event.text, routed.words) : null
  const said = { principal: principal.id, words }
  const manner = words === null ? null : powers.tier.commands.manner(powers, { ...said, words })
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

/** Kept for the task alone, like everything that somebody else wrote (C-04). */
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

/** Same sender, same chat, same delivery id: the same event. */
function eventKey({ id, source: { adapter, chat } }: InboundEvent): string {
  return `${adapter}:${chat}:${id}`
}

/** Whether this very message is a task here already. */
export function isTaken(
  { store }: StoreOf<TaskStore>,
  { principal, event }: Pick<Sent, 'principal' | 'event'>,
): boolean {
  return store.loadTask(taskId(principal.id, event)) !== null
}

function taskId(principal: string, event: InboundEvent): string {
  return `t${digestOf([principal, eventKey(event)]).slice(0, TASK_ID_DIGITS)}`
}
