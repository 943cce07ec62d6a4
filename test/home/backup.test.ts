/** A backup from creation to restore: its content, what a holder of the disk can do, and the state after a failure (E-13 – E-16). */
import { createPrivateKey } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { newestOn, tidyArchive } from '../../sidecar/backup/archive.ts'
import { openBackup, readBackup, signManifest, verifyFiles, WHOLE } from '../../sidecar/backup/backup.ts'
import { type RestoreInput, restoreBackup } from '../../sidecar/backup/restore.ts'
import { isBackedUp } from '../../sidecar/backup/stores.ts'
import { acquireInstanceLock, acquireRestoreLock, BACKUP_LOCK } from '../../sidecar/store/instance-lock.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import {
  type BackupWorld,
  backupWorld,
  codeOf,
  DAY,
  fillStore,
  given,
  NOON,
  PASSPHRASE,
} from './fixtures/backup.ts'

const at = (world: BackupWorld, name = '2026-11-22') => join(world.archive.path, name)
const open = async (path: string, passphrase = PASSPHRASE) => {
  const into = `${path}-opened`
  mkdirSync(into)
  const backup = await readBackup(path)
  return {
    into,
    result: backup.ok ? await openBackup(backup.value, passphrase, { into, part: WHOLE }) : backup,
  }
}
const tables = (path: string) => {
  const database = new DatabaseSync(path)
  const names = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  const rows = names.map(({ name }) => [name, database.prepare(`select * from "${String(name)}"`).all()])
  database.close()
  return rows
}

