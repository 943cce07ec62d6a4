/**
 * Rows of one principal are damaged on disk; another principal at the same place is still answered, after a start and by the
 * clock, over the real shell and store.
 */

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { createDirectiveStore } from '../../sidecar/store/directive-store.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { memoryRing } from '../vault/memory-ring.ts'
import { createWorld, message } from './world.ts'

const BOB = 'principal:telegram:peer:bob'
const OWNER = 'principal:owner'

const DAMAGE: readonly (readonly [string, string])[] = [
  [
    'a sealed row whose bytes were changed',
    `update sealed set bytes = x'00112233' where principal = '${BOB}'`,
  ],
  ['a sealed row that says another version', `update sealed set version = 9 where principal = '${BOB}'`],
  ['a sealed row without a label', `update sealed set label = '{' where principal = '${BOB}'`],
  ['a sealed row that is gone', `delete from sealed where principal = '${BOB}'`],
  ['a task that is no JSON', `update tasks set doc = '{' where principal = '${BOB}'`],
  [
    'a task of another shape',
    `update tasks set doc = '{"id":"x","state":{"at":"nowhere"}}' where principal = '${BOB}'`,
  ],
  [
    'a page that cannot be written any more',
    `create trigger page before update on tasks when new.principal = '${BOB}' begin select raise(abort, 'damaged'); end`,
  ],
  ['effects that are no list', `update tasks set open = 'x' where principal = '${BOB}'`],
]

test.each(DAMAGE.flatMap((row) => (['recover', 'tick'] as const).map((by) => [...row, by] as const)))(
  '%s keeps nobody else waiting',
  async (_what, damage, by) => {
    const { db } = openSqlite(':memory:')
    for (const set of [STORE_MIGRATIONS, DIRECTIVES_MIGRATIONS]) migrate(db, set)
    const keys = memoryRing(new Uint8Array(randomBytes(32)))
    const world = createWorld({
      disk: { store: createStore(db), directives: createDirectiveStore(db), keys },
    })
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    // Bob's message first, so that these rows precede the owner's in every list.
    expect(await world.shell.receive({ ...message('could we meet?', { id: 'e1' }), source })).toMatchObject({
      ok: true,
    })
    expect(await world.shell.receive(message('hello', { id: 'm1' }))).toMatchObject({ ok: true })
    db.run(sql.raw(damage))
    await world.shell[by]()
    const answered = (): number =>
      world.sent.filter(({ principal, kind }) => principal === OWNER && kind === 'answer').length
    expect(answered()).toBe(1)
    // And goes on to be, while Bob's rows stay as they are.
    await world.say('hello again')
    expect(answered()).toBe(2)
    expect(JSON.stringify(world.audited)).not.toContain('could we meet')
  },
)
