/** Directive files on disk: they survive a restart, in order, and are sealed (O-10, O-13). */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { storesIn, unknownMigration } from '../../sidecar/backup/stores.ts'
import { openHomeDatabase } from '../../sidecar/store/home-database.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { newFolder } from '../kit/folder.ts'
import { brainWorld, own } from '../pipeline/brain.ts'
import { memoryRing } from '../vault/memory-ring.ts'
import { given } from './fixtures/backup.ts'

it('a directive file survives a restart, sealed, with its drafts and its backup', async () => {
  const folder = given(openStateFolder(newFolder('brain')))
  const keys = memoryRing(new Uint8Array(randomBytes(32)))
  const open = () => given(openHomeDatabase(folder.file('home.sqlite')))
  const first = open()
  expect(first.holdsRecords()).toBe(false)
  const world = await brainWorld({ disk: { ...first, keys } })
  expect(first.holdsRecords()).toBe(true)
  await world.write('KEEPSAKES', own('old things', 'manual', '- A pocketful of marbles.'))
  await world.write('KEEPSAKES', own('old things', 'manual', '- A kite.'), { cleanup: true })
  first.close()

  for (const name of readdirSync(folder.path)) {
    const bytes = readFileSync(folder.file(name))
    for (const word of ['KEEPSAKES', 'marbles', 'kite', 'old things'])
      expect(bytes.includes(word)).toBe(false)
  }

  const second = open()
  const again = await brainWorld({ disk: { ...second, keys } })
  expect(await again.text('KEEPSAKES')).toContain('marbles')
  expect(second.directives.nextDraftEnd()).not.toBeNull()
  expect(storesIn(folder)).toContainEqual({ name: 'home.sqlite', kind: 'sqlite' })
  const { name: set, migrations } = DIRECTIVES_MIGRATIONS
  expect(unknownMigration(migrations.map(({ tag }) => ({ set, tag })))).toBeNull()
  second.close()
})

it('a write based on an outdated version is refused', async () => {
  const world = await brainWorld()
  const { directives } = world.disk
  const [soul] = directives.history('SOUL')
  if (soul === undefined) throw new Error('no SOUL')
  expect([directives.keep(soul, 0), directives.keep(soul, 1), directives.keep(soul, 1)]).toEqual([
    false,
    true,
    false,
  ])
  expect(
    directives
      .current()
      .filter(({ file }) => file === 'SOUL')
      .map(({ version }) => version),
  ).toEqual([2])
})
