/**
 * Waiting questions as the owner sees them (F-03, F-10): one card, with a count, for requests with identical bytes. `<id>.<n>`
 * names the n oldest, `<id>` one, and a number the card whose newest request has it; an approval runs no more than the card said,
 * and a repeat within one conversation not at all. Must not decide. Called by asking.ts, decisions.ts and kernel-ports.ts.
 */
import { CALLS } from '../../call/values/asked.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import type { Place } from '../../flow/place.ts'
import type { Result } from '../../flow/verdict.ts'
import type { AtPlace } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { parsePrincipalId } from '../../task/principal.ts'
import { tell } from '../../wording/words.ts'
import { foldCard } from './card/card-face.ts'
import { type CardPorts, openCard } from './card/card-opening.ts'
import type { ApprovalView } from './port.ts'

/** Waiting questions after which the owner is notified that they pile up (F-10). */
export const MANY_WAITING = 10

/** Requests with identical bytes, oldest first; a change or a choice is always alone. */
export type Waiting = readonly [StoredApproval, ...StoredApproval[]]

export function waitingOf({ store }: StoreOf<ApprovalStore>): readonly Waiting[] {
  const groups = new Map<string, [StoredApproval, ...StoredApproval[]]>()
  for (const stored of store.pendingApprovals(null)) {
    const key = sameness(stored.approval)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [stored])
    else group.push(stored)
  }
  return [...groups.values()]
}

/** When the newest card that a plan could change was shown, epoch milliseconds; 0 if none waits. */
export function changeableSince({ store }: StoreOf<ApprovalStore>, principal: string): number {
  const shown = store
    .pendingApprovals(principal)
    .filter(({ approval }) => CALLS.includes(approval.kind) && approval.task !== '')
  return Math.max(0, ...shown.map(({ approval }) => approval.toldAt ?? 0))
}

/** Numbers are odd at home and even at the edge, so a number never names cards of both places. */
function numberAt(place: Place, number: number): number {
  return place === 'home' ? 2 * number - 1 : 2 * number
}

function numberInMessage(place: Place, said: number): number | null {
  const isOdd = said % 2 === 1
  return isOdd === (place === 'home') ? Math.ceil(said / 2) : null
}

/** Number of the card whose newest request this is; null if it has none. */
export function numberOf({ place }: AtPlace, { number }: StoredApproval): number | null {
  return number === 0 ? null : numberAt(place, number)
}

/** Digits only, and fewer than any id has. */
const NUMBER = /^[1-9]\d{0,8}$/

/** Whether only the other place can have issued this number. */
export function isNumberOfOther({ place }: AtPlace, name: string): boolean {
  return NUMBER.test(name) && numberInMessage(place, Number(name)) === null
}

interface Named {
  readonly id: string
  /** Requests that it covers. */
  readonly most: number
  /** For a clarification: the chosen option, from 1. */
  readonly choice?: number
}

/**
 * What a name covers: one request for an id, n for `<id>.<n>`; for a number, the group as it was when that
 * request was its newest; and of a clarification, which is always alone, `<id>.<n>` and `<number>.<n>` are
 * its option n.
 */
export function named(powers: AtPlace & StoreOf<ApprovalStore>, name: string): Named {
  if (NUMBER.test(name) && powers.store.loadApproval(name) === null) return byNumber(powers, Number(name))
  const [, of = '', last] = /^(.+)\.([1-9]\d{0,3})$/.exec(name) ?? []
  if (last === undefined || powers.store.loadApproval(name) !== null) return { id: name, most: 1 }
  const id = NUMBER.test(of) && powers.store.loadApproval(of) === null ? byNumber(powers, Number(of)).id : of
  if (powers.store.loadApproval(id)?.approval.kind === 'clarification')
    return { id, most: 1, choice: Number(last) }
  return { id: of, most: Number(last) }
}

function byNumber(powers: AtPlace & StoreOf<ApprovalStore>, said: number): Named {
  const number = numberInMessage(powers.place, said)
  const stored = number === null ? null : powers.store.approvalNumbered(number)
  if (stored === null) return { id: '', most: 1 }
  const { id } = stored.approval
  const group = waitingOf(powers).find((all) => all.some(({ approval }) => approval.id === id))
  const at = group?.findIndex(({ approval }) => approval.id === id) ?? 0
  return { id: group?.[0].approval.id ?? id, most: at + 1 }
}

