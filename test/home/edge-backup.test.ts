/** The edge's stores in home's backup (E-13, E-16, E-17): each separately, exported and imported, against dishonest edges. */
import { cpSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { IMPORT_PURPOSE, type ImportRows, type Page, partBound } from '../../kernel/tunnel/edge-part.ts'
import { type Backup, openEdgeStores, readBackup, verifyFiles } from '../../sidecar/backup/backup.ts'
import { createEdgeLine, type EdgeLine, edgeLineOf, importEdge } from '../../sidecar/backup/edge-transfer.ts'
import { restoreBackup } from '../../sidecar/backup/restore.ts'
import { edgeFile, isBackedUp } from '../../sidecar/backup/stores.ts'
import { createSealingKey } from '../../sidecar/secrets/sealing-key.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { type BackupWorld, backupWorld, codeOf, given, NOON, PASSPHRASE } from './fixtures/backup.ts'
import {
  ANN,
  BEN,
  edgeLine,
  emptyFolder,
  headOf,
  PAGES,
  ROW_KEY,
  SCHEMA,
  sealing,
} from './fixtures/edge-line.ts'

const EDGE_FILES = ['registry', ANN, BEN].map(edgeFile)
const HOME_FILES = ['home.sqlite', 'config.toml', 'backup-key.json', 'backup-sign.key']
const DAY_NAME = '2026-11-22'

async function backupOf(world: BackupWorld, edge: EdgeLine): Promise<Backup> {
  given(await world.make(NOON, { edge }))
  return given(await readBackup(join(world.archive.path, DAY_NAME)))
}
const opened = async (backup: Backup, into = emptyFolder()) => ({
  into,
  stores: given(await openEdgeStores(backup, PASSPHRASE, into)),
})
const countOf = (path: string, table: string) => {
  const database = new DatabaseSync(path)
  const row = database.prepare(`select count(*) as n from ${table}`).get()
  database.close()
  return row?.['n']
}

describe('export', () => {
  test('writes each store to a separate file, complete and under the passphrase', async () => {
    const backup = await backupOf(backupWorld(), edgeLine())
    expect(backup.manifest.files.map(({ name }) => name)).toEqual([...HOME_FILES, ...EDGE_FILES])
    const { into, stores } = await opened(backup)
    expect(stores.map(({ opened: each }) => codeOf(each))).toEqual(['allowed', 'allowed', 'allowed'])
    for (const store of [ANN, BEN]) {
      expect(countOf(join(into, edgeFile(store)), 'events')).toBe(5)
      expect(countOf(join(into, edgeFile(store)), 'sealed_parts')).toBe(1)
    }
  })

  test('reads a store again from its first row if it changes meanwhile', async () => {
    let asked = 0
    const page: EdgeLine['page'] = async (store, moment, cursor) => {
      const isInside = store === ANN && cursor !== null
      if (isInside) asked += 1
      if (isInside && asked <= 3) return err('record_stale')
      return edgeLine().page(store, moment, cursor)
    }
    const { into } = await opened(await backupOf(backupWorld(), edgeLine({ page })))
    expect(asked).toBe(5)
    expect(countOf(join(into, edgeFile(ANN)), 'events')).toBe(5)
  })

  const forAnn =
    (answer: (n: number) => Result<Page>): EdgeLine['page'] =>
    async (store, moment, cursor) => {
      if (store !== ANN) return edgeLine().page(store, moment, cursor)
      return answer(cursor?.after ?? 0)
    }
  const first = PAGES[0] as Page
  const ofPage = (page: Page) => edgeLine({ page: forAnn(() => ok(page)) })
  test.each<[string, EdgeLine, string, readonly string[]]>([
    ['is down', edgeLine({ stores: async () => err('remote_unavailable') }), 'remote_unavailable', []],
    ['is locked', edgeLine({ stores: async () => err('edge_locked') }), 'edge_locked', []],
    ['has no key of home', edgeLine({ stores: async () => err('seal_key_missing') }), 'seal_key_missing', []],
    [
      'never stands still',
      edgeLine({ page: forAnn(() => err('record_stale')) }),
      'record_stale',
      ['registry', BEN],
    ],
    [
      'ends in the middle',
      edgeLine({ page: forAnn((n) => (n === 0 ? ok(first) : err('remote_unavailable'))) }),
      'remote_unavailable',
      ['registry', BEN],
    ],
    ['repeats a page', ofPage(first), 'frame_malformed', ['registry', BEN]],
    ['hands out nothing for ever', ofPage({ ...first, rows: [] }), 'frame_malformed', ['registry', BEN]],
    [
      'names a table that is none',
      ofPage({ ...first, table: 'sqlite_schema' }),
      'frame_malformed',
      ['registry', BEN],
    ],
    [
      'names a table of home’s',
      ofPage({ ...first, table: 'applied_migrations' }),
      'frame_malformed',
      ['registry', BEN],
    ],
    [
      'names other columns',
      ofPage({ ...first, columns: ['id', 'principal', 'at'] }),
      'frame_malformed',
      ['registry', BEN],
    ],
    ['cuts a row', ofPage({ ...first, rows: [['x']] }), 'frame_malformed', ['registry', BEN]],
    [
      'is newer than home',
      edgeLine({
        head: async (store) =>
          ok({
            ...(await headOf(store)),
            ...(store === ANN ? { schema: [...SCHEMA, '9999_new'] } : {}),
          }),
      }),
      'version_incompatible',
      ['registry', BEN],
    ],
  ])(
    'from an edge that %s: home’s part and the other stores are saved, and the problem is reported',
    async (_name, edge, code, there) => {
      const world = backupWorld()
      const made = given(await world.make(NOON, { edge }))
      expect(made.edgeTrouble).toBe(code)
      expect(made.files.map(({ name }) => name)).toEqual([...HOME_FILES, ...there.map(edgeFile)])
      expect(existsSync(world.folder.file('backup-tmp'))).toBe(false)
    },
  )

  test('skips an object that was never used', async () => {
    const head: EdgeLine['head'] = async (store) =>
      store === ANN ? err('nothing_found') : edgeLine().head(store)
    const made = given(await backupWorld().make(NOON, { edge: edgeLine({ head }) }))
    expect([made.edgeTrouble, made.files.length]).toEqual([null, HOME_FILES.length + 2])
  })

  test('keeps an older schema', async () => {
    const head: EdgeLine['head'] = async (store) =>
      ok({ ...(await headOf(store)), schema: SCHEMA.slice(0, 4) })
    const { into } = await opened(await backupOf(backupWorld(), edgeLine({ head })))
    expect(countOf(join(into, edgeFile(ANN)), 'applied_migrations')).toBe(4)
  })

  test('without an edge asks nothing and reports nothing', async () => {
    expect(edgeLineOf(backupWorld().folder, null)).toEqual(ok(null))
    expect(given(await backupWorld().make()).edgeTrouble).toBeNull()
  })

  test('reports an unreachable address as remote_unavailable', async () => {
    const device = given(loadDeviceKey(backupWorld().folder))
    expect(codeOf(await createEdgeLine('http://127.0.0.1:9', device).stores())).toBe('remote_unavailable')
  })

  test('accepts only file names of the edge’s own form', () => {
    const names = [
      'edge-../x.sqlite',
      'edge-a.sqlite',
      'edge-registry',
      'home.sqlite',
      `edge-${ANN}.sqlite-wal`,
    ]
    expect(names.filter((name) => isBackedUp({ name, kind: 'edge' }))).toEqual([])
    // Nor can a store of the edge get into the state folder.
    expect(EDGE_FILES.filter((name) => isBackedUp({ name, kind: 'sqlite' }))).toEqual([])
    expect(EDGE_FILES.filter((name) => isBackedUp({ name, kind: 'edge' }))).toEqual(EDGE_FILES)
  })
})

describe('a holder of the disk', () => {
  const world = backupWorld()
  let backup: Backup
  beforeAll(async () => {
    backup = await backupOf(world, edgeLine())
  })
  let copies = 0
  const spoiled = async (name: string, spoil: (path: string) => void): Promise<Backup> => {
    copies += 1
    const path = join(world.archive.path, '..', `copy-${copies}`)
    cpSync(backup.path, path, { recursive: true })
    spoil(join(path, `${name}.enc`))
    return given(await readBackup(path))
  }
  const damage = (path: string) => writeFileSync(path, 'x')

  test.each<[string, (path: string) => void, string]>([
    ['changes', damage, 'record_malformed'],
    ['cuts', (path) => truncateSync(path, 100), 'record_malformed'],
    ['swaps', (path) => cpSync(join(backup.path, `${edgeFile(BEN)}.enc`), path), 'record_malformed'],
  ])(
    'who %s a store of the edge is detected; the others open, and home is restored',
    async (_name, spoil, code) => {
      const other = await spoiled(edgeFile(ANN), spoil)
      expect(codeOf(await verifyFiles(other))).toBe(code)
      const { into, stores } = await opened(other)
      expect(stores.map(({ opened: each }) => codeOf(each))).toEqual(['allowed', code, 'allowed'])
      expect(readdirSync(into).sort()).toEqual([edgeFile(BEN), edgeFile('registry')])
      const state = join(emptyFolder(), 'state')
      const restored = await restoreBackup({
        ...{ state, backup: other, passphrase: PASSPHRASE, replace: false, dryRun: false, now: NOON },
      })
      expect(given(restored).files).toEqual(HOME_FILES)
      expect(readdirSync(state).sort()).toEqual([...HOME_FILES].sort())
    },
  )
  test('who changes a store of home does not prevent the edge’s from opening', async () => {
    const { stores } = await opened(await spoiled('home.sqlite', damage))
    expect(stores.every(({ opened: each }) => each.ok)).toBe(true)
  })
  test('without the passphrase opens nothing', async () => {
    expect(codeOf(await openEdgeStores(backup, 'another passphrase', emptyFolder()))).toBe(
      'credential_mismatch',
    )
  })
  test('sees in a backup without the edge that the part is missing', async () => {
    const other = backupWorld()
    given(await other.make())
    const alone = given(await readBackup(join(other.archive.path, DAY_NAME)))
    expect(codeOf(await openEdgeStores(alone, PASSPHRASE, emptyFolder()))).toBe('nothing_found')
  })
})

describe('import', () => {
  const EDGE_SECRET = new Uint8Array(32).fill(77)
  const put = async (wrong: Partial<EdgeLine> = {}, spoil: (into: string) => void = () => undefined) => {
    const { into } = await opened(await backupOf(backupWorld(), edgeLine()))
    spoil(into)
    const sealTo = Buffer.from((await keyFrom(EDGE_SECRET)).publicKey).toString('base64url')
    const begin: EdgeLine['begin'] = async () => ok({ done: false, sealTo })
    return importEdge({ from: into, line: edgeLine({ begin, ...wrong }), sealing: await sealing() })
  }
  const troubles = async (restored: ReturnType<typeof put>) =>
    given(await restored).map(({ file, trouble }) => [file, trouble])
  const fine = (except: Readonly<Record<string, string>> = {}) =>
    [ANN, BEN, 'registry'].map((store) => [edgeFile(store), except[store] ?? null])

  test('restores all rows of each store in order, and its key for the new edge only', async () => {
    const came: Record<string, unknown[]> = {}
    const keys: Record<string, Uint8Array> = {}
    const add: EdgeLine['add'] = async ({ principal }, page: ImportRows) => {
      came[principal] = [...(came[principal] ?? []), ...page.rows.map((row) => [page.table, ...row])]
      return ok({})
    }
    const end: EdgeLine['end'] = async ({ rows, box, ...part }) => {
      expect(rows).toBe(6)
      const bytes = new Uint8Array(Buffer.from(box ?? '', 'base64url'))
      const address = { purpose: IMPORT_PURPOSE, bound: partBound(part) }
      keys[part.principal] = given(await openClosedBox(EDGE_SECRET, address, bytes))
      return ok({})
    }
    expect(await troubles(put({ add, end }))).toEqual(fine())
    const rows = PAGES.flatMap((page) => page.rows.map((row) => [page.table, ...row]))
    expect(came).toEqual({ 'principal:a': rows, 'principal:b': rows })
    expect(keys).toEqual({ 'principal:a': ROW_KEY[ANN], 'principal:b': ROW_KEY[BEN] })
  })

  test('does not send again what is already there', async () => {
    const begin: EdgeLine['begin'] = async () => ok({ done: true, sealTo: 'A'.repeat(43) })
    const never = async () => err('internal_fault')
    expect(await troubles(put({ begin, add: never, end: never }))).toEqual(fine())
  })

  const annOnly =
    <A extends { readonly principal: string }, R>(
      code: 'edge_not_empty' | 'place_not_cleared' | 'copy_incomplete',
      go: (part: A) => Promise<R>,
    ) =>
    async (part: A) =>
      part.principal === 'principal:a' ? err(code) : go(part)
  test.each<[string, Partial<EdgeLine>, (into: string) => void, Readonly<Record<string, string>>]>([
    [
      'holds something',
      { add: annOnly('edge_not_empty', async () => ok({})) },
      () => undefined,
      { [ANN]: 'edge_not_empty' },
    ],
    [
      'refuses a row',
      { add: annOnly('place_not_cleared', async () => ok({})) },
      () => undefined,
      { [ANN]: 'place_not_cleared' },
    ],
    [
      'counts fewer',
      { end: annOnly('copy_incomplete', async () => ok({})) },
      () => undefined,
      { [ANN]: 'copy_incomplete' },
    ],
    [
      'knows its registry',
      { registry: async () => err('edge_not_empty') },
      () => undefined,
      { registry: 'edge_not_empty' },
    ],
    [
      'is fine, but a file is not',
      {},
      (into) => writeFileSync(join(into, edgeFile(BEN)), ''),
      { [BEN]: 'record_malformed' },
    ],
  ])(
    'into an edge that %s: that store is reported, and the others are restored',
    async (_name, wrong, spoil, expected) => {
      expect(await troubles(put(wrong, spoil))).toEqual(fine(expected))
    },
  )

  test('reports a key that home no longer has', async () => {
    const { into } = await opened(await backupOf(backupWorld(), edgeLine()))
    const other = await createSealingKey({ ownKeys: () => [new Uint8Array(32).fill(10)] })
    const restored = await importEdge({ from: into, line: edgeLine(), sealing: other })
    expect(given(restored).map(({ trouble }) => trouble)).toEqual(['key_wrong', 'key_wrong', null])
  })

  test('of an empty folder is nothing_found', async () => {
    const from = emptyFolder()
    expect(codeOf(await importEdge({ from, line: edgeLine(), sealing: await sealing() }))).toBe(
      'nothing_found',
    )
  })
})
