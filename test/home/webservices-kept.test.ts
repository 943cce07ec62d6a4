/** Web services that wait for a card or were named before: sealed at home, and as they were after another start. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NO_HTTP } from '../../integrations/tools/http/setting.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Sealer } from '../../kernel/vault/sealer.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { createWebserviceKeeper } from '../../sidecar/config/webservices.ts'
import type { HomeNotes } from '../../sidecar/store/home-notes.ts'

const HOST = { host: 'api.example.com', label: null, key: null }
const OTHER = { host: 'api.example.com', label: 'internal', key: 'a key' }
/** Bytes with a letter more each, which only this one opens. */
const SEALER: Pick<Sealer, 'seal' | 'open'> = {
  seal: async (_, bytes) => bytes.map((byte) => byte ^ 0x5a),
  open: async (_, bytes) => ok(bytes.map((byte) => byte ^ 0x5a)),
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pfar-webservices-'))
  await writeFile(join(folder, 'config.toml'), '[owner]\ntimezone = "Europe/Vienna"\n')
})
afterEach(() => rm(folder, { recursive: true }))

const kept = new Map<string, unknown>()
beforeEach(() => kept.clear())

/** A start of home. `key`: of its own. */
async function started(key = 1) {
  const notes: Pick<HomeNotes, 'read' | 'write'> = {
    read: (name) => (kept.get(name) ?? null) as never,
    write: (name, value) => void kept.set(name, value),
  }
  const configNow = () => loadConfig({}, folder)
  const config = configNow()
  let setting = config.ok ? config.value.http : NO_HTTP
  const keeper = createWebserviceKeeper({
    ...{ notes, sealer: SEALER, key: new Uint8Array(32).fill(key), path: join(folder, 'config.toml') },
    ...{ now: () => setting, configNow, changed: () => undefined, fault: () => expect.unreachable() },
    renew(next) {
      setting = next
    },
  })
  await keeper.former('')
  return keeper
}

type Keeper = Awaited<ReturnType<typeof started>>

function held(keeper: Keeper, typed: typeof HOST | typeof OTHER): string {
  const read = keeper.readHost(typed)
  return read.ok ? keeper.hold(read.value) : expect.unreachable()
}

const names = (keeper: Keeper) => keeper.named().map(({ name, label, key }) => [name, label, key])

it('what was forgotten is there to be put back after another start, by the same id', async () => {
  const first = await started()
  expect(first.settle(held(first, OTHER), true)).toEqual(ok(true))
  const gone = first.remove('api.example.com')
  const id = gone.ok ? gone.value.id : ''
  await first.former(id)
  const next = await started()
  expect(names(next)).toEqual([])
  const former = await next.former(id)
  expect(former).toMatchObject({ id, name: 'https://api.example.com', label: 'internal', key: 'bearer' })
  expect(next.settle(former === null ? '' : next.hold(former), true)).toEqual(ok(true))
  expect(names(next)).toEqual([['https://api.example.com', 'internal', 'bearer']])
})

it('what was replaced takes the place of what replaced it', async () => {
  const first = await started()
  first.settle(held(first, HOST), true)
  first.settle(held(first, OTHER), true)
  const [named] = first.named()
  await first.former('')
  const next = await started()
  const former = await next.former(named?.id ?? '')
  next.settle(former === null ? '' : next.hold(former), true)
  expect(names(next)).toEqual([['https://api.example.com', 'sensitive', null]])
})

it('a card that waited is answered after another start, once, and what was refused is held no more', async () => {
  const first = await started()
  const digest = held(first, HOST)
  const refused = held(first, OTHER)
  first.settle(refused, false)
  await first.former('')
  const next = await started()
  expect(next.settle(refused, true)).toMatchObject({ reason: { code: 'approval_changed' } })
  expect(next.settle(digest, true)).toEqual(ok(true))
  expect(next.settle(digest, true)).toMatchObject({ reason: { code: 'approval_changed' } })
  expect(names(next)).toEqual([['https://api.example.com', 'sensitive', null]])
})

it('no note says which host it is of, and an id says it to nobody without the key of this home', async () => {
  const first = await started()
  first.settle(held(first, HOST), true)
  first.remove('api.example.com')
  await first.former('')
  const note = String(kept.get('webservices'))
  expect(Buffer.from(note, 'base64').toString()).not.toContain('example')
  const [one, other] = [await started(), await started(2)].map((keeper) => {
    const read = keeper.readHost(HOST)
    return read.ok ? read.value.id : ''
  })
  expect(one).toMatch(/^[0-9a-f]{12}$/)
  expect(one).not.toBe(other)
})
