/** The tunnel's durable state over node:sqlite: numbers are used once, bodies are stored, and a damaged one is not skipped. */
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberCursors } from '../../durable-objects/tunnel/outbox.ts'
import { createChannelStore } from '../../integrations/store/channel-store.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import type { Body } from '../../kernel/tunnel/body.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { outRow } from '../tunnel/fixtures.ts'

const BODY: Body = { type: 'profile', timezone: 'Europe/Berlin' }

describe('channel store', () => {
  let db: SyncDatabase
  beforeEach(() => {
    db = openSqlite(':memory:').db
    migrate(db, TUNNEL_MIGRATIONS)
  })

  it('the next number is given only after the last one was used', () => {
    const store = createChannelStore(db)
    expect([store.allocate(), store.allocate()]).toEqual([1, 1])
    store.putOut([outRow(1, BODY)])
    expect(store.allocate()).toBe(2)
  })

  it('bodies are stored until dropped, and their numbers are never reused', () => {
    const store = createChannelStore(db)
    for (const seq of [1, 2, 3]) store.putOut([outRow(seq, BODY)])
    store.dropOut(2)
    expect(store.out(0)).toEqual([{ seq: 3, body: BODY }])
    expect(store.out(3)).toEqual([])
    store.dropOut(3)
    expect(createChannelStore(db).allocate()).toBe(4)
  })

  it('the queued count and size are known without reading bodies', () => {
    const store = createChannelStore(db)
    const rows = [outRow(1, BODY), { ...outRow(2, BODY), bytes: 700 }]
    store.putOut(rows)
    expect(store.waiting()).toEqual({ count: 2, bytes: 700 + (rows[0]?.bytes ?? 0) })
    expect(store.sizes(1)).toEqual([{ seq: 1, bytes: rows[0]?.bytes }])
    expect(store.sizes(9).map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('pieces are stored under their numbers until dropped, and never returned in part', () => {
    const store = createChannelStore(db)
    const piece = (seq: number) => ({ seq, n: seq - 4, of: 9, sum: 'a'.repeat(64), bytes: 3 })
    for (const seq of [4, 5, 7]) store.putPiece(piece(seq), `text ${seq}`)
    store.putPiece(piece(5), 'text 5 again')
    expect(store.pieces()).toEqual([piece(4), piece(5), piece(7)])
    expect(store.texts(4, 5)).toEqual(['text 4', 'text 5 again'])
    expect(() => store.texts(4, 7)).toThrow('not all there')
    store.dropPieces(5)
    expect(store.pieces()).toEqual([piece(7)])
  })

  it('queued bodies survive the migration of the table', () => {
    const old = openSqlite(':memory:').db
    migrate(old, { ...TUNNEL_MIGRATIONS, migrations: TUNNEL_MIGRATIONS.migrations.slice(0, 1) })
    old.run(sql`insert into tunnel_out values (7, ${JSON.stringify(BODY)})`)
    migrate(old, TUNNEL_MIGRATIONS)
    expect(createChannelStore(old).out(0)).toEqual([{ seq: 7, body: BODY }])
    expect(createChannelStore(old).sizes(1)).toEqual([{ seq: 7, bytes: JSON.stringify(BODY).length }])
  })

  it('the received number is stored', () => {
    const store = createChannelStore(db)
    expect(store.received()).toBe(0)
    store.setReceived(5)
    store.setReceived(6)
    expect(createChannelStore(db).received()).toBe(6)
  })

  it('a cached counter is read once, and a failed write is not believed', () => {
    const own = createChannelStore(db)
    let reads = 0
    let breaks = false
    const counted = (read: () => number) => () => {
      reads += 1
      return read()
    }
    const fragile =
      <T>(write: (what: T) => void) =>
      (what: T) => {
        if (breaks) throw new Error('the disk is full')
        write(what)
      }
    const store = rememberCursors({
      ...own,
      received: counted(own.received),
      allocate: counted(own.allocate),
      setReceived: fragile(own.setReceived),
      putOut: fragile(own.putOut),
    })
    const seen = () => [store.received(), store.allocate()]
    expect([seen(), seen(), reads]).toEqual([[0, 1], [0, 1], 2])
    store.setReceived(4)
    store.putOut([outRow(1, BODY)])
    expect([seen(), reads]).toEqual([[4, 2], 2])
    breaks = true
    expect(() => store.setReceived(5)).toThrow('the disk is full')
    expect(() => store.putOut([outRow(2, BODY)])).toThrow('the disk is full')
    expect(seen()).toEqual([4, 2])
  })

  it('what waits is counted once, and as the table has it after rows come, go or fail to be written', () => {
    const own = createChannelStore(db)
    let [reads, breaks] = [0, false]
    const store = rememberCursors({
      ...own,
      waiting() {
        reads += 1
        return own.waiting()
      },
      sizes(most) {
        reads += 1
        return own.sizes(most)
      },
      putOut(rows) {
        own.putOut(rows)
        if (breaks) throw new Error('the disk is full')
      },
    })
    const seen = () => [store.waiting(), store.sizes(2)]
    const there = () => [own.waiting(), own.sizes(2)]
    expect([seen(), seen(), reads]).toEqual([there(), there(), 2])
    store.putOut([outRow(1, BODY)])
    store.putOut([outRow(2, BODY), outRow(3, BODY)])
    expect([seen(), reads]).toEqual([there(), 3])
    store.putOut([outRow(4, BODY)])
    expect([seen(), reads]).toEqual([there(), 3])
    store.dropOut(2)
    expect(seen()).toEqual(there())
    expect(store.waiting().count).toBe(2)
    breaks = true
    expect(() => store.putOut([outRow(5, BODY)])).toThrow('the disk is full')
    expect(seen()).toEqual(there())
  })

  it('a body and its number are stored together or not at all', () => {
    const store = createChannelStore(db)
    store.putOut([outRow(1, BODY)])
    expect(() => store.putOut([outRow(1, { ...BODY, timezone: 'UTC' })])).toThrow()
    expect([store.allocate(), store.out(0)[0]?.body]).toEqual([2, BODY])
  })

  it.each([["update tunnel_out set body = '{'"], ["update tunnel_out set body = '{}'"]])(
    'reading stops at a damaged body: %s',
    (statement) => {
      const store = createChannelStore(db)
      store.putOut([outRow(1, BODY)])
      db.run(statement)
      expect(() => store.out(0)).toThrow('outbox row 1 is damaged')
    },
  )
})
