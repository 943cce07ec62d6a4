/**
 * Export of the edge to home's backup and import into an empty edge (E-13, E-16): the same rows, readable again in another Worker's
 * objects; and every refusal.
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { KERNEL_NAME, objectName } from '../../durable-objects/names.ts'
import { closeBox, openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  EXPORT_PURPOSE,
  IMPORT_PURPOSE,
  PAGE_BYTES,
  type Page,
  type PartHead,
  partBound,
} from '../../kernel/tunnel/edge-part.ts'
import { LIST_LIFE } from '../../worker/enrolled.ts'
import { NAME_KEY } from './bindings.ts'
import { DEVICE, fromBase64Url, STRANGER, testDevice, toBase64Url } from './device.ts'
import { dumpStorage } from './dump.ts'
import { deliveriesAfter, emptyTunnel, endOf, inside, owner, say } from './edge.ts'
import { type SignOptions, signed } from './signed.ts'

const HOME_SECRET = new Uint8Array(32).fill(51)
const OTHER = testDevice('phone', 52)
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const OWNER = objectName(NAME_KEY, OWNER_PRINCIPAL)

interface Answer<T> {
  readonly status: number
  readonly body: T & { readonly error?: { readonly code: string } }
}

async function ask<T>(path: string, options: SignOptions = {}): Promise<Answer<T>> {
  const response = await exports.default.fetch(await signed(`/parts${path}`, options))
  return { status: response.status, body: await response.json() }
}

const post = (path: string, body: unknown, options: SignOptions = {}) =>
  ask<{ done?: boolean; sealTo: string }>(path, { ...options, body: JSON.stringify(body) })
const codeOf = ({ body }: Answer<unknown>): string => body.error?.code ?? 'allowed'
const rowsPath = (store: string, moment: string, next: Page['next'] = null) =>
  `/${store}/rows?${new URLSearchParams({ moment, ...(next === null ? {} : { table: next.table, after: String(next.after) }) })}`

async function wipe(): Promise<void> {
  for (const stub of [kernel(), owner()])
    await runInDurableObject<DurableObject, void>(stub, async (_, { storage }) => {
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
  await emptyTunnel()
  await abortAllDurableObjects()
  await kernel().setSealKey(toBase64Url((await keyFrom(HOME_SECRET)).publicKey))
}

interface Part {
  readonly head: PartHead
  readonly pages: readonly Page[]
}

async function take(store: string): Promise<Part> {
  const { body: head } = await ask<PartHead>(`/${store}`)
  const pages: Page[] = []
  let next: Page['next'] = null
  do {
    const { body }: Answer<Page> = await ask<Page>(rowsPath(store, head.moment, next))
    pages.push(body)
    next = body.next
  } while (next !== null)
  return { head, pages }
}

const named = ({ head: { id, principal } }: Part) => ({ id, principal: principal ?? '' })
const countOf = ({ pages }: Part) => pages.reduce((sum, { rows }) => sum + rows.length, 0)

/** Seals the data key again, for the edge that imports it. */
async function reseal(part: Part, sealTo: string): Promise<string> {
  const of = named(part)
  const box = fromBase64Url(part.head.sealed?.box ?? '')
  const key = await openClosedBox(HOME_SECRET, { purpose: EXPORT_PURPOSE, bound: partBound(of) }, box)
  if (!key.ok) throw new Error(key.reason.code)
  const closed = await closeBox(
    fromBase64Url(sealTo),
    { purpose: IMPORT_PURPOSE, bound: partBound(of) },
    key.value,
  )
  if (!closed.ok) throw new Error(closed.reason.code)
  return toBase64Url(closed.value)
}

const begin = (part: Part) => post('/begin', { ...named(part), schema: part.head.schema })
const add = (part: Part, { next: _, ...page }: Page) => post('/rows', { ...named(part), page })

async function putIn(part: Part): Promise<Answer<unknown>> {
  const begun = await begin(part)
  if (begun.status !== 200 || begun.body.done === true) return begun
  for (const page of part.pages) expect(codeOf(await add(part, page))).toBe('allowed')
  const box = await reseal(part, begun.body.sealTo)
  return post('/end', { ...named(part), rows: countOf(part), box })
}

/** Rows only: keys and marks belong to the object itself. */
const rowsOf = () =>
  inside(OWNER_PRINCIPAL, ({ storage }) =>
    dumpStorage({ ...storage, sql: storage.sql, kv: { list: () => [] } } as unknown as DurableObjectStorage),
  )
