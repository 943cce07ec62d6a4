/**
 * The audit: append-only lines, each bound to the previous one by a hash (Q-01, Q-02). Must not hold content (Q-03); the kernel
 * writes ids, labels, codes and sizes. Called by createStore and by verifiers.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { and, asc, desc, eq, gt, gte, sql } from 'drizzle-orm'
import type { Counted, PlanCount } from '../../kernel/features/usage/plan.ts'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { readDocument } from './database/columns.ts'
import { atMost, type StoreContext, type SyncDatabase, slots } from './database/database.ts'
import { createNumbers } from './database/numbers.ts'
import { createRowsSince, createTaskTimes } from './rows-since.ts'
import { audit } from './schema/schema.ts'

type Row = typeof audit.$inferSelect
type Line = Omit<Row, 'seq' | 'hash'>

/** One encoder for all lines: making one costs more than a line's hash. */
const UTF8 = new TextEncoder()

const NOTHING_COUNTED: Counted = Object.freeze({ messages: 0, rows: 0, requests: 0, duration: 0 })

/** Previous hash of the first line. */
const CHAIN_START = '0'.repeat(64)

/** Rows per batch while verifying: a year's audit does not fit into an edge object's memory. */
const VERIFY_BATCH = 1_000

type AuditStore = Pick<Store, 'appendAudit' | 'auditOf' | 'auditSince' | 'countedSince'>

export function createAuditStore(context: StoreContext): AuditStore {
  const { db, malformed, onUndone } = context
  const number = createNumbers(context, audit)
  const [since, madeAt] = [createRowsSince(db, audit), createTaskTimes(db)]
  // The store has one writer, so the last hash is cached instead of read for each line.
  let lastHash: string | null = null
  onUndone(() => {
    lastHash = null
  })
  const last = once(() =>
    db.select({ hash: audit.hash }).from(audit).orderBy(desc(audit.seq)).limit(atMost(1)).prepare(),
  )
  const insert = once(() =>
    db
      .insert(audit)
      .values(slots('seq', 'at', 'place', 'kind', 'trace', 'task', 'principal', 'facts', 'hash'))
      .prepare(),
  )
  const ofTask = once(() =>
    db
      .select()
      .from(audit)
      .where(and(eq(audit.task, sql.placeholder('task')), gte(audit.seq, sql.placeholder('from'))))
      .orderBy(asc(audit.seq))
      .prepare(),
  )
  const fact = (of: PlanCount) => sql<number>`coalesce(sum(json_extract(facts, ${sql.raw(`'$.${of}'`)})), 0)`
  const counted = once(() =>
    db
      .select({
        messages: sql<number>`count(*)`,
        ...{ rows: fact('rows'), requests: fact('requests'), duration: fact('duration') },
      })
      .from(audit)
      .where(
        and(
          gte(audit.seq, sql.placeholder('from')),
          gte(audit.at, sql.placeholder('at')),
          eq(audit.kind, 'task_ended'),
          sql`json_extract(facts, '$.rows') is not null`,
        ),
      )
      .prepare(),
  )
  const read = ({ seq, hash: _, facts: text, ...line }: Row): readonly AuditEvent[] => {
    const facts = readDocument<AuditEvent['facts']>(text, [], () =>
      malformed({ table: 'audit', id: String(seq) }),
    )
    return facts === undefined ? [] : [{ ...line, facts }]
  }
  return {
    appendAudit({ at, place, kind, trace, task, principal, facts }) {
      const line: Line = { at, place, kind, trace, task, principal, facts: JSON.stringify(facts) }
      const hash = hashOf(lastHash ?? last().get()?.hash ?? CHAIN_START, line)
      insert().run({ ...line, seq: number(), hash })
      lastHash = hash
    },
    auditOf(task) {
      if (task === '') return []
      const made = madeAt(task)
      const lines = made === null ? [] : ofTask().all({ task, from: since(made) })
      // Incomplete for a task that was created elsewhere, or before the clock was set back.
      const isWhole = lines.some(({ kind }) => kind === 'task_created')
      return (isWhole ? lines : ofTask().all({ task, from: 0 })).flatMap(read)
    },
    countedSince: (at) => counted().get({ from: since(at), at }) ?? NOTHING_COUNTED,
    // Walks back by number, which is indexed: lines are in time order, unless a clock was set back.
    auditSince: (at, most) =>
      db
        .select()
        .from(audit)
        .orderBy(desc(audit.seq))
        .limit(most)
        .all()
        .filter((row) => row.at >= at)
        .flatMap(read),
  }
}

/** Number of the first line whose hash does not match; null while the chain is intact. */
export function brokenAuditLine(db: SyncDatabase): number | null {
  let before = { seq: 0, hash: CHAIN_START }
  while (true) {
    const rows = db
      .select()
      .from(audit)
      .where(gt(audit.seq, before.seq))
      .orderBy(asc(audit.seq))
      .limit(VERIFY_BATCH)
      .all()
    for (const { seq, hash, ...line } of rows) {
      if (hash !== hashOf(before.hash, line)) return seq
      before = { seq, hash }
    }
    if (rows.length < VERIFY_BATCH) return null
  }
}

function hashOf(before: string, line: Line): string {
  // An array, so that the field order is fixed, whatever order a row's columns have.
  const { at, place, kind, trace, task, principal, facts } = line
  const text = JSON.stringify([before, at, place, kind, trace, task, principal, facts])
  return bytesToHex(sha256(UTF8.encode(text)))
}
