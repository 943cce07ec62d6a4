/**
 * Copies of home in D1 (DESIGN §6, T-12). Chunks are announced and uploaded, then named by a generation. A generation becomes
 * valid when all its chunks are stored; only then are older ones deleted. The database is migrated once per isolate. Must not
 * check the caller: the routes have. Called by copies.ts and recovery.ts.
 */
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  type CopyGeneration,
  type CopySummary,
  chunkListSchema,
  MAX_GENERATIONS,
  MAX_STORED_CHUNKS,
} from '../../kernel/tunnel/copies.ts'
import { COPIES_MIGRATIONS } from '../../migrations/copies.ts'
import { chunks, generations } from './copy-schema.ts'

interface CopyArchive {
  /** Complete generations, newest first. */
  list(): Promise<Result<readonly CopySummary[]>>
  /** Makes room for the named chunks; returns those not stored yet. Refusal: storage_full. */
  announce(names: readonly string[]): Promise<Result<readonly string[]>>
  /** Idempotent. Refusal: nothing_found, when the chunk was not announced. */
  put(name: string, bytes: Uint8Array): Promise<Result<true>>
  /** Refusals: record_stale (this number or a newer one is stored), copy_incomplete. */
  commit(generation: CopyGeneration): Promise<Result<true>>
  /** Refusal: nothing_found. */
  generation(number: number): Promise<Result<Omit<CopyGeneration, 'recoveryKey'>>>
  /** Refusal: nothing_found. */
  chunk(name: string): Promise<Result<Uint8Array>>
}

/** Each method may also refuse with storage_failed, for any error of D1, whose text is dropped because it could quote a row. */
export function createCopyArchive(binding: D1Database): CopyArchive {
  const inside = <T>(work: (db: CopyDatabase) => Promise<Result<T>>): Promise<Result<T>> =>
    openCopyDatabase(binding)
      .then(work)
      .catch(() => err('storage_failed', { store: 'copies' }))
  return {
    list: () => inside(async (db) => ok(await summaries(db))),
    announce: (names) => inside((db) => announce(db, names)),
    put: (name, bytes) => inside((db) => put(db, name, bytes)),
    commit: (generation) => inside((db) => commit(db, generation)),
    generation: (number) => inside((db) => generationOf(db, number)),
    chunk: (name) =>
      inside(async (db) => {
        const [row] = await db.select().from(chunks).where(eq(chunks.name, name)).limit(1)
        return row?.bytes ? ok(row.bytes) : err('nothing_found')
      }),
  }
}

async function summaries(db: CopyDatabase): Promise<readonly CopySummary[]> {
  const length = sql<number>`json_array_length(${generations.chunks})`
  return db
    .select({ number: generations.number, at: generations.at, chunks: length })
    .from(generations)
    .orderBy(desc(generations.number))
}

async function announce(db: CopyDatabase, names: readonly string[]): Promise<Result<readonly string[]>> {
  const list = JSON.stringify(names)
  if (!(await hasRoom(db, list))) {
    // Deletes older generations and unfinished uploads first; the newest complete one always stays.
    await db.batch([dropOlder(db, 1), dropUnnamed(db)])
    if (!(await hasRoom(db, list))) return err('storage_full', { chunks: MAX_STORED_CHUNKS })
  }
  await db.run(
    sql`insert into ${chunks} (name) select value from json_each(${list}) where true on conflict do nothing`,
  )
  const missing = await db.all<{ name: string }>(
    sql`select name from ${chunks} where bytes is null and name in (select value from json_each(${list}))`,
  )
  return ok(missing.map(({ name }) => name))
}

async function hasRoom(db: CopyDatabase, list: string): Promise<boolean> {
  const [there] = await db.select({ n: count() }).from(chunks)
  const fresh = await db.all<{ n: number }>(
    sql`select count(distinct value) as n from json_each(${list}) where value not in (select name from ${chunks})`,
  )
  return (there?.n ?? 0) + (fresh[0]?.n ?? 0) <= MAX_STORED_CHUNKS
}

