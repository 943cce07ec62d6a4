/**
 * Deliver: the egress step, and the only caller of a sender (invariants 3 and 5, A-05, A-39 – A-46). Checks the label
 * against the sink, removes secrets, seals the outbox row, sends, audits the size. Unwrap site 3. Called by drive.ts,
 * kernel-effects.ts, serve.ts, entries.ts, and by places that send notices (`deliverNotice`).
 */

import { forwardedProvenance, withBothLines } from '../../flow/both-lines.ts'
import type { Json } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { type Labeled, openForSink } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { err, ok, type Refusal, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type {
  Actions,
  AtPlace,
  Clock,
  Delivery,
  Outgoing,
  OwnerChats,
  PolicySource,
  SecretScan,
} from '../../powers/ports.ts'
import { keepText, openTextOf, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type {
  AuditLog,
  OutboxRow,
  OutboxStore,
  StoreOf,
  TaskStore,
  Transactions,
} from '../../powers/stores.ts'
import { OWNER_PRINCIPAL, readerOf } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { encodeText } from '../../vault/text.ts'
import { withoutSecrets } from '../../wording/guard/guard.ts'
import { withWords } from '../../wording/progress.ts'
import { tell } from '../../wording/words.ts'
import { isRead } from '../channels/channel-port.ts'
import { agreementOver } from '../people/person-of.ts'
import { policyFor } from '../people/route.ts'
import type { DeliveredText } from '../places/handover-port.ts'
import { offersOf } from '../reminders/offers.ts'
import { type Notice, noticeOf, ownIf, type Patience, type Payload } from './payload.ts'
import { mayShowProgress, type ShowWorkPorts, sinkPolicy } from './reader-check.ts'
import { isPassing, isWaitedFor, joinLine } from './waiting-line.ts'
import type { Retraction, WaitingStore } from './waiting-port.ts'
import type { Working, WorkProgress } from './work-port.ts'

export type { Notice, Payload } from './payload.ts'

/** Prefix of the ids of the outbox's own copies. */
const OUTBOX = 'out:'
/** Prefix of the name under which home's work is shown here, so that it matches no task of this place. */
const SAID = 'said:'

/** Milliseconds that a text stays in the outbox after its channel acknowledged it, for reports and other readers (C-04). */
export const OUTBOX_LIFETIME = 24 * 3_600_000

/** Ports needed for egress: policy, sender, outbox and audit. */
export type DeliverPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Outgoing &
  SecretScan &
  StoreOf<Transactions & OutboxStore & WaitingStore>

/**
 * Ok when sent or queued. Refusals: those of `checkEgress`, sink_wrong_principal, outbox_full, permanent ones of the
 * sender.
 */
export function deliver(powers: DeliverPorts, task: Task, payload: Payload): Promise<Result<true>> {
  return send(powers, { ...task, principal: readerOf(task.principal), task }, payload, 'waits')
}

interface Chosen {
  readonly only?: string | null
  readonly first?: string | null
}

/**
 * Delivers to a chat of the owner, whoever's task it concerns: a card is shown to nobody else (F-02). The first chat that accepts
 * it gets it, and the audit names that chat (F-18); when none does, a notice is queued for the first chat that was only
 * temporarily unreachable. `only`: the one chat to use, which already shows the delivery. `first`: the chat to prefer when no
 * task of the owner names one. Refusals as above, a temporary one if there was any; sink_unknown when this place has no chat with
 * the owner.
 */
export async function deliverToOwner(
  powers: DeliverPorts & OwnerChats,
  task: Task | null,
  payload: Payload,
  { only = null, first = null }: Chosen = {},
): Promise<Result<true>> {
  const failed: { readonly owner: Addressee; readonly reason: Refusal }[] = []
  const owners = ownersOf(powers, task, first)
  for (const owner of only === null ? owners : owners.filter(({ sink }) => sink === only)) {
    const sent = await send(powers, owner, payload, 'once')
    if (sent.ok && (payload.kind !== 'card' || !failed.some(isAway) || isRead(powers, owner.sink)))
      return sent
    if (!sent.ok) failed.push({ owner, reason: sent.reason })
  }
  const away = failed.find(isAway)
  const found = away ?? failed[0]
  if (found === undefined) return err('sink_unknown')
  const mayWait = away !== undefined && payload.kind === 'notice' && (payload.until ?? null) === null
  return mayWait ? send(powers, found.owner, payload, 'behind') : { ok: false, reason: found.reason }
}

function isAway({ reason }: { readonly reason: Refusal }): boolean {
  return isPassing(reason.code)
}

/** Owner chats in order: the chat of the owner's own task, then `first`, then as configured (F-18). */
function ownersOf(
  { adminSinks, place, hears }: AtPlace & OwnerChats,
  task: Task | null,
  first: string | null = null,
): readonly Addressee[] {
  const own = task?.principal === OWNER_PRINCIPAL ? [{ ...task, task }] : []
  const template = task?.template ?? ''
  const others = adminSinks
    .filter((sink) => own.every((asked) => asked.sink !== sink))
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .map((sink) => ({ sink, principal: OWNER_PRINCIPAL, place, template, task }))
  const deaf = ({ sink }: Addressee): number => Number(hears?.(sink) === false)
  // Chats where no answer can be received come last.
  return [...own, ...others].toSorted((one, other) => deaf(one) - deaf(other))
}

/** Releases a text for the first chat of the owner that may show it. */
export function releaseToOwner(
  powers: Clock & AtPlace & PolicySource & SecretScan & OwnerChats,
  task: Task | null,
  text: Labeled<string>,
): Result<string> {
  const shown = ownersOf(powers, task).map((owner) => release(powers, owner, text))
  return shown.find(({ ok }) => ok) ?? shown[0] ?? err('sink_unknown')
}

/** Sends a notice of the place itself, in kernel words; without a task, or about a running one. Refusals as above. */
export function deliverNotice(
  powers: DeliverPorts,
  { code, words, text, id, about, names, offers, changes, patience = 'waits', ...to }: Notice,
  task: Task | null = null,
): Promise<Result<true>> {
  const addressee = { ...to, place: powers.place, template: task?.template ?? '', task }
  const own = {
    ...{ ...(words !== undefined && { words }), ...(text !== undefined && { text }) },
    ...{ ...(offers && { offers }), ...(changes && { changes }) },
  }
  const notice = noticeOf({ id, code, about, names, ...own })
  return send(powers, addressee, notice, patience)
}

/** Sends such a notice to the owner, in the first chat here that accepts it (F-18). */
export function tellOwner(
  powers: DeliverPorts & OwnerChats,
  notice: Omit<Notice, 'sink' | 'principal' | 'patience'>,
): Promise<Result<true>> {
  return deliverToOwner(powers, null, noticeOf(notice))
}

/** Destination of a delivery, and the task it belongs to. */
interface Addressee extends Pick<Task, 'sink' | 'principal' | 'place' | 'template'> {
  readonly task: Task | null
}

async function send(
  powers: DeliverPorts,
  to: Addressee,
  payload: Payload,
  patience: Patience,
): Promise<Result<true>> {
  const { task } = to
  const opened = release(powers, to, payload.text)
  if (!opened.ok) {
    audit(powers, 'denial', task, { code: opened.reason.code, ...opened.reason.facts })
    return opened
  }
  const { id, kind, approval, buttons, offers, text: labeled, until = null } = payload
  const label = describeLabel(labeled.label)
  const row = {
    ...{ id, sink: to.sink, principal: to.principal, task: task?.id ?? null, turn: task?.turn ?? null },
    ...{ kind, approval, label, at: powers.now() },
  }
  const keeping = { principal: to.principal, store: 'sessions', until, id: OUTBOX + id } as const
  // A repeated delivery has the same row, so repeating it after a crash shows it once.
  const text = payload.stored ?? (await keepText(powers, keeping, labeled))
  const keep = (): void => powers.store.putDelivery({ ...row, text })
  const isBegun = payload.changes !== true && powers.store.findDelivery(id)?.sink === to.sink
  if (payload.changes !== true) keep()
  const isBehind = patience === 'behind' || isWaitedFor(powers, to.sink)
  const more = { ...(buttons && { buttons }), ...(offers && { offers }), ...againIf(isBegun) }
  const shown = { ...row, ...more, ...ownIf(row, labeled), text: opened.value }
  const sent = isBehind ? err('remote_unavailable') : await put(powers, task, shown, text.id)
  if (sent.ok && payload.changes === true) keep()
  if (sent.ok || patience === 'once' || !isPassing(sent.reason.code)) return sent
  const asked = task?.createdAt ?? row.at
  const failed = isBehind ? null : sent.reason
  return joinLine(powers, { row, asked, bytes: encodeText(opened.value).length, failed })
}

/** Marks a repeated delivery whose earlier attempt may have reached the chat (`Delivery.again`). */
function againIf(isBegun: boolean): Pick<Delivery, 'again'> {
  return isBegun ? { again: tell('deliveries.again') } : {}
}

/**
 * Opens, checks and sends a stored delivery, if it may still leave. `isBegun`: it may have been sent. Refusals as above,
 * agreement_ended.
 */
export async function sendAgain(
  powers: ShowWorkPorts & SealedReading & SecretScan & StoreOf<TaskStore & AuditLog>,
  row: OutboxRow,
  isBegun: boolean,
): Promise<Result<true>> {
  const task = row.task === null ? null : powers.store.loadTask(row.task)
  const over = task === null ? null : agreementOver(powers, task)
  if (over !== null) return { ok: false, reason: over }
  const text = await openTextOf(powers, row.text)
  if (!text.ok) return text
  const { place, template } = task ?? { place: powers.place, template: '' }
  const opened = release(powers, { sink: row.sink, principal: row.principal, place, template }, text.value)
  const again = { ...row, offers: offersOf(row.id), ...againIf(isBegun), ...ownIf(row, text.value) }
  if (opened.ok) return put(powers, task, { ...again, text: opened.value }, row.text.id)
  audit(powers, 'denial', task, { code: opened.reason.code, ...opened.reason.facts })
  return opened
}

async function put(
  powers: Auditing & Outgoing & StoreOf<SealedStore>,
  task: Task | null,
  shown: Omit<Delivery, 'previews'>,
  copy: string,
): Promise<Result<true>> {
  const { sink, label, kind } = shown
  const sent = await powers.sender.send({ ...shown, previews: 'off' })
  audit(powers, 'egress', task, { sink, label, kind, ok: sent.ok, bytes: encodeText(shown.text).length })
  if (sent.ok && powers.sender.acknowledges?.(sink) === true) acknowledged(powers, [copy])
  return sent
}

/** Shows a partial answer if the answer itself may be sent there, else nothing; the final answer gives the reason. */
export function showDraft(powers: ShowWorkPorts & SecretScan, task: Task, text: Labeled<string>): void {
  if (agreementOver(powers, task) !== null) return
  const opened = release(powers, task, text)
  if (opened.ok) powers.sender.drafts?.show({ sink: task.sink, task: task.id, text: opened.value })
}

/** Shows in the task's chat that work continues, and the current step where that may be shown (C-32). */
export function showWork(powers: ShowWorkPorts, task: Task, how: WorkProgress | null): void {
  const { work } = powers.sender
  if (work === undefined || agreementOver(powers, task) !== null) return
  // No progress is shown for a job, because nobody waits for it.
  if (readerOf(task.principal) !== task.principal) return
  const { sink, id, event } = task
  work.working({ sink, task: id, event, how: mayShowProgress(powers, task) ? how : null })
}

/** The same for a task of this place that runs at the other one. Refusals: agreement_ended, and those of the channel. */
export async function showElsewhere(
  powers: ShowWorkPorts,
  task: Task,
  how: WorkProgress | null,
): Promise<Result<true>> {
  if (agreementOver(powers, task) !== null) return err('agreement_ended')
  return elsewhere(powers, { ...task, task: task.id, how: mayShowProgress(powers, task) ? how : null })
}

/** The same for home's work on a message that the owner wrote here, as released by home. Refusals: the channel's. */
export function runForwardedWork(
  powers: Clock & Actions & Outgoing,
  { sink, said, how }: { readonly sink: string; readonly said: string; readonly how: WorkProgress | null },
): Promise<Result<true>> {
  return elsewhere(powers, { sink, task: SAID + said, how: how && withWords(powers.registry, how) })
}

async function elsewhere(
  { sender, now }: Clock & Outgoing,
  { sink, task, how }: Working,
): Promise<Result<true>> {
  const shown = await sender.work?.elsewhere?.({ sink, task, how, now: now() })
  return shown ?? err('sink_unknown', { sink })
}

/** Home's work on that message ended without an answer there. */
export async function endForwardedWork(
  { sender }: Outgoing,
  sink: string,
  said: string,
): Promise<Result<true>> {
  await sender.work?.rests({ sink, task: SAID + said, back: false })
  return ok(true)
}

/** Tells the sender that no step of the task runs now. */
export async function endWork({ sender }: Outgoing, task: Task, back: boolean): Promise<void> {
  await sender.work?.rests({ sink: task.sink, task: task.id, back })
}

/** Deletes a person's own message in their chat (H-16). Refusals: sink_unknown, and the sender's own. */
export async function takeBack(
  powers: Auditing & Outgoing & StoreOf<TaskStore>,
  { id, sink, message }: Retraction,
): Promise<Result<true>> {
  const gone = (await powers.sender.retract?.({ sink, message })) ?? err('sink_unknown', { sink })
  const code = gone.ok ? null : gone.reason.code
  audit(powers, 'egress', powers.store.loadTask(id), { sink, kind: 'retraction', ok: gone.ok, code })
  return gone
}

/** Starts the expiry of texts that were read: the outbox keeps its copies for a limited time. */
export function acknowledged(powers: Clock & StoreOf<SealedStore>, texts: readonly string[]): void {
  const copies = texts.filter((id) => id.startsWith(OUTBOX))
  if (copies.length > 0) powers.store.boundSealed(copies, powers.now() + OUTBOX_LIFETIME)
}

/** Opens a value for the addressee's own sink, by policy and by the principal that owns the sink (A-45, B-10). */
function release(
  powers: Clock & AtPlace & PolicySource & SecretScan,
  to: Omit<Addressee, 'task'>,
  text: Labeled<string>,
): Result<string> {
  const policy = sinkPolicy(powers, to)
  if (!policy.ok) return policy
  const opened = openForSink(text, policy.value, { sink: to.sink, template: to.template, now: powers.now() })
  return opened.ok ? ok(withoutSecrets(powers, opened.value)) : opened
}

/**
 * Sends a text of home in the owner's chat here: checked again, sent, not stored. `template`: template whose tasks
 * home may answer there, as last synced. Refusals: those of `checkEgress`, and the sender's own.
 */
export async function deliverForwarded(
  powers: Auditing & PolicySource & Outgoing & SecretScan & StoreOf<WaitingStore>,
  { id, kind, text, label, sink, said }: DeliveredText & { readonly sink: string },
  template: string,
): Promise<Result<true>> {
  const policy = withBothLines(powers.policy(), { sink, template })
  const words = receive(text, forwardedProvenance(label))
  const opened = openForSink(words, policy, { sink, template, now: powers.now() })
  if (!opened.ok) {
    audit(powers, 'denial', null, { code: opened.reason.code, ...opened.reason.facts })
    return opened
  }
  // Deliveries queued here are older than this text; home queues its text as well and retries.
  if (isWaitedFor(powers, sink)) return err('remote_unavailable')
  const sent = await powers.sender.send({
    ...{ id, sink, principal: policy.owner, task: said === undefined ? null : SAID + said, turn: null },
    ...{ kind, approval: null },
    ...{ text: withoutSecrets(powers, opened.value), label, at: powers.now(), previews: 'off' },
  })
  audit(powers, 'egress', null, { sink, label, kind, ok: sent.ok, bytes: encodeText(opened.value).length })
  return sent
}

/** A text viewed by its owner through a sink of theirs at this place, outside of any task. Refusals as above. */
export function showTo(
  powers: Clock & AtPlace & PolicySource & SecretScan,
  to: { readonly sink: string; readonly principal: string },
  text: Labeled<string>,
): Result<string> {
  return release(powers, { ...to, place: powers.place, template: '' }, text)
}

/** Releases a value to the other place: the tunnel is a sink like any other, with that place's clearance. */
export function releaseToPlace(
  powers: Clock & PolicySource,
  value: Labeled,
  to: { readonly sink: 'sink:place:edge' | 'sink:place:home'; readonly template: string },
): Result<Json> {
  return openForSink(value, powers.policy(), { ...to, now: powers.now() })
}

/** An outbox row opened for the sink it was released to, for polled channels. */
export async function openDelivery(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore>,
  row: OutboxRow,
): Promise<Result<Delivery>> {
  const text = await openTextOf(powers, row.text)
  if (!text.ok) return text
  const { sink, principal } = row
  const policy = policyFor(powers.policy(), { sink, principal, place: powers.place })
  const template = row.task === null ? '' : (powers.store.loadTask(row.task)?.template ?? '')
  const opened = openForSink(text.value, policy, { sink, template, now: powers.now() })
  if (!opened.ok) return opened
  return ok({ ...row, text: withoutSecrets(powers, opened.value), previews: 'off' })
}

/** Sealed text that belongs to no task, opened for the owner's own chat. */
export async function openForOwner(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & OwnerChats,
  ref: SealedRef,
): Promise<Result<string>> {
  const text = await openTextOf(powers, ref)
  return text.ok ? releaseToOwner(powers, null, text.value) : text
}