describe('a backup', () => {
  const world = backupWorld()
  beforeAll(async () => {
    fillStore(world.folder.file('keys.sqlite'), 400_000)
    writeFileSync(world.folder.file('dev.key'), 'the key of every row')
    given(await world.make())
  })

  test('is named by the owner’s local day', async () => {
    const other = backupWorld()
    given(await other.make(Date.parse('2026-11-22T23:30:00Z')))
    expect(readdirSync(other.archive.path)).toEqual(['2026-11-23'])
  })
  test('contains each SQLite file as a separate store, and not the master key', () => {
    const names = ['home.sqlite', 'keys.sqlite', 'config.toml', 'backup-key.json', 'backup-sign.key']
    const expected = [...names.map((name) => `${name}.enc`), 'backup-key.json', 'manifest.json']
    expect(readdirSync(at(world)).sort()).toEqual(expected.sort())
  })
  test('reveals no content, and its files are 0600', () => {
    for (const name of readdirSync(at(world))) {
      const bytes = readFileSync(join(at(world), name), 'latin1')
      // Long enough not to occur in ciphertext by chance.
      for (const plain of ['SQLite format', 'Adelheid of the backup', 'PRIVATE KEY'])
        expect(bytes).not.toContain(plain)
      expect(statSync(join(at(world), name)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(at(world)).mode & 0o777).toBe(0o700)
  })
  test('leaves no plain copy behind', () => {
    const left = readdirSync(world.folder.path).filter((name) => /tmp|wal|shm/.test(name))
    expect(left).toEqual([])
  })
  test('opens with the passphrase, to the same rows and bytes', async () => {
    const { into, result } = await open(at(world))
    expect(codeOf(result)).toBe('allowed')
    for (const store of ['home.sqlite', 'keys.sqlite'])
      expect(tables(join(into, store))).toEqual(tables(world.folder.file(store)))
    expect(readFileSync(join(into, 'config.toml'))).toEqual(readFileSync(world.folder.file('config.toml')))
  })
  test('does not open with another passphrase', async () => {
    const copy = `${at(world)}-copy`
    cpSync(at(world), copy, { recursive: true })
    const { into, result } = await open(copy, 'another passphrase')
    expect(codeOf(result)).toBe('credential_mismatch')
    expect(readdirSync(into)).toEqual([])
  })
  test('is consistent while another process writes', async () => {
    const writer = new DatabaseSync(world.folder.file('home.sqlite'))
    writer.exec("begin immediate; insert into counters values ('half', 1)")
    given(await world.make(NOON + DAY))
    writer.exec('rollback')
    writer.close()
    const { into } = await open(at(world, '2026-11-23'))
    expect(tables(join(into, 'home.sqlite'))).toEqual(tables(world.folder.file('home.sqlite')))
  })
})

describe('a holder of the disk', () => {
  const world = backupWorld()
  let other: BackupWorld
  beforeAll(async () => {
    other = backupWorld('the passphrase of a stranger')
    given(await world.make(NOON - DAY))
    given(await world.make())
    given(await other.make())
  })
  let copies = 0
  const copy = () => {
    copies += 1
    const path = join(world.folder.path, `copy-${copies}`)
    cpSync(at(world), path, { recursive: true })
    return path
  }
  const edit = (path: string, name: string, change: (text: string) => string) =>
    writeFileSync(join(path, name), change(readFileSync(join(path, name), 'utf8')))

  test.each<[string, (path: string) => void, string]>([
    ['changes a store', (path) => writeFileSync(join(path, 'home.sqlite.enc'), 'x'), 'record_malformed'],
    ['cuts a store', (path) => truncateSync(join(path, 'home.sqlite.enc'), 100), 'record_malformed'],
    ['removes a store', (path) => rmSync(join(path, 'home.sqlite.enc')), 'storage_failed'],
    [
      'puts in the store of another day',
      (path) => cpSync(join(at(world, '2026-11-21'), 'home.sqlite.enc'), join(path, 'home.sqlite.enc')),
      'record_malformed',
    ],
    [
      'puts in the store and the manifest of another day',
      (path) => {
        cpSync(join(at(world, '2026-11-21'), 'home.sqlite.enc'), join(path, 'home.sqlite.enc'))
        const hash = (from: string) =>
          JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8')).manifest.files[0].sha256
        edit(path, 'manifest.json', (text) => text.replace(hash(path), hash(at(world, '2026-11-21'))))
      },
      'signature_invalid',
    ],
    [
      'leaves a store out of the manifest',
      (path) =>
        edit(path, 'manifest.json', (text) => {
          const signed = JSON.parse(text)
          signed.manifest.files.shift()
          return JSON.stringify(signed)
        }),
      'signature_invalid',
    ],
    ['empties the manifest', (path) => writeFileSync(join(path, 'manifest.json'), '{}'), 'record_malformed'],
    ['removes the manifest', (path) => rmSync(join(path, 'manifest.json')), 'storage_failed'],
    [
      'swaps the key file alone',
      (path) => cpSync(join(at(other), 'backup-key.json'), join(path, 'backup-key.json')),
      'signature_invalid',
    ],
    [
      'claims a format of the future',
      (path) => edit(path, 'manifest.json', (text) => text.replace('"format": 3', '"format": 4')),
      'version_incompatible',
    ],
    [
      'makes a whole backup up, with other keys',
      (path) => {
        rmSync(path, { recursive: true })
        cpSync(at(other), path, { recursive: true })
      },
      'credential_mismatch',
    ],
    [
      'keeps the key of the owner and signs with another key',
      (path) => {
        const key = JSON.parse(readFileSync(join(path, 'backup-key.json'), 'utf8'))
        rmSync(path, { recursive: true })
        cpSync(at(other), path, { recursive: true })
        const his = JSON.parse(readFileSync(join(path, 'backup-key.json'), 'utf8'))
        writeFileSync(
          join(path, 'backup-key.json'),
          JSON.stringify({ ...key, verify: his.verify, sealTo: his.sealTo }),
        )
      },
      'credential_mismatch',
    ],
  ])('who %s is detected', async (_name, spoil, code) => {
    const path = copy()
    spoil(path)
    const { into, result } = await open(path)
    expect(codeOf(result)).toBe(code)
    // Nothing is decrypted before everything that needs no key was checked.
    expect(readdirSync(into)).toEqual([])
  })

  test('who exchanges the content of a file is detected when it is decrypted', async () => {
    const path = copy()
    const { manifest } = given(await readBackup(path))
    const [first, ...rest] = manifest.files
    if (first === undefined) throw new Error('no file')
    const files = [{ ...first, digest: '0'.repeat(64) }, ...rest]
    const signing = createPrivateKey(readFileSync(world.folder.file('backup-sign.key')))
    writeFileSync(join(path, 'manifest.json'), signManifest({ ...manifest, files }, signing))
    expect(codeOf((await open(path)).result)).toBe('record_malformed')
  })

  test('cannot make a restore write any other file than a store', () => {
    const names = [
      '../x.sqlite',
      'a/b.sqlite',
      'dev.key',
      'home.sqlite-wal',
      '.x.sqlite',
      'config.toml.sqlite',
      '',
    ]
    expect(
      names.filter((name) => isBackedUp({ name, kind: 'sqlite' }) || isBackedUp({ name, kind: 'file' })),
    ).toEqual([])
  })
})

describe('a failed backup', () => {
  test.each<[string, (world: BackupWorld) => unknown, string]>([
    ['no key', (world) => rmSync(world.folder.file('backup-key.json')), 'credential_missing'],
    ['no signing key', (world) => rmSync(world.folder.file('backup-sign.key')), 'credential_missing'],
    [
      'a damaged store',
      (world) => writeFileSync(world.folder.file('home.sqlite'), 'x'.repeat(9_000)),
      'record_malformed',
    ],
    [
      'a backup that runs',
      (world) => given(acquireInstanceLock(world.folder, BACKUP_LOCK)),
      'storage_failed',
    ],
    [
      'an archive that is a file',
      (world) => {
        rmSync(world.archive.path, { recursive: true })
        writeFileSync(world.archive.path, '')
      },
      'storage_failed',
    ],
  ])('%s', async (_name, spoil, code) => {
    const world = backupWorld()
    given(await world.make(NOON - DAY))
    spoil(world)
    const before = existsSync(at(world, '2026-11-21'))
    expect(codeOf(await world.make())).toBe(code)
    expect(existsSync(at(world, '2026-11-21'))).toBe(before)
    if (before) expect(readdirSync(world.archive.path)).toEqual(['2026-11-21'])
    expect(existsSync(world.folder.file('backup-tmp'))).toBe(false)
  })

  test('of a store with a damaged page is detected before it counts', async () => {
    const world = backupWorld()
    fillStore(world.folder.file('home.sqlite'), 400_000)
    given(await world.make(NOON - DAY))
    const path = world.folder.file('home.sqlite')
    const bytes = readFileSync(path)
    // The header and the schema stay intact; data pages in the middle do not.
    bytes.fill(0xee, bytes.length - 300_000, bytes.length - 290_000)
    writeFileSync(path, bytes)
    const made = await world.make()
    expect(made).toMatchObject({
      ok: false,
      reason: { code: 'record_malformed', facts: { file: 'home.sqlite' } },
    })
    expect(made.ok ? '' : made.reason.facts['problem']).toContain('pfar restore')
    expect(readdirSync(world.archive.path)).toEqual(['2026-11-21'])
  })

  test('does not create a configured folder that is missing, as its disk may not be mounted', async () => {
    const world = backupWorld()
    const archive = { path: join(world.folder.path, 'disk'), create: false }
    const made = await world.make(NOON, { archive })
    expect(made).toMatchObject({
      ok: false,
      reason: { code: 'storage_failed', facts: { file: archive.path } },
    })
    expect(existsSync(archive.path)).toBe(false)
  })

  test('that was killed does not count, and is removed by the next', async () => {
    const world = backupWorld()
    given(await world.make(NOON - DAY))
    renameSync(at(world, '2026-11-21'), join(world.archive.path, '.partial-x'))
    expect(await newestOn(world.archive.path, NOON)).toBeNull()
    given(await world.make())
    expect(readdirSync(world.archive.path)).toEqual(['2026-11-22'])
  })

  test('does not delete older backups before the new one was read back', async () => {
    const world = backupWorld()
    for (let day = 0; day < 9; day += 1) given(await world.make(NOON + day * DAY))
    expect(readdirSync(world.archive.path)).toHaveLength(9)
    const names = Array.from({ length: 9 }, (_, day) => `2026-10-0${day + 1}`)
    for (const name of names) cpSync(at(world, '2026-11-30'), at(world, name), { recursive: true })
    truncateSync(join(at(world, '2026-11-30'), 'home.sqlite.enc'), 10)
    expect(codeOf(await tidyArchive(world.archive, '2026-11-30'))).toBe('record_malformed')
    expect(readdirSync(world.archive.path)).toHaveLength(18)
    expect(given(await tidyArchive(world.archive, '2026-11-29')).length).toBeGreaterThan(5)
  })

  test('a backup with a time in the future does not postpone the next one', async () => {
    const world = backupWorld()
    given(await world.make(NOON))
    given(await world.make(NOON + 900 * DAY))
    expect(await newestOn(world.archive.path, NOON + DAY)).toBe(NOON)
  })
})

describe('restore', () => {
  const restore = async (world: BackupWorld, more: Partial<RestoreInput> = {}) => {
    const backup = given(await readBackup(at(world)))
    const base = {
      state: world.folder.path,
      passphrase: PASSPHRASE,
      replace: false,
      dryRun: false,
      now: NOON,
    }
    return restoreBackup({ ...base, backup, ...more })
  }
  const made = async () => {
    const world = backupWorld()
    given(await world.make())
    return world
  }
  const besides = (world: BackupWorld) => readdirSync(join(world.folder.path, '..')).sort()

  test('into an empty folder restores the same rows, and the folder is private', async () => {
    const world = await made()
    const before = tables(world.folder.file('home.sqlite'))
    for (const name of readdirSync(world.folder.path))
      if (name !== 'backups') rmSync(world.folder.file(name), { recursive: true })
    expect(await restore(world)).toMatchObject({ ok: true, value: { aside: null } })
    expect(tables(world.folder.file('home.sqlite'))).toEqual(before)
    expect(statSync(world.folder.path).mode & 0o777).toBe(0o700)
    expect(statSync(world.folder.file('home.sqlite')).mode & 0o777).toBe(0o600)
    expect(existsSync(at(world))).toBe(true)
    expect(besides(world)).toEqual(['state'])
    given(await world.make(NOON + DAY))
  })

  test('over an existing state needs the option, and moves the state aside', async () => {
    const world = await made()
    writeFileSync(world.folder.file('note'), 'keep me')
    expect(codeOf(await restore(world))).toBe('storage_failed')
    expect(existsSync(world.folder.file('note'))).toBe(true)
    const aside = given(await restore(world, { replace: true })).aside ?? ''
    expect(readFileSync(join(aside, 'note'), 'utf8')).toBe('keep me')
    expect(existsSync(world.folder.file('note'))).toBe(false)
    expect(existsSync(at(world))).toBe(true)
  })

  test('changes nothing in a dry run', async () => {
    const world = await made()
    const before = readdirSync(world.folder.path)
    expect(await restore(world, { dryRun: true })).toMatchObject({ ok: true, value: { aside: null } })
    expect(readdirSync(world.folder.path)).toEqual(before)
    expect(besides(world)).toEqual(['state'])
  })

  test('is refused while home runs', async () => {
    const world = await made()
    const lock = given(acquireInstanceLock(world.folder))
    const refusal = await restore(world, { replace: true })
    lock.release()
    expect(refusal).toMatchObject({
      ok: false,
      reason: { code: 'storage_failed', facts: { file: 'home.lock' } },
    })
    expect(codeOf(await restore(world, { replace: true }))).toBe('allowed')
  })

  test('runs one at a time, and no home or backup starts meanwhile', async () => {
    const world = await made()
    const lock = given(acquireRestoreLock(world.folder.path))
    expect(codeOf(await restore(world, { replace: true }))).toBe('storage_failed')
    expect(acquireInstanceLock(world.folder)).toMatchObject({
      reason: { facts: { problem: 'it is being restored; wait until that has ended' } },
    })
    expect(codeOf(await world.make(NOON + DAY))).toBe('storage_failed')
    lock.release()
    given(acquireInstanceLock(world.folder)).release()
    expect(codeOf(await restore(world, { replace: true }))).toBe('allowed')
  })

  test('interrupted between its two renames, lets no new home start in its place', async () => {
    const world = await made()
    const { path } = world.folder
    renameSync(path, `${path}.before-restore-${NOON}`)
    expect(openStateFolder(path)).toMatchObject({
      reason: { code: 'storage_failed', facts: { problem: expect.stringContaining('rename it back') } },
    })
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.before-restore-${NOON}`, path)
    given(openStateFolder(path))
  })

  test.each<[string, Partial<RestoreInput>, string]>([
    ['with another passphrase', { passphrase: 'not the one' }, 'credential_mismatch'],
    ['over what is there', {}, 'storage_failed'],
  ])('%s is refused, and nothing is changed', async (_name, more, code) => {
    const world = await made()
    const before = readdirSync(world.folder.path)
    expect(
      codeOf(await restore(world, more.passphrase === undefined ? more : { ...more, replace: true })),
    ).toBe(code)
    expect(readdirSync(world.folder.path)).toEqual(before)
    expect(besides(world)).toEqual(['state'])
  })

  test('of a newer schema is refused with a sentence; an older one is accepted', async () => {
    const newer = backupWorld()
    const database = new DatabaseSync(newer.folder.file('home.sqlite'))
    database.exec("insert into applied_migrations values ('store', '9999_later')")
    database.close()
    given(await newer.make())
    const refusal = await restore(newer, { replace: true })
    expect(refusal).toMatchObject({
      ok: false,
      reason: { code: 'version_incompatible', facts: { file: 'home.sqlite' } },
    })

    const older = backupWorld()
    const old = new DatabaseSync(older.folder.file('home.sqlite'))
    old.exec("delete from applied_migrations where name = 'tunnel'")
    old.close()
    given(await older.make())
    expect(codeOf(await restore(older, { replace: true }))).toBe('allowed')
  })
})

test('a backup verifies without the passphrase', async () => {
  const world = backupWorld()
  given(await world.make())
  const backup = given(await readBackup(at(world)))
  expect(codeOf(await verifyFiles(backup))).toBe('allowed')
})
