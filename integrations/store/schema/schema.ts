/**
 * Tables of a place's durable state: the same at the edge (one database per principal) and at home (one for all, hence a principal
 * in every table read by it). Holds sealed bytes, references, ids, labels and codes. Must be read through the stores of this folder
 * only; a change here needs `npm run migrations`.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Place } from '../../../kernel/flow/place.ts'
import type { SealedRow } from '../../../kernel/powers/sealed-port.ts'
import type { AuditKind, OutboxRow } from '../../../kernel/powers/stores.ts'
import type { Purpose } from '../../../kernel/prompt/mode.ts'
import type { ApprovalKind, ApprovalState } from '../../../kernel/task/approval.ts'
import { bytes, digest } from '../database/columns.ts'

/** Ids of admitted events that created no task with their id: a second delivery finds its row (B-24). */
export const events = sqliteTable(
  'events',
  {
    principal: text().notNull(),
    id: text().notNull(),
    at: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.principal, row.id] }), index('events_at').on(row.at)],
)

/** Highest turn number of an admitted event; apart from `events`, so that deleting old ids repeats no turn number. */
export const counters = sqliteTable('counters', {
  principal: text().primaryKey(),
  turn: integer().notNull(),
})

/** `doc` is the whole task record (B-31), so a transition writes one row. The other columns are for queries. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text().primaryKey(),
    principal: text().notNull(),
    turn: integer().notNull(),
    final: integer({ mode: 'boolean' }).notNull(),
    doc: text().notNull(),
    /** Open effect rows, as a JSON list. */
    open: text().notNull().default('[]'),
  },
  (row) => [
    index('tasks_turn').on(row.principal, row.turn),
    index('tasks_active').on(row.principal, row.turn).where(sql`final = 0`),
  ],
)

export const sealed = sqliteTable(
  'sealed',
  {
    id: text().primaryKey(),
    principal: text().notNull(),
    store: text().$type<SealedRow['store']>().notNull(),
    version: integer().notNull(),
    label: text().notNull(),
    /** Number of rows in `sealed_parts` that continue `bytes`. */
    parts: integer().notNull(),
    bytes: bytes().notNull(),
    until: integer(),
  },
  (row) => [index('sealed_until').on(row.until).where(sql`until is not null`)],
)

/** Bytes beyond what fits into one row of a Durable Object (T-12). */
export const sealedParts = sqliteTable(
  'sealed_parts',
  {
    id: text().notNull(),
    n: integer().notNull(),
    bytes: bytes().notNull(),
  },
  (row) => [primaryKey({ columns: [row.id, row.n] })],
)

/** Uses counted against capability tokens: survives evictions and restarts. */
export const capabilityUses = sqliteTable('capability_uses', {
  capability: text().primaryKey(),
  used: integer().notNull(),
})

export const approvals = sqliteTable(
  'approvals',
  {
    id: text().primaryKey(),
    task: text().notNull(),
    step: text().notNull(),
    principal: text().notNull(),
    tool: text().notNull(),
    sink: text().notNull(),
    digest: text().notNull(),
    reason: text().notNull(),
    label: text().notNull(),
    place: text().$type<Place>().notNull(),
    card: text().notNull(),
    /** Sealed reference of the card, as JSON: set once, so that no later write replaces what was shown. */
    cardRef: text('card_ref'),
    state: text().$type<ApprovalState>().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    decidedAt: integer('decided_at'),
    decidedBy: text('decided_by'),
    decidedFrom: text('decided_from').$type<Place>(),
    kind: text().$type<ApprovalKind>().notNull().default('tainted_write'),
    template: text().notNull().default(''),
    /** `ProposedChange` as JSON: ids and digests. */
    change: text(),
    message: text(),
    toldAt: integer('told_at'),
    /** Counts from 1 and is never reused; null in rows of versions before numbers, until first listed. */
    number: integer(),
    /** For a clarification: number of options, and the chosen one, from 1. */
    options: integer(),
    choice: integer(),
    /** Epoch milliseconds. */
    due: integer(),
  },
  (row) => [
    uniqueIndex('approvals_number').on(row.number),
    index('approvals_pending').on(row.principal, row.createdAt).where(sql`state = 'pending'`),
  ],
)

