/**
 * Finds which cards a chat has shown, from its deliveries. Must not look at content. Called by the files that read a typed answer
 * or reply to one.
 */
import type { AtPlace, Outgoing } from '../../../powers/ports.ts'
import type { ApprovalStore, OutboxRow, OutboxStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import type { TypedAnswer } from '../../../task/answers/answer-words.ts'
import { OWNER_PRINCIPAL } from '../../../task/principal.ts'
import type { WaitingStore } from '../../deliveries/waiting-port.ts'
import { cardDelivery } from '../card-closing.ts'
import { nameOf, type Waiting } from '../waiting.ts'

/** Number of newest deliveries of a chat that are searched for its last card. */
const LOOKED_BACK = 20

/** Ports needed to recognise a typed word as an answer. */
export type AnswersHerePorts = AtPlace &
  Outgoing &
  StoreOf<TaskStore & ApprovalStore & OutboxStore & WaitingStore>

/** The newest deliveries of a chat, without those that still wait to be sent and that nobody has seen. */
export function deliveredTo(
  { store }: StoreOf<OutboxStore & WaitingStore>,
  sink: string,
): readonly OutboxRow[] {
  const waits = new Set(store.waiting().map(({ id }) => id))
  return store.recentDeliveries(sink, LOOKED_BACK).filter(({ id }) => !waits.has(id))
}

/** Whether this delivery is the card in its current form. A card with a row that no chat accepted counts as not shown. */
export function isCardOf({ id, approval }: OutboxRow, group: Waiting): boolean {
  const last = group.at(-1)?.approval
  if (last === undefined || last.toldAt === null) return false
  return id === cardDelivery(last) && (approval ?? last.id) === nameOf(group)
}

/** Minimum milliseconds between a card and a bare answer to it; an earlier answer was written before the card could be read. */
const SEEN_FOR = 3_000

interface AnswerHere {
  readonly rows: readonly OutboxRow[]
  readonly shown: readonly Waiting[]
  readonly sink: string
  /** When the answer was written, epoch milliseconds. */
  readonly at: number
}

/**
 * Returns the card that the owner's newest request in this chat created, if it is the last delivery, was there long enough to be read, and
 * every other shown card is older than that request. Null if one request created several cards, and for a card that no request created.
 */
export function askedLast(powers: AnswersHerePorts, { rows, shown, sink, at }: AnswerHere): Waiting | null {
  const [newest] = rows
  const group = newest === undefined ? undefined : shown.find((one) => isCardOf(newest, one))
  const card = group?.at(-1)?.approval
  const asking = card === undefined ? null : powers.store.loadTask(card.task)
  if (group === undefined || asking === null || (card?.toldAt ?? at) + SEEN_FOR > at) return null
  const isOwners = asking.principal === OWNER_PRINCIPAL && asking.sink === sink && asking.timed === undefined
  const isBefore = (other: Waiting): boolean =>
    (other.at(-1)?.approval.toldAt ?? Number.POSITIVE_INFINITY) < asking.createdAt
  return isOwners && shown.every((other) => other === group || isBefore(other)) ? group : null
}

/** Whether the card is about another time of a call that waits for its own: "don't send it" is of that call, and is understood as such. */
export function isOfTimed({ store }: StoreOf<ApprovalStore & TaskStore>, approval: string): boolean {
  const stored = store.loadApproval(approval)
  return stored !== null && store.loadTask(stored.approval.task)?.instead !== undefined
}

/** Whether the whole card was shown here: a list of several cards shows only two lines of each. */
export function isWhole(powers: StoreOf<TaskStore>, rows: readonly OutboxRow[], group: Waiting): boolean {
  const isAlone = (row: OutboxRow): boolean => {
    const listing = typedOf(powers, row)
    return listing !== undefined && 'listed' in listing && listing.listed.join() === nameOf(group)
  }
  return rows.some((row) => isCardOf(row, group) || isAlone(row))
}

/**
 * Shown in its current form, and after the last answer here, since that answer may have been what a "yes"
 * refers to.
 */
export function isShown(powers: StoreOf<TaskStore>, rows: readonly OutboxRow[], group: Waiting): boolean {
  const name = nameOf(group)
  const answered = rows.findIndex(({ kind }) => kind === 'answer')
  const since = answered === -1 ? rows : rows.slice(0, answered)
  const listing = answered === -1 ? undefined : typedOf(powers, rows[answered])
  if (listing !== undefined && 'listed' in listing && listing.listed.includes(name)) return true
  return since.some((row) => isCardOf(row, group))
}

/** How the message that this delivery answers was read, if it was an answer or asked for the cards. */
export function typedOf({ store }: StoreOf<TaskStore>, row: OutboxRow | undefined): TypedAnswer | undefined {
  return row?.task == null ? undefined : store.loadTask(row.task)?.typed
}
