/**
 * Migrations: the generated SQL is what the schema says, is embedded unchanged, and is applied once, forward only
 * (T-12).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as channelSchema from '../../integrations/store/channel-schema.ts'
import { migrate } from '../../integrations/store/migrate.ts'
import * as storeSchema from '../../integrations/store/schema.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { MIGRATION_SETS, moduleOf } from '../../scripts/migrations.ts'
import * as directiveSchema from '../../sidecar/directives/directive-schema.ts'
import * as keySchema from '../../sidecar/keys/key-schema.ts'
import * as notesSchema from '../../sidecar/notes-schema.ts'
import * as secretSchema from '../../sidecar/secrets/secret-schema.ts'
import * as slackSchema from '../../sidecar/slack/slack-schema.ts'
import { openSqlite } from '../../sidecar/sqlite-bridge.ts'
import * as telegramSchema from '../../sidecar/telegram/telegram-schema.ts'
import * as copySchema from '../../worker/copies/copy-schema.ts'
import { countOf } from './records.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCHEMAS = {
  store: storeSchema,
  tunnel: channelSchema,
  keys: keySchema,
  secrets: secretSchema,
  directives: { ...directiveSchema, ...notesSchema, ...telegramSchema, ...slackSchema },
  copies: copySchema,
}

describe.each(MIGRATION_SETS)('migrations of %s', (set) => {
  it('leave nothing of the schema ungenerated', async () => {
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

  it('are embedded as they were generated', () => {
    expect(readFileSync(join(ROOT, 'migrations', `${set}.ts`), 'utf8')).toBe(moduleOf(set))
  })
})

describe('migrate', () => {
  const first = { name: 'x', migrations: [{ tag: '0000_a', statements: ['create table a (id text)'] }] }
  const second = {
    name: 'x',
    migrations: [...first.migrations, { tag: '0001_b', statements: ['create table b (id text)'] }],
  }

  it('applies what is missing, once', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, first)
    migrate(db, second)
    migrate(db, second)
    expect([countOf(db, 'a'), countOf(db, 'b'), countOf(db, 'applied_migrations')]).toEqual([0, 0, 2])
  })

  it('keeps two schemas apart in one database', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, STORE_MIGRATIONS)
    migrate(db, TUNNEL_MIGRATIONS)
    migrate(db, STORE_MIGRATIONS)
    const sets = STORE_MIGRATIONS.migrations.length + TUNNEL_MIGRATIONS.migrations.length
    expect(countOf(db, 'applied_migrations')).toBe(sets)
  })

  it('does not let an older program write into a newer schema', () => {
    const { db } = openSqlite(':memory:')
    migrate(db, second)
    expect(() => migrate(db, first)).toThrow('written by a newer version')
  })

  it('applies all of a set or nothing', () => {
    const { db } = openSqlite(':memory:')
    const broken = { name: 'x', migrations: [...first.migrations, { tag: '1', statements: ['nonsense'] }] }
    expect(() => migrate(db, broken)).toThrow('nonsense')
    expect(() => countOf(db, 'a')).toThrow('a')
    migrate(db, second)
    expect(countOf(db, 'applied_migrations')).toBe(2)
  })
})
