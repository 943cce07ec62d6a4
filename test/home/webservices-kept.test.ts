/**
 * Web services that wait for a card or were named before: sealed at home, and as they were after another start. What was agreed to stands in config.toml once
 * the yes is on record, wherever home dies in between, and nothing else does.
 */
import { readFileSync, renameSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from '../../integrations/store/store.ts'
import { NO_HTTP } from '../../integrations/tools/http/setting.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Sealer } from '../../kernel/vault/sealer.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { createWebserviceKeeper } from '../../sidecar/config/webservices.ts'
import { createHomeNotes, type HomeNotes } from '../../sidecar/store/home-notes.ts'
import { openMigrated } from '../kit/database.ts'

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  return { ...real, renameSync: vi.fn(real.renameSync) }
})

const HOST = { host: 'api.example.com', label: null, key: null }
const OTHER = { host: 'api.example.com', label: 'internal', key: 'a key' }
/** Bytes with a letter more each, which only this one opens. */
const SEALER: Pick<Sealer, 'seal' | 'open'> = {
  seal: async (_, bytes) => bytes.map((byte) => byte ^ 0x5a),
  open: async (_, bytes) => ok(bytes.map((byte) => byte ^ 0x5a)),
}

let folder = ''
let db = openMigrated(STORE_MIGRATIONS, DIRECTIVES_MIGRATIONS)
beforeEach(async () => {
  db = openMigrated(STORE_MIGRATIONS, DIRECTIVES_MIGRATIONS)
  faults = 0
  folder = await mkdtemp(join(tmpdir(), 'pfar-webservices-'))
  await writeFile(join(folder, 'config.toml'), '[owner]\ntimezone = "Europe/Vienna"\n')
})
afterEach(() => rm(folder, { recursive: true }))

let faults = 0

/** A start of home. `key`: of its own. */
async function started(key = 1, notes: Pick<HomeNotes, 'read' | 'write'> = createHomeNotes(db)) {
  const configNow = () => loadConfig({}, folder)
  const config = configNow()
  let setting = config.ok ? config.value.http : NO_HTTP
  const keeper = createWebserviceKeeper({
    ...{ notes, sealer: SEALER, key: new Uint8Array(32).fill(key), path: join(folder, 'config.toml') },
    ...{ now: () => setting, configNow, changed: () => undefined },
    fault() {
      faults += 1
    },
    renew(next) {
      setting = next
    },
  })
  await keeper.former('')
  return keeper
}

type Keeper = Awaited<ReturnType<typeof started>>

async function held(keeper: Keeper, typed: typeof HOST | typeof OTHER): Promise<string> {
  const read = keeper.readHost(typed)
  return read.ok ? keeper.hold(read.value) : expect.unreachable()
}

/** As the shell records it: what the keeper does comes after the transaction. */
async function answered(keeper: Keeper, digest: string, agreed = true) {
  const done = createStore(db).transaction(() => keeper.settle(digest, agreed))
  await keeper.former('')
  return done
}

const file = (): string => readFileSync(join(folder, 'config.toml'), 'utf8')

const names = (keeper: Keeper) => keeper.named().map(({ name, label, key }) => [name, label, key])

it('what was forgotten is there to be put back after another start, by the same id', async () => {
  const first = await started()
  expect(await answered(first, await held(first, OTHER))).toEqual(ok(true))
  const gone = first.remove('api.example.com')
  const id = gone.ok ? gone.value.id : ''
  await first.former(id)
  const next = await started()
  expect(names(next)).toEqual([])
  const former = await next.former(id)
  expect(former).toMatchObject({ id, name: 'https://api.example.com', label: 'internal', key: 'bearer' })
  expect(await answered(next, former === null ? '' : await next.hold(former))).toEqual(ok(true))
  expect(names(next)).toEqual([['https://api.example.com', 'internal', 'bearer']])
})

it('what was replaced takes the place of what replaced it', async () => {
  const first = await started()
  await answered(first, await held(first, HOST))
  await answered(first, await held(first, OTHER))
  const [named] = first.named()
  await first.former('')
  const next = await started()
  const former = await next.former(named?.id ?? '')
  await answered(next, former === null ? '' : await next.hold(former))
  expect(names(next)).toEqual([['https://api.example.com', 'sensitive', null]])
})

