/**
 * Migrations: the generated SQL matches the schema, is embedded unchanged, and is applied once, forward only (T-12).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import * as slackSchema from '../../integrations/channels/slack/home-schema.ts'
import * as telegramSchema from '../../integrations/channels/telegram/home-store.ts'
import * as channelSchema from '../../integrations/store/schema/channel-schema.ts'
import * as contactSchema from '../../integrations/store/schema/contact-schema.ts'
import * as jobSchema from '../../integrations/store/schema/job-schema.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import * as reminderSchema from '../../integrations/store/schema/reminder-schema.ts'
import * as storeSchema from '../../integrations/store/schema/schema.ts'
import * as sharedSchema from '../../integrations/store/schema/shared-schema.ts'
import { STORE_TABLES } from '../../integrations/store/schema/tables.ts'
import { parseBody } from '../../kernel/tunnel/body.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { MIGRATION_SETS, moduleOf } from '../../scripts/migrations.ts'
import * as keySchema from '../../sidecar/keys/key-schema.ts'
import * as secretSchema from '../../sidecar/secrets/secret-schema.ts'
import * as homeSchema from '../../sidecar/store/home-schema.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import * as copySchema from '../../worker/copies/copy-schema.ts'
import { countOf } from './records.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCHEMAS = {
  store: { ...storeSchema, ...jobSchema, ...contactSchema, ...reminderSchema, ...sharedSchema },
  tunnel: channelSchema,
  keys: keySchema,
  secrets: secretSchema,
  directives: { ...homeSchema, ...telegramSchema, ...slackSchema },
  copies: copySchema,
}

// drizzle-kit gives every array a member of its own, which others in this process refuse to work beside (PDF.js).
afterAll(() => {
  Reflect.deleteProperty(Array.prototype, 'random')
})

it.each(STORE_TABLES)(
  'the columns of $name stand as in the schema, which an export relies on',
  ({ name, columns }) => {
    const { db, close } = openSqlite(':memory:')
    migrate(db, STORE_MIGRATIONS)
    const rows = db.all<{ readonly name: string }>(sql`select name from pragma_table_info(${name})`)
    close()
    expect(rows.map((row) => row.name)).toEqual(columns)
  },
)

describe.each(MIGRATION_SETS)('migrations of %s', (set) => {
  it('no change of the schema lacks a generated migration', async () => {
    const { generateSQLiteDrizzleJson, generateSQLiteMigration } = await import('drizzle-kit/api')
    const folder = join(ROOT, 'migrations', set, 'meta')
    const journal = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8'))
    const last = String(journal.entries.length - 1).padStart(4, '0')
    const snapshot = JSON.parse(readFileSync(join(folder, `${last}_snapshot.json`), 'utf8'))
    const schema = await generateSQLiteDrizzleJson(SCHEMAS[set])
    expect(await generateSQLiteMigration(snapshot, schema)).toEqual([])
    const grown = await generateSQLiteDrizzleJson({})
    expect(await generateSQLiteMigration(grown, schema)).not.toEqual([])
  })

  it('the embedded migrations equal the generated ones', () => {
    expect(readFileSync(join(ROOT, 'migrations', `${set}.ts`), 'utf8')).toBe(moduleOf(set))
  })
})

describe('migrate', () => {
  const first = { name: 'x', migrations: [{ tag: '0000_a', statements: ['create table a (id text)'] }] }
  const second = {
    name: 'x',
    migrations: [...first.migrations, { tag: '0001_b', statements: ['create table b (id text)'] }],
  }

  it('migrate applies each missing migration once', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, first)
    migrate(db, second)
    migrate(db, second)
    expect([countOf(db, 'a'), countOf(db, 'b'), countOf(db, 'applied_migrations')]).toEqual([0, 0, 2])
  })

  it('migrations of two schemas in one database are kept apart', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, STORE_MIGRATIONS)
    migrate(db, TUNNEL_MIGRATIONS)
    migrate(db, STORE_MIGRATIONS)
    const sets = STORE_MIGRATIONS.migrations.length + TUNNEL_MIGRATIONS.migrations.length
    expect(countOf(db, 'applied_migrations')).toBe(sets)
  })

  it('the migration turns queued cleartext bodies for home into empty boxes under the same numbers', () => {
    const { db } = openSqlite(':memory:')
    const { name, migrations } = TUNNEL_MIGRATIONS
    const before = migrations.findIndex(({ tag }) => tag === '0002_said_in_boxes')
    migrate(db, { name, migrations: migrations.slice(0, before) })
    const said = { type: 'said', said: { id: 'm1', text: 'c2VhbGVk', quoted: [] } }
    const other = { type: 'lock', locked: true }
    for (const [n, body] of [said, other].entries())
      db.run(sql`insert into tunnel_out (seq, bytes, body) values (${n + 1}, 1, ${JSON.stringify(body)})`)
    migrate(db, TUNNEL_MIGRATIONS)
    const rows = db.all<{ seq: number; body: string }>(sql`select seq, body from tunnel_out order by seq`)
    const kept = { id: 'm1', key: '0'.repeat(32), at: 0, box: null }
    expect(rows.map(({ seq, body }) => [seq, parseBody(JSON.parse(body))])).toEqual([
      [1, { ok: true, value: { type: 'kept_said', kept } }],
      [2, { ok: true, value: other }],
    ])
  })

  it('migrate throws when the database has a newer schema', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, second)
    expect(() => migrate(db, first)).toThrow('written by a newer version')
  })

  it('migrate applies all migrations of a set or none', () => {
    const { db } = openSqlite(':memory:')
    const broken = { name: 'x', migrations: [...first.migrations, { tag: '1', statements: ['nonsense'] }] }
    expect(() => migrate(db, broken)).toThrow('nonsense')
    expect(() => countOf(db, 'a')).toThrow('a')
    migrate(db, second)
    expect(countOf(db, 'applied_migrations')).toBe(2)
  })
})
