/** Runs the channel contract for every channel, and checks that every package of the folder is listed (DESIGN §9). */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EDGE_PACKAGES } from '../../integrations/channels/edge.ts'
import { HOME_PACKAGES } from '../../integrations/channels/home.ts'
import { CHANNELS } from '../../integrations/channels/index.ts'
import type { ChannelDeclaration, ChannelTable } from '../../integrations/channels/runtime/declaration.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { leftToWrite } from '../../scripts/new/unwritten.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { channelContract } from './contract.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'integrations/channels')

const TABLES: Readonly<Record<string, readonly [owner: string, table: ChannelTable | null]>> = {
  terminal: ['terminal:local', null],
  telegram: ['telegram:7', { owner: 7, bot: 8, api: 'https://api.telegram.org' }],
  slack: ['slack:T1:U1', { team: 'T1', owner: 'U1', app: 'A1', chat: 'D1', api: 'https://slack.com' }],
}

const database = () => {
  const { db } = openSqlite(':memory:')
  migrate(db, DIRECTIVES_MIGRATIONS)
  return db
}

it('nothing of a new channel is left to write', () => {
  const left = leftToWrite(ROOT, 'integrations/channels')
  expect(left, `left to write:\n${left.join('\n')}\n`).toEqual([])
})

describe('the lists of channels', () => {
  const packages = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'runtime')
    .map(({ name }) => name)
    .sort()
  const names = (list: readonly { readonly declaration: ChannelDeclaration }[]): readonly string[] =>
    list.map(({ declaration }) => declaration.name).sort()
  const having = (file: string): readonly string[] =>
    packages.filter((name) => existsSync(join(FOLDER, name, file)))

  it('every package is listed under the name of its folder', () => {
    expect(CHANNELS.map(({ name }) => name).sort()).toEqual(packages)
    expect(names(HOME_PACKAGES)).toEqual(having('home.ts'))
    expect(names(EDGE_PACKAGES)).toEqual(having('edge.ts'))
  })

  it('every place lists the packages that declare a chat there', () => {
    const at = (place: 'home' | 'edge') => CHANNELS.flatMap((one) => (one[place] === null ? [] : one.name))
    expect([at('home').sort(), at('edge').sort()]).toEqual([names(HOME_PACKAGES), names(EDGE_PACKAGES)])
  })

  it('no binding belongs to two packages', () => {
    const bindings = EDGE_PACKAGES.flatMap((one) => one.bindings)
    expect(new Set(bindings).size).toBe(bindings.length)
  })
})

describe.each(HOME_PACKAGES.map((home) => [home.declaration.name, home] as const))('%s', (name, home) => {
  const [owner, table] = TABLES[name] ?? ['', null]
  channelContract({ declaration: home.declaration, home, table, owner, database })
})