/** A stored chunk is not overwritten: a generation may name it. */
async function put(db: CopyDatabase, name: string, bytes: Uint8Array): Promise<Result<true>> {
  const isNamed = eq(chunks.name, name)
  const put = await db
    .update(chunks)
    .set({ bytes })
    .where(and(isNamed, isNull(chunks.bytes)))
    .run()
  if (put.meta.changes > 0) return ok(true)
  const known = await db.select({ name: chunks.name }).from(chunks).where(isNamed).limit(1)
  return known.length > 0 ? ok(true) : err('nothing_found')
}

/** One transaction: a generation that is incomplete or not newer changes nothing, and no older one is deleted. */
async function commit(db: CopyDatabase, generation: CopyGeneration): Promise<Result<true>> {
  const { number, at, manifest } = generation
  const list = JSON.stringify(generation.chunks)
  const held = sql`select name from ${chunks} where bytes is not null`
  const [added] = await db.batch([
    db.insert(generations).select(sql`select ${number}, ${at}, ${list}, ${manifest}
      where not exists (select 1 from ${generations} where number >= ${number})
      and not exists (select 1 from json_each(${list}) where value not in (${held}))`),
    dropOlder(db, MAX_GENERATIONS),
    dropUnnamed(db, number),
  ])
  if (added.meta.changes > 0) return ok(true)
  const [newest] = await summaries(db)
  return err((newest?.number ?? 0) >= number ? 'record_stale' : 'copy_incomplete')
}

function dropOlder(db: CopyDatabase, keep: number) {
  const kept = sql`select number from ${generations} order by number desc limit ${keep}`
  return db.delete(generations).where(sql`number not in (${kept})`)
}

/**
 * Deletes chunks that no generation names. After a commit only if it succeeded: otherwise they belong to a generation still being
 * uploaded.
 */
function dropUnnamed(db: CopyDatabase, committed: number | null = null) {
  const named = sql`select each.value from ${generations} as g, json_each(g.chunks) as each`
  const come =
    committed === null ? sql`true` : sql`exists (select 1 from ${generations} where number = ${committed})`
  return db.delete(chunks).where(sql`${come} and name not in (${named})`)
}

async function generationOf(
  db: CopyDatabase,
  number: number,
): Promise<Result<Omit<CopyGeneration, 'recoveryKey'>>> {
  const [row] = await db.select().from(generations).where(eq(generations.number, number)).limit(1)
  if (row === undefined) return err('nothing_found')
  const names = z.safeParse(chunkListSchema, JSON.parse(row.chunks))
  return names.success ? ok({ ...row, chunks: names.data }) : err('record_malformed')
}

const applied = sqliteTable('applied_migrations', { tag: text().primaryKey() })

type CopyDatabase = DrizzleD1Database

const opened = new WeakMap<D1Database, Promise<CopyDatabase>>()

/** Throws D1's errors, and when a newer version has migrated the database; the next call tries again. */
export function openCopyDatabase(binding: D1Database): Promise<CopyDatabase> {
  const known = opened.get(binding)
  if (known !== undefined) return known
  const opening = migrated(binding)
  opened.set(binding, opening)
  opening.catch(() => opened.delete(binding))
  return opening
}

async function migrated(binding: D1Database): Promise<CopyDatabase> {
  const db = drizzle(binding)
  await db.run(sql`create table if not exists ${applied} (tag text primary key not null)`)
  const done = new Set((await db.select().from(applied)).map(({ tag }) => tag))
  for (const { tag, statements } of COPIES_MIGRATIONS.migrations) {
    if (done.delete(tag)) continue
    // The mark is written first: when two isolates migrate at once, the later batch fails as a whole, and that isolate checks
    // again.
    const mark = db.insert(applied).values({ tag })
    await db.batch([mark, ...statements.map((statement) => db.run(sql.raw(statement)))])
  }
  if (done.size > 0) throw new Error('the copies were written by a newer version')
  return db
}
