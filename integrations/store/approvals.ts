/** Approvals and the use counters of capability tokens: what must survive restarts (A-36, F-06). Called by createStore. */
import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { StoredApproval } from '../../kernel/powers/stores.ts'
import type { ProposedChange } from '../../kernel/task/proposed-change.ts'
import { readDocument, readRef } from './database/columns.ts'
import type { StoreContext } from './database/database.ts'
import { approvals, capabilityUses } from './schema/schema.ts'

type ApprovalStore = Pick<
  Store,
  | 'saveApproval'
  | 'loadApproval'
  | 'approvalNumbered'
  | 'pendingApprovals'
  | 'approvalsOf'
  | 'askedSince'
  | 'countUse'
  | 'uses'
>

const PENDING = sql.raw("state = 'pending'")
/** Order of creation if timestamps are equal: a card that names "the first two" must keep its meaning. */
const ASKED = sql.raw('rowid')
/** One above the highest number ever used: rows are never deleted. */
const NEXT_NUMBER = sql.raw('(select coalesce(max(number), 0) + 1 from approvals)')

export function createApprovalStore({ db, malformed, atomically, onUndone }: StoreContext): ApprovalStore {
  /** Cached: whether no approval is pending. Each message asks four times, and only `saveApproval` adds one. */
  let isEmpty = false
  onUndone(() => {
    isEmpty = false
  })
  // One statement, so that two deliveries of the same call cannot both pass the limit.
  const count = once(() =>
    db
      .insert(capabilityUses)
      .values({ capability: sql.placeholder('capability'), used: 1 })
      .onConflictDoUpdate({
        target: capabilityUses.capability,
        set: { used: sql`${capabilityUses.used} + 1` },
        setWhere: sql`${capabilityUses.used} < ${sql.placeholder('max')}`,
      })
      .returning({ used: capabilityUses.used })
      .prepare(),
  )
  const used = once(() =>
    db
      .select({ used: capabilityUses.used })
      .from(capabilityUses)
      .where(eq(capabilityUses.capability, sql.placeholder('capability')))
      .prepare(),
  )
  // Prepared, because both run after every message.
  const pending = once(() =>
    db.select().from(approvals).where(PENDING).orderBy(asc(approvals.createdAt), ASKED).prepare(),
  )
  const pendingOf = once(() =>
    db
      .select()
      .from(approvals)
      .where(and(eq(approvals.principal, sql.placeholder('principal')), PENDING))
      .orderBy(asc(approvals.createdAt), ASKED)
      .prepare(),
  )
  const unnumbered = once(() =>
    db
      .select({ id: approvals.id })
      .from(approvals)
      .where(and(PENDING, isNull(approvals.number)))
      .orderBy(asc(approvals.createdAt), ASKED)
      .prepare(),
  )
  /** Numbers the rows of versions before numbers, once, in the order of asking. */
  const giveNumbers = (): void =>
    atomically(() => {
      for (const { id } of unnumbered().all())
        db.update(approvals).set({ number: NEXT_NUMBER }).where(eq(approvals.id, id)).run()
    })
  const read = ({ cardRef, number, ...row }: typeof approvals.$inferSelect): readonly StoredApproval[] => {
    const broken = (): void => malformed({ table: 'approvals', id: row.id })
    const card = readRef(cardRef ?? '', broken)
    const change = row.change === null ? null : readDocument<ProposedChange>(row.change, ['do'], broken)
    return card === undefined || change === undefined
      ? []
      : [{ approval: { ...row, change }, card, number: number ?? 0 }]
  }
  return {
    saveApproval(approval, card) {
      isEmpty = false
      const change = approval.change === null ? null : JSON.stringify(approval.change)
      const { id, ...rest } = { ...approval, change }
      const cardRef = card === null ? null : JSON.stringify(card)
      const first = sql`coalesce(${approvals.cardRef}, excluded.card_ref)`
      db.insert(approvals)
        .values({ id, ...rest, cardRef, number: NEXT_NUMBER })
        .onConflictDoUpdate({ target: approvals.id, set: { ...rest, cardRef: first } })
        .run()
    },
    loadApproval: (id) =>
      db.select().from(approvals).where(eq(approvals.id, id)).all().flatMap(read)[0] ?? null,
    approvalNumbered: (number) =>
      db.select().from(approvals).where(eq(approvals.number, number)).all().flatMap(read)[0] ?? null,
    approvalsOf: (task) =>
      db
        .select()
        .from(approvals)
        .where(eq(approvals.task, task))
        .orderBy(asc(approvals.createdAt), ASKED)
        .all()
        .flatMap(read),
    pendingApprovals(principal) {
      if (isEmpty) return []
      const rows = () => (principal === null ? pending().all() : pendingOf().all({ principal }))
      const found = rows()
      isEmpty = principal === null && found.length === 0
      if (found.every(({ number }) => number !== null)) return found.flatMap(read)
      giveNumbers()
      return rows().flatMap(read)
    },
    askedSince: (at) =>
      db
        .select({ reason: approvals.reason, count: sql<number>`count(*)` })
        .from(approvals)
        .where(gte(approvals.createdAt, at))
        .groupBy(approvals.reason)
        .orderBy(asc(approvals.reason))
        .all(),
    countUse: (capability, max) => max >= 1 && count().get({ capability, max }) !== undefined,
    uses: (capability) => used().get({ capability })?.used ?? 0,
  }
}