/** All waiting requests that the name covers, or else the one it names. */
export function approvalsOf(powers: AtPlace & StoreOf<ApprovalStore>, name: string): readonly Approval[] {
  const { id, most } = named(powers, name)
  const group = waitingOf(powers).find(([first]) => first.approval.id === id)
  const own = powers.store.loadApproval(id)?.approval
  if (group !== undefined) return group.slice(0, most).map(({ approval }) => approval)
  return own === undefined ? [] : [own]
}

export function nameOf([first, ...others]: Waiting): string {
  const { id } = first.approval
  return others.length === 0 ? id : `${id}.${others.length + 1}`
}

/**
 * Requests of a group that repeat an earlier one of the same conversation: an approval runs the call once per conversation. Each
 * run of a job and each time of a scheduled call is a request of its own.
 */
export function repeatsIn(
  { store }: StoreOf<TaskStore>,
  group: readonly StoredApproval[],
): readonly StoredApproval[] {
  const seen = new Set<string>()
  return group.filter(({ approval: { id, task, principal } }) => {
    const asking = store.loadTask(task)
    const by = parsePrincipalId(principal)
    const isRun = asking === null || asking.timed !== undefined || (by.ok && by.value.kind === 'cron')
    const key = isRun ? id : `${principal} ${asking.sink}`
    return seen.size === seen.add(key).size
  })
}

/** The card of a group, with how often it will run. */
export function countedCard(
  powers: StoreOf<TaskStore>,
  card: Labeled<string>,
  group: Waiting,
): Labeled<string> {
  if (group.length === 1) return card
  const runs = group.length - repeatsIn(powers, group).length
  const same =
    runs === 1
      ? tell('wording.same_requests', { count: group.length })
      : tell('wording.same_of_several', { count: runs })
  return derive(card, (text) => `${text}\n${same}`)
}

/** All waiting cards, oldest first, opened for the sink that each card goes to. */
export async function viewsOf(powers: CardPorts & StoreOf<ApprovalStore>): Promise<readonly ApprovalView[]> {
  const views: ApprovalView[] = []
  for (const group of waitingOf(powers)) {
    const view = await viewOf(powers, group)
    if (view.ok) views.push(view.value)
  }
  return views
}

async function viewOf(powers: CardPorts, group: Waiting): Promise<Result<ApprovalView>> {
  const [stored] = group
  const { kind, task, tool, reason, createdAt, options } = stored.approval
  const id = nameOf(group)
  const card = await openCard(powers, stored, (text) => countedCard(powers, text, group))
  if (!card.ok) return card
  const expiresAt = Math.min(...group.map(({ approval }) => approval.expiresAt))
  const number = numberOf(powers, group.at(-1) ?? stored)
  const shown = { card: foldCard(card.value, id, number), full: card.value, count: group.length }
  return {
    ok: true,
    value: {
      id,
      number: number ?? 0,
      kind,
      task,
      tool,
      ...shown,
      reason,
      createdAt,
      expiresAt,
      options: options ?? 0,
    },
  }
}

/** Key of everything that the card shows or that decides authority: approvals that differ in any of it are separate questions. */
function sameness(approval: Approval): string {
  const { id, kind, template, principal, digest, label, reason, place, toldAt } = approval
  if (kind !== 'tainted_write' && kind !== 'declassification') return id
  return JSON.stringify([kind, template, principal, digest, label, reason, place, toldAt === null])
}

const OF_A_TASK: readonly Approval['kind'][] = ['plan', 'clarification', 'tainted_write', 'declassification']

export function closeAsked({ store }: StoreOf<TaskStore & ApprovalStore>): readonly Approval[] {
  const over = store.pendingApprovals(null).flatMap(({ approval }) => {
    const isTasks = OF_A_TASK.includes(approval.kind) && approval.task !== ''
    const state = isTasks ? store.loadTask(approval.task)?.state : undefined
    if (state === undefined || ('approval' in state && state.approval === approval.id)) return []
    return [{ ...approval, state: 'expired' } as const]
  })
  for (const approval of over) store.saveApproval(approval, null)
  return over
}