const auditOf = async () =>
  runInDurableObject(kernel(), (_, { storage }) =>
    storage.sql.exec('select kind, facts from audit order by seq').toArray(),
  )

let part: Part
let before: string
beforeAll(async () => {
  await wipe()
  await endOf((await say('remember that the spare key is with Mrs Novak')).task)
  await endOf((await say('what do you know about the spare key?')).task)
  before = await rowsOf()
  part = await take(OWNER)
})
afterAll(async () => {
  vi.useRealTimers()
  await wipe()
  await abortAllDurableObjects()
})

describe('exporting an edge', () => {
  test('the list of stores is complete, and audited', async () => {
    expect(await ask('')).toEqual({ status: 200, body: { stores: ['registry', OWNER] } })
    expect(await auditOf()).toContainEqual({
      kind: 'egress',
      facts: JSON.stringify({ of: 'backup', to: DEVICE.id, stores: 2 }),
    })
  })
  test('every row of every table is exported as stored: no text is readable, nor the key in its box', async () => {
    expect(countOf(part)).toBeGreaterThan(10)
    const text = JSON.stringify(part)
    const decoded = [...text.matchAll(/"bytes":"([^"]*)"/g)].map(([, bytes = '']) => atob(bytes)).join('\n')
    for (const word of ['Mrs Novak', 'spare key']) expect(text + decoded).not.toContain(word)
    const key = await inside(OWNER_PRINCIPAL, ({ storage }) => storage.kv.get<Uint8Array>('data-key'))
    expect(key).toBeInstanceOf(Uint8Array)
    expect(part.head).toMatchObject({ principal: OWNER_PRINCIPAL, registry: null })
  })
  test('pages end at their size limit', async () => {
    const big = (n: number) => ({ id: `big-${n}`, bytes: new Uint8Array(100_000) })
    await inside(OWNER_PRINCIPAL, ({ storage }) => {
      for (let n = 0; n < 8; n += 1)
        storage.sql.exec('insert into sealed_parts values (?, 0, ?)', big(n).id, big(n).bytes)
    })
    const { pages } = await take(OWNER)
    const parts = pages.filter(({ table }) => table === 'sealed_parts')
    expect(parts.map(({ rows }) => rows.length)).toEqual([2, 2, 2, 2])
    expect(Math.max(...parts.map((page) => JSON.stringify(page).length))).toBeLessThan(PAGE_BYTES + 140_000)
    await inside(OWNER_PRINCIPAL, ({ storage }) => void storage.sql.exec('delete from sealed_parts'))
  })
  test('a page of an earlier moment is refused, after a write and after an eviction', async () => {
    const { body: head } = await ask<PartHead>(`/${OWNER}`)
    expect(codeOf(await ask(rowsPath(OWNER, head.moment)))).toBe('allowed')
    await inside(OWNER_PRINCIPAL, ({ storage }) => storage.kv.put('something', 1))
    expect(codeOf(await ask(rowsPath(OWNER, head.moment)))).toBe('record_stale')
    const { body: again } = await ask<PartHead>(`/${OWNER}`)
    await abortAllDurableObjects()
    expect(codeOf(await ask(rowsPath(OWNER, again.moment)))).toBe('record_stale')
  })
  test.each<[string, string, SignOptions, string]>([
    ['unsigned', '', { headers: {}, components: [] }, 'signature_invalid'],
    ['a stranger', '', { device: STRANGER }, 'signature_invalid'],
    ['another device of the owner', '', { device: OTHER }, 'principal_not_allowed'],
    ['another device, a page', rowsPath(OWNER, 'x'), { device: OTHER }, 'principal_not_allowed'],
    ['an object that nobody uses', `/${'0'.repeat(64)}`, {}, 'nothing_found'],
    ['its rows', rowsPath('0'.repeat(64), 'x'), {}, 'nothing_found'],
    ['a table that is none', `${rowsPath('registry', 'x')}&table=_cf_KV&after=0`, {}, 'event_malformed'],
    [
      'a table of somebody else',
      `${rowsPath('registry', 'x')}&table=applied_migrations&after=0`,
      {},
      'nothing_found',
    ],
    ['rows before the first', `${rowsPath('registry', 'x')}&table=audit&after=-1`, {}, 'event_malformed'],
  ])('an export request is refused: %s', async (_name, path, options, code) => {
    // Beyond the lifetime of the isolate's device list.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * LIST_LIFE })
    await runInDurableObject(kernel(), (_, { storage }) =>
      storage.kv.put(`device:${OTHER.id}`, OTHER.publicKey),
    )
    expect(codeOf(await ask(path, options))).toBe(code)
    vi.useRealTimers()
    await runInDurableObject(kernel(), (_, { storage }) => void storage.kv.delete(`device:${OTHER.id}`))
  })
  test('an export is refused before home has synced a key, and while the edge is locked', async () => {
    await runInDurableObject(kernel(), (_, { storage }) => void storage.kv.delete('seal-key'))
    expect(codeOf(await ask(''))).toBe('seal_key_missing')
    await kernel().setSealKey(toBase64Url((await keyFrom(HOME_SECRET)).publicKey))
    const { body: head } = await ask<PartHead>(`/${OWNER}`)
    await kernel().setLocked(true)
    expect(codeOf(await ask(''))).toBe('edge_locked')
    expect(codeOf(await ask(`/${OWNER}`))).toBe('edge_locked')
    expect(codeOf(await ask(rowsPath(OWNER, head.moment)))).toBe('edge_locked')
    await kernel().setLocked(false)
  })
})