it('a card that waited is answered after another start, once, and what was refused is held no more', async () => {
  const first = await started()
  const digest = await held(first, HOST)
  const refused = await held(first, OTHER)
  await answered(first, refused, false)
  const next = await started()
  expect(await answered(next, refused)).toMatchObject({ reason: { code: 'approval_changed' } })
  expect(next.settle(digest, true)).toEqual(ok(true))
  expect(next.settle(digest, true)).toMatchObject({ reason: { code: 'approval_changed' } })
  await next.former('')
  expect(await answered(next, digest)).toMatchObject({ reason: { code: 'approval_changed' } })
  expect(names(next)).toEqual([['https://api.example.com', 'sensitive', null]])
})

it('no note says which host it is of, and an id says it to nobody without the key of this home', async () => {
  const first = await started()
  await answered(first, await held(first, HOST))
  first.remove('api.example.com')
  await first.former('')
  const note = String(createHomeNotes(db).read('webservices'))
  expect(Buffer.from(note, 'base64').toString()).not.toContain('example')
  const [one, other] = [await started(), await started(2)].map((keeper) => {
    const read = keeper.readHost(HOST)
    return read.ok ? read.value.id : ''
  })
  expect(one).toMatch(/^[0-9a-f]{12}$/)
  expect(one).not.toBe(other)
})

describe('a home that dies', () => {
  const LINE = '[[tools.http.hosts]]'
  const count = (): number => file().split(LINE).length - 1
  const dies = (): never => {
    throw new Error('the power is gone')
  }

  it('before the yes is on record has named nothing, and the card still waits', async () => {
    const first = await started()
    const digest = await held(first, HOST)
    const dying = () =>
      createStore(db).transaction(() => {
        expect(first.settle(digest, true)).toEqual(ok(true))
        expect(file()).not.toContain(LINE)
        dies()
      })
    expect(dying).toThrow('the power is gone')
    await first.former('')
    expect([names(first), count()]).toEqual([[], 0])
    const next = await started()
    expect([names(next), count()]).toEqual([[], 0])
    expect(await answered(next, digest)).toEqual(ok(true))
    expect(count()).toBe(1)
  })

  it('after the yes and before the file is written has named it with its next start', async () => {
    const first = await started()
    await answered(first, await held(first, HOST))
    const digest = await held(first, OTHER)
    vi.mocked(renameSync).mockImplementationOnce(dies)
    expect(await answered(first, digest)).toEqual(ok(true))
    expect([faults, names(first)]).toEqual([1, [['https://api.example.com', 'sensitive', null]]])
    const next = await started()
    expect(names(next)).toEqual([['https://api.example.com', 'internal', 'bearer']])
    expect(count()).toBe(1)
    const [named] = next.named()
    expect(await next.former(named?.id ?? '')).toMatchObject({ label: 'sensitive', key: null })
    // It is done: what its owner takes out by hand stays out.
    next.remove('api.example.com')
    expect(names(await started())).toEqual([])
  })

  it('after the file is written and before that is on record has named it once', async () => {
    const notes = createHomeNotes(db)
    let isDead = false
    const first = await started(1, {
      read: (name) => notes.read(name),
      write: (name, value) => (isDead ? dies() : notes.write(name, value)),
    })
    const digest = await held(first, HOST)
    createStore(db).transaction(() => first.settle(digest, true))
    isDead = true
    await first.former('')
    expect([faults > 0, count()]).toEqual([true, 1])
    const next = await started()
    expect(names(next)).toEqual([['https://api.example.com', 'sensitive', null]])
    expect([count(), notes.read('webservicesAgreed')]).toEqual([1, []])
  })

  it('with a yes that could not be written names it no more once its owner takes it back', async () => {
    const first = await started()
    const digest = await held(first, HOST)
    vi.mocked(renameSync).mockImplementationOnce(dies)
    await answered(first, digest)
    expect(first.remove('api.example.com')).toMatchObject({ ok: true })
    const next = await started()
    expect([names(next), count()]).toEqual([[], 0])
  })
})

it('what config.toml has in other words by then is refused before anything is on record', async () => {
  const first = await started()
  await answered(first, await held(first, HOST))
  const digest = await held(first, OTHER)
  await writeFile(join(folder, 'config.toml'), file().replace('"sensitive"', '"sensitive" # mine'))
  expect(await answered(first, digest)).toMatchObject({ reason: { code: 'config_malformed' } })
  expect(createHomeNotes(db).read('webservicesAgreed')).toEqual([])
})
