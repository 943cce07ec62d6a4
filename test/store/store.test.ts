/** The store's contract over node:sqlite, and what only a file can show: its data outlives the process. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { newFolder } from '../kit/folder.ts'
import { storeContract } from './contract.ts'
import { OWNER, taskOf } from './records.ts'

storeContract((work) => {
  const { db, close } = openSqlite(':memory:')
  migrate(db, STORE_MIGRATIONS)
  work(db)
  close()
})

describe('a store in a file', () => {
  const opened = (path: string) => {
    const file = openSqlite(path)
    migrate(file.db, STORE_MIGRATIONS)
    return { store: createStore(file.db), close: file.close }
  }
  const newPath = (): string => join(newFolder('store'), 'home.sqlite')

  it('a new process finds committed rows and token uses', () => {
    const path = newPath()
    const before = opened(path)
    before.store.saveTask(taskOf('t1', 1, { at: 'awaiting_approval', step: 1, approval: 'a1' }), [])
    before.store.countUse('c1', 1)
    before.close()
    const after = opened(path)
    expect(after.store.loadTask('t1')?.state).toEqual({
      at: 'awaiting_approval',
      step: 1,
      approval: 'a1',
    })
    expect(after.store.countUse('c1', 1)).toBe(false)
    after.close()
  })

  it('a transaction that was not committed when the process ended is lost', () => {
    const path = newPath()
    const before = opened(path)
    const crash = () =>
      before.store.transaction(() => {
        before.store.admit({ id: 'e1', principal: OWNER, at: 1 })
        before.close()
      })
    expect(crash).toThrow('database is not open')
    const after = opened(path)
    expect(after.store.admit({ id: 'e1', principal: OWNER, at: 1 })).toBe(1)
    after.close()
  })

  it('the store’s file is readable by its owner only', () => {
    const path = newPath()
    const file = opened(path)
    const modes = [path, `${path}-wal`].map((name) => statSync(name).mode & 0o777)
    file.close()
    expect(modes).toEqual([0o600, 0o600])
  })
})