describe('importing into an edge', () => {
  test('an edge that is not empty refuses an import, and stays as it is', async () => {
    expect(codeOf(await begin(part))).toBe('edge_not_empty')
    expect(await rowsOf()).toBe(before)
  })

  test('an import restores every row, and its memory is readable under another key', async () => {
    await wipe()
    expect(codeOf(await putIn(part))).toBe('allowed')
    expect(await rowsOf()).toBe(before)
    const asked = await endOf((await say('what do you know about the spare key?')).task)
    expect(asked.reply).toContain('Mrs Novak')
    expect(await auditOf()).toContainEqual({
      kind: 'restored',
      facts: JSON.stringify({ object: OWNER, by: DEVICE.id }),
    })
  })
  test('importing the same part again changes nothing, and another part is refused', async () => {
    const now = await rowsOf()
    expect(await begin(part)).toMatchObject({ status: 200, body: { done: true } })
    expect(codeOf(await post('/end', { ...named(part), rows: 0, box: null }))).toBe('allowed')
    const other = { ...part, head: { ...part.head, id: 'f'.repeat(32) } }
    expect(codeOf(await begin(other))).toBe('edge_not_empty')
    expect(await rowsOf()).toBe(now)
  })
  test('during an incomplete import the principal is refused and nothing runs, and a new start clears it', async () => {
    await wipe()
    expect(codeOf(await begin(part))).toBe('allowed')
    for (const page of part.pages.slice(0, 3)) await add(part, page)
    await abortAllDurableObjects()
    const refused = await exports.default.fetch(
      await signed('/line/messages', { body: JSON.stringify({ id: 'half', text: 'hello' }) }),
    )
    expect(refused.status).toBe(503)
    expect(codeOf(await post('/end', { ...named(part), rows: countOf(part), box: null }))).toBe(
      'copy_incomplete',
    )
    expect(codeOf(await putIn(part))).toBe('allowed')
    expect(await rowsOf()).toBe(before)
    expect((await deliveriesAfter(0)).length).toBeGreaterThan(0)
  })

  const page = (table: string): Page => {
    const found = part.pages.find((each) => each.table === table)
    if (found === undefined) throw new Error(table)
    return found
  }
  const withCell = (from: Page, column: string, value: string): Page => ({
    ...from,
    rows: from.rows.map((row) => row.map((cell, at) => (from.columns[at] === column ? value : cell))),
  })
  test.each<[string, () => Promise<Answer<unknown>>, string]>([
    [
      'rows above the clearance of the edge',
      () => add(part, withCell(page('sealed'), 'label', 'sensitive')),
      'place_not_cleared',
    ],
    [
      'deliveries above it',
      () => add(part, withCell(page('deliveries'), 'label', 'regulated:health')),
      'place_not_cleared',
    ],
    [
      'rows of somebody else',
      () => add(part, withCell(page('tasks'), 'principal', 'principal:whatsapp:peer:eve')),
      'principal_not_allowed',
    ],
    [
      'a table of its own choice',
      () => add(part, { ...page('tasks'), table: 'applied_migrations' }),
      'event_malformed',
    ],
    [
      'columns of its own choice',
      () => add(part, { ...page('tasks'), columns: ['id'], rows: [['x']] }),
      'event_malformed',
    ],
    ['rows that are too short', () => add(part, { ...page('tasks'), rows: [['x']] }), 'event_malformed'],
    [
      'rows of an import that did not begin',
      () => add({ ...part, head: { ...part.head, id: 'e'.repeat(32) } }, page('tasks')),
      'event_stale',
    ],
    [
      'another schema',
      () => post('/begin', { ...named(part), id: 'd'.repeat(32), schema: ['0000_first'] }),
      'version_incompatible',
    ],
    [
      'the end of another',
      () => post('/end', { ...named(part), id: 'c'.repeat(32), rows: 0, box: null }),
      'event_stale',
    ],
    [
      'a device that is not home',
      () => post('/begin', { ...named(part), schema: part.head.schema }, { device: STRANGER }),
      'signature_invalid',
    ],
  ])('an import is refused: %s', async (_name, work, code) => {
    await wipe()
    await begin(part)
    expect(codeOf(await work())).toBe(code)
  })
  test('an import is refused with a key sealed for another principal, or with a changed bit', async () => {
    await wipe()
    const { body } = await begin(part)
    for (const each of part.pages) await add(part, each)
    const box = await reseal(part, body.sealTo)
    const end = { ...named(part), rows: countOf(part) }
    const moved = await closeBox(
      fromBase64Url(body.sealTo),
      { purpose: IMPORT_PURPOSE, bound: partBound({ id: part.head.id, principal: 'principal:eve' }) },
      new Uint8Array(32),
    )
    const bent = `${box.startsWith('A') ? 'B' : 'A'}${box.slice(1)}`
    for (const wrong of [bent, moved.ok ? toBase64Url(moved.value) : ''])
      expect(codeOf(await post('/end', { ...end, box: wrong }))).toBe('record_unreadable')
    expect(codeOf(await post('/end', { ...end, box }))).toBe('allowed')
  })
  test('an import is refused while the edge is locked', async () => {
    await wipe()
    await endOf((await say('hello')).task)
    await kernel().setLocked(true)
    expect(codeOf(await begin(part))).toBe('edge_locked')
    await kernel().setLocked(false)
  })
})

