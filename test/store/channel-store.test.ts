/** The tunnel's durable state over node:sqlite: numbers are used once, bodies wait, a damaged one is not skipped. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createChannelStore } from '../../integrations/store/channel-store.ts'
import type { SyncDatabase } from '../../integrations/store/database.ts'
import { migrate } from '../../integrations/store/migrate.ts'
import type { Body } from '../../kernel/tunnel/body.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { openSqlite } from '../../sidecar/sqlite-bridge.ts'

const BODY: Body = { type: 'profile', timezone: 'Europe/Berlin' }

describe('channel store', () => {
  let db: SyncDatabase
  beforeEach(() => {
    db = openSqlite(':memory:').db
    migrate(db, TUNNEL_MIGRATIONS)
  })

  it('gives the next number only after the last one was used', () => {
    const store = createChannelStore(db)
    expect([store.allocate(), store.allocate()]).toEqual([1, 1])
    store.putOut(1, BODY)
    expect(store.allocate()).toBe(2)
  })

  it('keeps bodies until they are dropped, and their numbers for ever', () => {
    const store = createChannelStore(db)
    for (const seq of [1, 2, 3]) store.putOut(seq, BODY)
    store.dropOut(2)
    expect(store.out(0)).toEqual([{ seq: 3, body: BODY }])
    expect(store.out(3)).toEqual([])
    store.dropOut(3)
    expect(createChannelStore(db).allocate()).toBe(4)
  })

  it('remembers what was received', () => {
    const store = createChannelStore(db)
    expect(store.received()).toBe(0)
    store.setReceived(5)
    store.setReceived(6)
    expect(createChannelStore(db).received()).toBe(6)
  })

  it('stores the body and its number together, or neither', () => {
    const store = createChannelStore(db)
    store.putOut(1, BODY)
    expect(() => store.putOut(1, { ...BODY, timezone: 'UTC' })).toThrow()
    expect([store.allocate(), store.out(0)[0]?.body]).toEqual([2, BODY])
  })

  it.each([["update tunnel_out set body = '{'"], ["update tunnel_out set body = '{}'"]])(
    'stops at a damaged body: %s',
    (statement) => {
      const store = createChannelStore(db)
      store.putOut(1, BODY)
      db.run(statement)
      expect(() => store.out(0)).toThrow('outbox row 1 is damaged')
    },
  )
})