/** Grants that the owner gave in advance (F-13, F-19). `doc` is the grant: ids, names and digests. */
export const grants = sqliteTable('grants', {
  id: text().primaryKey(),
  doc: text().notNull(),
  /** Sealed reference of the text that the owner approved, as JSON. */
  card: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  perDay: integer('per_day').notNull(),
  revokedAt: integer('revoked_at'),
})

/** Two principals that are one person (F-15). `doc` is the link: ids, chats and digests of codes. */
export const identityLinks = sqliteTable('identity_links', {
  id: text().primaryKey(),
  doc: text().notNull(),
  /** Sealed reference of the text that the owner approved, as JSON; null before the approval. */
  card: text(),
  createdAt: integer('created_at').notNull(),
})

/** People whom the owner is paired with (B-04). `doc` is the agreement: ids, a chat, and the digest of a code. */
export const agreements = sqliteTable('agreements', {
  id: text().primaryKey(),
  doc: text().notNull(),
  /** Sealed reference of the person's description, as JSON. */
  who: text(),
  createdAt: integer('created_at').notNull(),
})

/** Uses of a grant, by day (UTC, days since the epoch). */
export const grantUses = sqliteTable(
  'grant_uses',
  {
    grant: text().notNull(),
    day: integer().notNull(),
    used: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.grant, row.day] })],
)

/** `words` and `answer` are sealed references, as JSON. */
export const turns = sqliteTable(
  'turns',
  {
    principal: text().notNull(),
    turn: integer().notNull(),
    task: text().notNull(),
    words: text().notNull(),
    answer: text(),
    at: integer().notNull(),
    /** Size of both sealed lines, to estimate their size in a prompt (O-35). */
    bytes: integer().notNull().default(0),
    /** True once a summary replaces it: stored and searchable, but not part of the running conversation (O-39, O-41). */
    archived: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (row) => [
    primaryKey({ columns: [row.principal, row.turn] }),
    // Partial indexes, so that a query for the newest turns does not scan years of archive when there are few.
    index('turns_live').on(row.principal, row.at, row.turn, row.bytes).where(sql`archived = 0`),
    index('turns_archived').on(row.principal, row.at, row.turn).where(sql`archived = 1`),
  ],
)

/**
 * The latest compaction of each principal (O-36), in a table of its own, so that no text can imitate it. One row per principal: a
 * newer summary also covers the one before.
 */
export const compactions = sqliteTable('compactions', {
  principal: text().primaryKey(),
  /** Sealed reference of the summary, as JSON. */
  summary: text().notNull(),
  at: integer().notNull(),
  /** True once the owner was notified. */
  told: integer({ mode: 'boolean' }).notNull().default(false),
})

/** Working memory and its archive (B-14 – B-16). `seq` is the order of the results, which differs from that of the turns. */
export const memory = sqliteTable(
  'memory',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    principal: text().notNull(),
    task: text().notNull(),
    turn: integer().notNull(),
    action: text().notNull(),
    record: text().notNull(),
    ref: text().notNull(),
    at: integer().notNull(),
    /** True once newer results have displaced it from working memory. */
    archived: integer({ mode: 'boolean' }).notNull().default(false),
    /** End of the period in which the owner may restore it (epoch ms); null while it is not forgotten. */
    forgotten: integer(),
  },
  (row) => [
    uniqueIndex('memory_record').on(row.task, row.record),
    index('memory_principal').on(row.principal, row.archived, row.seq),
  ],
)

export const facts = sqliteTable(
  'facts',
  {
    id: text().primaryKey(),
    principal: text().notNull(),
    ref: text().notNull(),
    at: integer().notNull(),
    /** As in `memory`. */
    forgotten: integer(),
    /** Row in `fact_guards`; null, like the two columns below, while the fact is not indexed. */
    guard: integer(),
    /** Number in the index: from 1, over all principals. */
    slot: integer(),
    /** Its rows in `fact_words`, as a JSON list: found again for deletion without an index of their own. */
    words: text(),
  },
  (row) => [
    index('facts_principal').on(row.principal, row.at),
    uniqueIndex('facts_slot').on(row.slot),
    index('facts_guard').on(row.guard, row.at),
    index('facts_unindexed').on(row.principal, row.at).where(sql`slot is null and forgotten is null`),
  ],
)