describe('exporting and importing the registry', () => {
  const phone = testDevice('', 61)
  const stolen = testDevice('', 62)
  const enrol = (device: typeof phone) => {
    const id = [...new Uint8Array(device.publicKey.slice(0, 16))]
      .map((b) => b.toString(16).padStart(2, '0'))
      .join('')
    return id
  }
  test('paired and revoked devices and the time zone are restored, and secret or short-lived values are never exported', async () => {
    await wipe()
    await kernel().setProfile({ timezone: 'Asia/Kolkata' })
    await runInDurableObject(kernel(), (_, { storage }) => {
      storage.kv.put(`device:${enrol(phone)}`, phone.publicKey)
      storage.kv.put(`revoked:${enrol(stolen)}`, 1)
      storage.kv.put('code', { key: new Uint8Array(32), tries: 0, expiresAt: 1, usedBy: null })
    })
    const registry = await take('registry')
    expect(registry.head.registry).toEqual({
      devices: [{ id: enrol(phone), publicKey: toBase64Url(phone.publicKey) }],
      revoked: [enrol(stolen)],
      timezone: 'Asia/Kolkata',
    })
    const part = { id: registry.head.id, registry: registry.head.registry }
    // It knows another device already.
    expect(codeOf(await post('/registry', { ...part, id: 'b'.repeat(32) }))).toBe('edge_not_empty')
    await wipe()
    expect(codeOf(await post('/registry', part))).toBe('allowed')
    expect(codeOf(await post('/registry', part))).toBe('allowed')
    const devices = await kernel().devices()
    expect(devices.map(({ publicKey }) => toBase64Url(publicKey))).toContain(toBase64Url(phone.publicKey))
    expect((await kernel().profile())?.timezone).toBe('Asia/Kolkata')
    expect(
      await runInDurableObject(kernel(), (_, { storage }) =>
        [...storage.kv.list({ prefix: 'revoked:' })].map(([key]) => key),
      ),
    ).toEqual([`revoked:${enrol(stolen)}`])
  })
  test('the caller of an import is never locked out by its own former revocation', async () => {
    await wipe()
    const registry = { devices: [], revoked: [DEVICE.id], timezone: null }
    expect(codeOf(await post('/registry', { id: 'a'.repeat(32), registry }))).toBe('allowed')
    expect(codeOf(await ask(''))).toBe('allowed')
  })
})
