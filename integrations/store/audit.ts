/**
 * The audit: append-only lines, each bound to the previous one by a hash. Must not hold content; the kernel
 * writes ids, labels, codes and sizes. Called by createStore and by verifiers.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { asc, desc, eq, gt, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { readDocument } from './columns.ts'
import { type StoreContext, type SyncDatabase, slots } from './database.ts'
import { audit } from './schema.ts'

type Row = typeof audit.$inferSelect
type Line = Omit<Row, 'seq' | 'hash'>

/** One encoder for all lines: making one costs more than a line's hash. */
const UTF8 = new TextEncoder()

/** Previous hash of the first line. */
const CHAIN_START = '0'.repeat(64)

/** Rows per batch while verifying: a year's audit does not fit into an edge object's memory. */
const VERIFY_BATCH = 1_000

type AuditStore = Pick<Store, 'appendAudit' | 'auditOf' | 'auditSince'>

export function createAuditStore({ db, malformed, onUndone }: StoreContext): AuditStore {
  // The store has one writer, so the last hash is cached instead of read for each line.
  let lastHash: string | null = null
  onUndone(() => {
    lastHash = null
  })
  const last = once(() =>
    db.select({ hash: audit.hash }).from(audit).orderBy(desc(audit.seq)).limit(1).prepare(),
  )
  const insert = once(() =>
    db
      .insert(audit)
      .values(slots('at', 'place', 'kind', 'trace', 'task', 'principal', 'facts', 'hash'))
      .prepare(),
  )
  const ofTask = once(() =>
    db
      .select()
      .from(audit)
      .where(eq(audit.task, sql.placeholder('task')))
      .orderBy(asc(audit.seq))
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
      insert().run({ ...line, hash })
      lastHash = hash
    },
    auditOf: (task) => ofTask().all({ task }).flatMap(read),
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