/** Labels of a principal's indexed facts, each in full, with the number of facts that have it. */
export const factGuards = sqliteTable(
  'fact_guards',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    principal: text().notNull(),
    /** `guardText` of the label, and the label itself, as JSON. */
    guard: text().notNull(),
    holds: text().notNull(),
    facts: integer().notNull(),
  },
  (row) => [uniqueIndex('fact_guards_guard').on(row.principal, row.guard)],
)

/** Keyed hashes of words, by the facts that contain them. A key belongs to one principal and guard, so a hash does as well. */
export const factWords = sqliteTable(
  'fact_words',
  {
    word: integer().notNull(),
    slot: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.word, row.slot] })],
)

/** Display number of a memory entry: always names the same entry, and is never reused. */
export const memoryNumbers = sqliteTable(
  'memory_numbers',
  {
    principal: text().notNull(),
    number: integer().notNull(),
    /** Id of the fact, or of the result's sealed record. */
    entry: text().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.principal, row.number] }),
    uniqueIndex('memory_number_entry').on(row.principal, row.entry),
  ],
)

/**
 * Append-only by trigger, and chained: `hash` covers the line and the previous hash. Without an index: every message writes
 * lines, and the edge pays for each entry of one (rows-since.ts).
 */
export const audit = sqliteTable('audit', {
  seq: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  place: text().$type<Place>().notNull(),
  kind: text().$type<AuditKind>().notNull(),
  trace: text(),
  task: text(),
  principal: text(),
  facts: text().notNull(),
  hash: digest().notNull(),
})

/**
 * One row per model call: numbers, ids and names (D-19). Written before the call with its reserved cost, and updated with the
 * actual one; `state` tells which.
 */
export const modelUsage = sqliteTable(
  'model_usage',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** In the owner's time zone. */
    day: text().notNull(),
    task: text(),
    principal: text(),
    template: text(),
    purpose: text().$type<Purpose>().notNull(),
    model: text().notNull(),
    metered: integer({ mode: 'boolean' }).notNull(),
    state: text().$type<'held' | 'done' | 'failed'>().notNull(),
    input: integer().notNull(),
    output: integer().notNull(),
    cacheRead: integer('cache_read').notNull().default(0),
    cacheWritten: integer('cache_written').notNull().default(0),
    /** Millionths of the currency; null without a price. */
    cost: integer(),
  },
  (row) => [index('model_usage_day').on(row.day)],
)

/** Messages that are yet to be deleted in their chats (H-16). `id`: that of the task which the message created. */
export const retractions = sqliteTable('retractions', {
  id: text().primaryKey(),
  principal: text().notNull(),
  sink: text().notNull(),
  message: text().notNull(),
  attempts: integer().notNull(),
  due: integer().notNull(),
})

export const deliveries = sqliteTable(
  'deliveries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    sink: text().notNull(),
    principal: text().notNull(),
    task: text(),
    turn: integer(),
    kind: text().$type<OutboxRow['kind']>().notNull(),
    approval: text(),
    /** Sealed reference of the text, as JSON. */
    text: text().notNull(),
    label: text().notNull(),
    at: integer().notNull(),
  },
  (row) => [uniqueIndex('deliveries_id').on(row.id), index('deliveries_sink').on(row.sink, row.seq)],
)

/** Deliveries that their channel has not accepted yet, in sending order (F-18). `id`: that of the row in `deliveries`. */
export const waitingDeliveries = sqliteTable('waiting_deliveries', {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  principal: text().notNull(),
  sink: text().notNull(),
  asked: integer().notNull(),
  since: integer().notNull(),
  due: integer().notNull(),
  held: integer({ mode: 'boolean' }).notNull(),
  attempts: integer().notNull(),
  bytes: integer().notNull(),
  told: integer({ mode: 'boolean' }).notNull(),
})
