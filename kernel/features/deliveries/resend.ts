/**
 * Sends deliveries queued for an unreachable chat (F-18, Q-19): the first of each line when due, the rest right after, each
 * opened and checked again. Another chat is notified, without content, that something waits or was given up. Must not delay a
 * task: stops after each delivery if a run is wanted. Called by shell.ts, tick.ts and deliver-answer.ts.
 */

import { audit } from '../../powers/audit.ts'
import type { ChatServices, Clock, HomeLine, OwnerChats, OwnerFacts, Pausing } from '../../powers/ports.ts'
import type { OutboxRow, OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { tell } from '../../wording/words.ts'
import type { CardPorts } from '../approvals/card/card-opening.ts'
import { isRead } from '../channels/channel-port.ts'
import { pausedNow } from '../pause/pause.ts'
import { acknowledged, type DeliverPorts, deliverNotice, sendAgain } from './deliver.ts'
import { chatTitle, lostWords, type Unsent, waitsWords } from './outage.ts'
import type { ShowWorkPorts } from './reader-check.ts'
import { afterFailure, isPassing, isWaitedFor, LAST_WORD, WAITS_AT_MOST } from './waiting-line.ts'
import type { WaitingDelivery, WaitingStore } from './waiting-port.ts'

/** Milliseconds that the notice about given-up deliveries waits; nothing else reports them. */
const LAST_WORD_WAITS = 7 * 24 * 3_600_000
/** Milliseconds after a pause in which nothing is given up for its age. */
const AFTER_PAUSE = 3_600_000
/** Milliseconds before the owner is notified in another chat that something waits: most outages end sooner. */
export const NOTICE_AFTER = 120_000

/** Ports needed to send queued deliveries. */
export type ResendPorts = DeliverPorts &
  ShowWorkPorts &
  CardPorts &
  OwnerFacts &
  ChatServices &
  HomeLine &
  Pausing

/** Sends the queued deliveries of one principal. `isWanted`: another run is requested, which has priority. */
export async function sendWaiting(
  powers: ResendPorts,
  principal: string,
  isWanted: () => boolean,
): Promise<void> {
  const own = (): readonly WaitingDelivery[] => claimable(powers).filter((one) => one.principal === principal)
  const now = powers.now()
  for (const row of own()) if (endOf(powers, row) <= now) await giveUp(powers, row, 'delivery_overdue')
  const resting = new Set<string>()
  for (;;) {
    const row = own().find(({ sink }) => !resting.has(sink))
    if (row === undefined) return
    if (!(await hasLeft(powers, row))) resting.add(row.sink)
    if (isWanted()) return
  }
}

/** When a line is due next, epoch milliseconds; null when nothing waits. */
export function waitingMoment(
  powers: Clock & Pausing & StoreOf<TaskStore & OutboxStore & WaitingStore>,
): number | null {
  const { now } = powers
  const firsts = new Map<string, WaitingDelivery>()
  const rows = claimable(powers)
  for (const row of rows) if (!firsts.has(row.sink)) firsts.set(row.sink, row)
  const at = now()
  const telling = [...firsts.values()].map(({ told, since }) => (told ? 0 : since + NOTICE_AFTER))
  const moments = [
    ...[...firsts.values()].map(({ due }) => due),
    ...rows.map((row) => endOf(powers, row)),
    ...telling.filter((moment) => moment > at),
  ]
  return moments.length === 0 ? null : Math.min(...moments)
}

/** A queued delivery for display: its chat, when it was requested, since when it waits, next attempt; ISO 8601. */
export interface WaitingView {
  readonly chat: string
  readonly asked: string
  readonly since: string
  readonly next: string
}

export function waitingView({ store, chats }: ChatServices & StoreOf<WaitingStore>): readonly WaitingView[] {
  const rows = store.waiting()
  const iso = (at: number): string => new Date(at).toISOString()
  return rows.map(({ sink, asked, since, due }) => {
    const first = rows.find((one) => one.sink === sink)
    return {
      chat: chatTitle(sink, chats),
      asked: iso(asked),
      since: iso(since),
      next: iso(first?.due ?? due),
    }
  })
}

/** The chat is reachable again: its line is due at once. */
export function tryNow({ store, now }: Clock & StoreOf<WaitingStore>, sink: string): void {
  const first = store.waiting().find((one) => one.sink === sink)
  if (first !== undefined && !first.held && first.due > now()) store.putWaiting({ ...first, due: now() })
}

/** Notifies that a delivery was given up: in another chat of the owner, else as the last entry of its own line. */
export async function tellLost(
  powers: DeliverPorts & OwnerFacts & ChatServices & HomeLine & OwnerChats,
  lost: Unsent & { readonly id: string; readonly principal: string },
  code: ReasonCode,
): Promise<void> {
  const { id, sink, principal } = lost
  const words = lostWords(lost, code, { timezone: powers.profile().timezone, chats: powers.chats })
  if (principal === OWNER_PRINCIPAL) tellHome(powers, lost, code)
  if (principal === OWNER_PRINCIPAL && (await tellElsewhere(powers, sink, `${LAST_WORD}${id}`, words))) return
  const name = `${LAST_WORD}${sink}:`
  const isSaid = powers.store.waiting().some((one) => one.id.startsWith(name))
  // A person other than the owner who blocked the chat is not written to.
  const isRefused = code !== 'delivery_overdue' && code !== 'outbox_full'
  if (isSaid || (isRefused && principal !== OWNER_PRINCIPAL)) return
  const last = { id: `${name}${powers.now()}`, sink, principal, words: tell('deliveries.last_word') }
  await deliverNotice(powers, { ...last, code, patience: 'behind' })
}

/** True once it has left its line. */
async function hasLeft(powers: ResendPorts, row: WaitingDelivery): Promise<boolean> {
  const { store } = powers
  const delivery = store.findDelivery(row.id)
  if (delivery === null) return giveUp(powers, row, 'record_unreadable')
  if (powers.now() >= row.due) {
    // Counted before the attempt: a process that was killed during the attempt may have sent it.
    store.putWaiting({ ...row, attempts: row.attempts + 1 })
    const sent = await sendAgain(powers, delivery, row.attempts > 0)
    if (sent.ok) {
      store.dropWaiting(row.id)
      return true
    }
    const { reason } = sent
    if (!isPassing(reason.code) && !row.id.startsWith(LAST_WORD)) return giveUp(powers, row, reason.code)
    store.putWaiting(afterFailure(row, powers.now(), reason))
  }
  if (!row.told && powers.now() - row.since >= NOTICE_AFTER) await tellThatItWaits(powers, row, delivery)
  return false
}

async function tellThatItWaits(
  powers: DeliverPorts & OwnerFacts & ChatServices & HomeLine & OwnerChats,
  row: WaitingDelivery,
  delivery: OutboxRow,
): Promise<void> {
  const { id, sink, asked, principal } = row
  if (principal !== OWNER_PRINCIPAL) return
  const unsent = { sink, asked, kind: delivery.kind }
  const words = waitsWords(unsent, { timezone: powers.profile().timezone, chats: powers.chats })
  if (!(await tellElsewhere(powers, sink, `waits:${id}`, words))) return
  tellHome(powers, unsent, null)
  const line = powers.store.waiting().filter((one) => one.sink === sink)
  powers.store.transaction(() => {
    for (const one of line) powers.store.putWaiting({ ...one, told: true })
  })
}

async function giveUp(
  powers: DeliverPorts & CardPorts & OwnerFacts & ChatServices & HomeLine,
  row: WaitingDelivery,
  code: ReasonCode,
): Promise<true> {
  const { store } = powers
  const { id, sink, principal, asked } = row
  const delivery = store.findDelivery(id)
  const task = delivery?.task == null ? null : store.loadTask(delivery.task)
  store.dropWaiting(id)
  if (delivery !== null) acknowledged(powers, [delivery.text.id])
  audit(powers, 'egress', task, { sink, kind: delivery?.kind ?? null, ok: false, code, ended: true })
  if (!id.startsWith(LAST_WORD))
    await tellLost(powers, { id, sink, principal, asked, kind: delivery?.kind ?? 'notice' }, code)
  return true
}

/** Home may have a chat that the owner reads sooner than any remaining one of this place. */
function tellHome({ home, now }: Clock & HomeLine, { kind, asked }: Unsent, lost: ReasonCode | null): void {
  home?.unsent?.({ kind, age: Math.max(0, now() - asked), lost })
}

/** Sends to the first other chat of the owner that accepts it and has no outage itself; polled chats come last. */
export async function tellElsewhere(
  powers: DeliverPorts & OwnerChats,
  sink: string,
  id: string,
  words: string,
): Promise<boolean> {
  const later = (other: string): number => Number(!isRead(powers, other))
  for (const other of powers.adminSinks.toSorted((one, two) => later(one) - later(two))) {
    if (other === sink || powers.hears?.(other) === false || isWaitedFor(powers, other)) continue
    const notice = { id, sink: other, principal: OWNER_PRINCIPAL, code: 'channel_failing', words } as const
    const told = await deliverNotice(powers, { ...notice, patience: 'once' })
    if (told.ok) return true
  }
  return false
}

/** While the owner has paused everything, only the answers to the pause command are sent. */
function claimable(
  powers: Pausing & StoreOf<TaskStore & OutboxStore & WaitingStore>,
): readonly WaitingDelivery[] {
  const { store } = powers
  if (pausedNow(powers) === null) return store.waiting()
  return store.waiting().filter(({ id }) => {
    const task = store.findDelivery(id)?.task ?? null
    return task !== null && store.loadTask(task)?.pause !== undefined
  })
}

/** A delivery that expired during a pause gets one more attempt afterwards. */
function endOf({ pause }: Pausing, { id, since }: WaitingDelivery): number {
  const end = since + (id.startsWith(LAST_WORD) ? LAST_WORD_WAITS : WAITS_AT_MOST)
  const over = pause?.read().over ?? null
  return over !== null && over.until >= since ? Math.max(end, over.until + AFTER_PAUSE) : end
}
