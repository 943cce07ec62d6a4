/** Copies of home (DESIGN §6, E-12, T-12): what is sent, what is restored, and what is refused on the way back. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { err, ok, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { CHUNK_BYTES, type CopyGeneration, MAX_SEALED_BYTES } from '../../kernel/tunnel/copies.ts'
import { recoverySeed, storeKey } from '../../kernel/vault/key-ring.ts'
import {
  createCopyKeys,
  manifestPlace,
  openManifest,
  readCopyNote,
  recoverySigner,
} from '../../sidecar/copies/copy-format.ts'
import type { CopyLine, RecoveryLine } from '../../sidecar/copies/copy-line.ts'
import {
  AT_LATEST,
  copyDueAt,
  createCopyTick,
  DAILY,
  RETRY_AFTER,
  SETTLED,
} from '../../sidecar/copies/job.ts'
import { type MadeCopy, makeCopy } from '../../sidecar/copies/make-copy.ts'
import { fetchCopy, findCopy } from '../../sidecar/copies/recover-home.ts'
import { randomOfNode } from '../../sidecar/keys/home-keys.ts'
import { openStateFolder, type StateFolder } from '../../sidecar/store/state-folder.ts'
import { rowsOf } from '../e2e/restore-bench.ts'
import { newFolder } from '../kit/folder.ts'
import { given } from './fixtures/backup.ts'

const MASTER = new Uint8Array(32).fill(5)
const keys = createCopyKeys(storeKey(MASTER, 'replica'), randomOfNode)
const CANARY = 'the gate code is 4711'
const EDGE_KEY = 'e'.repeat(43)

function home(): StateFolder {
  const folder = given(openStateFolder(newFolder('copies')))
  const store = new DatabaseSync(folder.file('home.sqlite'))
  store.exec('pragma journal_mode = wal; create table notes (id integer primary key, text text)')
  const insert = store.prepare('insert into notes (text) values (?)')
  store.exec('begin')
  for (let n = 0; n < 2_000; n += 1) insert.run(`${CANARY} ${n} ${'x'.repeat(90)}`)
  store.exec('commit')
  store.close()
  writeFileSync(folder.file('config.toml'), `[owner]\nname = "${CANARY}"\n`)
  writeFileSync(folder.file('device.key'), CANARY, { mode: 0o600 })
  return folder
}

function addNote(folder: StateFolder): void {
  const store = new DatabaseSync(folder.file('home.sqlite'))
  store.exec("insert into notes (text) values ('one more')")
  store.close()
}

/** An edge in memory, which a test can make dishonest. */
function edge() {
  const chunks = new Map<string, Uint8Array>()
  const generations: CopyGeneration[] = []
  const list = () =>
    generations.map(({ number, at, chunks: names }) => ({ number, at, chunks: names.length })).reverse()
  const puts: string[] = []
  const line: CopyLine = {
    state: async () => ok({ generations: list(), recoveryKey: null }),
    announce: async (names) => ok(names.filter((name) => !chunks.has(name))),
    async put(name, sealed) {
      expect(sealed.length).toBeLessThanOrEqual(MAX_SEALED_BYTES)
      chunks.set(name, sealed)
      puts.push(name)
      return ok(true)
    },
    async commit(generation) {
      generations.push(generation)
      return ok(true)
    },
  }
  const recovery: RecoveryLine = {
    state: line.state,
    async generation(number) {
      const found = generations.find((each) => each.number === number)
      return found === undefined ? err('nothing_found') : ok(found)
    },
    async chunk(name) {
      const bytes = chunks.get(name)
      return bytes === undefined ? err('nothing_found') : ok(bytes)
    },
    enrol: async () => err('internal_fault'),
  }
  return { chunks, generations, line, recovery, puts }
}

type Edge = ReturnType<typeof edge>

const copyTo = (folder: StateFolder, { line }: Pick<Edge, 'line'>, now = 1_000): Promise<Result<MadeCopy>> =>
  makeCopy({ folder, keys, line, recoveryKey: 'r'.repeat(43), edgeKey: EDGE_KEY, now })

async function back({ recovery }: Edge, with_ = keys): Promise<Result<string>> {
  const parts = { line: recovery, keys: with_ }
  const found = await findCopy(parts)
  if (!found.ok) return found
  const into = newFolder('back')
  const fetched = await fetchCopy(parts, found.value, into)
  return fetched.ok ? ok(into) : fetched
}

const reasonOf = async (result: Promise<Result<unknown>>): Promise<ReasonCode | 'done'> => {
  const settled = await result
  return settled.ok ? 'done' : settled.reason.code
}

describe('a copy', () => {
  test('is restored completely from the phrase alone, except the key of the lost device', async () => {
    const folder = home()
    const there = edge()
    expect(await copyTo(folder, there)).toEqual({ ok: true, value: { number: 1, lost: null } })
    const into = given(await back(there))
    expect(rowsOf(join(into, 'home.sqlite'))).toEqual(rowsOf(folder.file('home.sqlite')))
    expect(readFileSync(join(into, 'config.toml'), 'utf8')).toContain(CANARY)
    expect(() => readFileSync(join(into, 'device.key'))).toThrow('ENOENT')
    expect(given(await findCopy({ line: there.recovery, keys })).manifest).toMatchObject({
      at: 1_000,
      edgeKey: EDGE_KEY,
    })
  })

  test('reveals no byte of its content to the edge', async () => {
    const there = edge()
    await copyTo(home(), there)
    const seen = [...there.chunks.values()].map((bytes) => Buffer.from(bytes).toString('latin1'))
    const all = [...seen, JSON.stringify(there.generations)].join('\n')
    for (const word of [CANARY, 'gate code', 'home.sqlite', 'config.toml', 'SQLite format'])
      expect(all.includes(word)).toBe(false)
  })

  test('sends only what changed', async () => {
    const folder = home()
    const there = edge()
    await copyTo(folder, there)
    expect(there.puts.length).toBeGreaterThan(4)
    there.puts.length = 0
    expect(await copyTo(folder, there)).toMatchObject({ value: { number: 2 } })
    expect(there.puts).toEqual([])
    addNote(folder)
    await copyTo(folder, there)
    expect(there.puts.length).toBeGreaterThan(0)
    expect(there.puts.length).toBeLessThanOrEqual(2)
  })

  test('that the edge lost or hides is detected, and its number is not reused', async () => {
    const folder = home()
    const there = edge()
    await copyTo(folder, there)
    await copyTo(folder, there)
    there.generations.length = 0
    expect(await copyTo(folder, there)).toEqual({ ok: true, value: { number: 3, lost: 2 } })
    expect(readCopyNote(folder)).toMatchObject({ number: 3 })
  })

  test.each<[string, Partial<CopyLine>, ReasonCode]>([
    ['that cannot be reached', { state: async () => err('remote_unavailable') }, 'remote_unavailable'],
    ['that is full', { announce: async () => err('storage_full') }, 'storage_full'],
    ['that fails at a chunk', { put: async () => err('storage_failed') }, 'storage_failed'],
    ['that lacks a chunk', { commit: async () => err('copy_incomplete') }, 'copy_incomplete'],
  ])('to an edge %s does not count, and leaves nothing behind at home', async (_name, over, code) => {
    const folder = home()
    const there = edge()
    expect(await reasonOf(copyTo(folder, { line: { ...there.line, ...over } }))).toBe(code)
    expect(there.generations).toEqual([])
    expect(readCopyNote(folder)).toBeNull()
    expect(() => readFileSync(folder.file('copy-tmp'))).toThrow('ENOENT')
  })

  test('of a damaged store is refused, so that it does not displace a good one', async () => {
    const folder = home()
    writeFileSync(folder.file('secrets.sqlite'), 'x'.repeat(9_000))
    const there = edge()
    expect(await reasonOf(copyTo(folder, there))).toBe('record_malformed')
    expect(there.puts).toEqual([])
  })
})

describe('fetching a copy detects', () => {
  const first = ({ chunks }: Edge) => [...chunks.keys()] as [string, string]
  const TAMPERED: readonly (readonly [string, (there: Edge) => void, ReasonCode])[] = [
    ['nothing is there', ({ generations }) => generations.splice(0), 'nothing_found'],
    ['a chunk is gone', (there) => there.chunks.delete(first(there)[0]), 'nothing_found'],
    [
      'a bit is changed',
      (there) => {
        const bytes = there.chunks.get(first(there)[0]) ?? new Uint8Array()
        bytes[100] = (bytes[100] ?? 0) ^ 1
      },
      'record_unreadable',
    ],
    [
      'a chunk stands in for another',
      (there) => {
        const [a, b] = first(there)
        there.chunks.set(a, there.chunks.get(b) ?? new Uint8Array())
      },
      'record_unreadable',
    ],
    [
      'chunks are in another order',
      ({ generations }) => generations[0]?.chunks.reverse(),
      'record_unreadable',
    ],
    ['a chunk is left out', ({ generations }) => generations[0]?.chunks.pop(), 'record_unreadable'],
    [
      'an older one is passed off as a newer',
      ({ generations }) => generations.splice(0, 1, { ...(generations[0] as CopyGeneration), number: 9 }),
      'record_unreadable',
    ],
  ]
  test.each(TAMPERED)('%s', async (_name, tamper, code) => {
    const there = edge()
    await copyTo(home(), there)
    tamper(there)
    expect(await reasonOf(back(there))).toBe(code)
  })

  test('another phrase, which opens nothing', async () => {
    const there = edge()
    await copyTo(home(), there)
    const others = createCopyKeys(storeKey(new Uint8Array(32).fill(6), 'replica'), randomOfNode)
    expect(await reasonOf(back(there, others))).toBe('record_unreadable')
  })
})

test('the recovery key depends on the master key only', () => {
  const signer = recoverySigner(recoverySeed(MASTER))
  expect(recoverySigner(recoverySeed(MASTER)).publicKey).toBe(signer.publicKey)
  expect(recoverySigner(recoverySeed(new Uint8Array(32).fill(6))).publicKey).not.toBe(signer.publicKey)
  expect(CHUNK_BYTES + 40).toBe(MAX_SEALED_BYTES)
})

describe('a copy is due', () => {
  const T = 1_000_000_000_000
  const never = { now: T, copiedAt: T - DAILY / 2, changedAt: 0, dirtySince: null, failedAt: null }
  test.each<[string, Partial<typeof never> | { dirtySince: number; changedAt: number }, number]>([
    ['nothing changed: once a day', {}, T + DAILY / 2],
    ['there was none yet: now', { copiedAt: null as never }, DAILY],
    ['something changed: when it has settled', { changedAt: T - 5, dirtySince: T - 5 }, T - 5 + SETTLED],
    ['it never settles: at the latest', { changedAt: T, dirtySince: T - AT_LATEST }, T],
    ['the clock was wrong: now', { copiedAt: T + DAILY }, DAILY],
  ])('%s', (_name, over, due) => {
    expect(copyDueAt({ ...never, ...over })).toBe(due)
  })
  test('after a failure, only later', () => {
    expect(copyDueAt({ ...never, changedAt: T - SETTLED, dirtySince: T - SETTLED, failedAt: T })).toBe(
      T + RETRY_AFTER,
    )
  })
})

describe('the unattended job', () => {
  function job(outcomes: readonly Result<MadeCopy>[]) {
    const folder = home()
    const clock = { now: 1_800_000_000_000 }
    const left = [...outcomes]
    const notes: ReasonFacts[] = []
    const runs: number[] = []
    const touch = (): void => utimesSync(folder.file('home.sqlite'), clock.now / 1_000, clock.now / 1_000)
    const tick = createCopyTick(
      {
        folder,
        now: () => clock.now,
        async run() {
          runs.push(clock.now)
          const made = left.shift() ?? ok({ number: 1, lost: null })
          if (made.ok) writeFileSync(folder.file('copies.json'), JSON.stringify({ number: 1, at: clock.now }))
          return made
        },
        note: (facts) => notes.push(facts),
        fault: () => undefined,
      },
      new AbortController().signal,
    )
    return { tick, clock, notes, runs, touch }
  }

  test('copies minutes after a change, once for all changes, and not before the next', async () => {
    const { tick, clock, runs, touch } = job([])
    touch()
    await tick.tick()
    expect(runs).toEqual([])
    clock.now += SETTLED
    await tick.tick()
    await tick.tick()
    expect(runs).toHaveLength(1)
    clock.now += AT_LATEST
    await tick.tick()
    expect(runs).toHaveLength(1)
    touch()
    await tick.tick()
    clock.now += SETTLED
    await tick.tick()
    expect(runs).toHaveLength(2)
    clock.now += DAILY
    await tick.tick()
    expect(runs).toHaveLength(3)
  })

  test('reports since when the edge is unreachable, audits it once, and retries later', async () => {
    const dead = err('remote_unavailable')
    const { tick, clock, notes, runs, touch } = job([dead, dead, err('storage_full')])
    touch()
    clock.now += SETTLED
    const since = new Date(clock.now).toISOString()
    await tick.tick()
    await tick.tick()
    expect(runs).toHaveLength(1)
    clock.now += RETRY_AFTER
    await tick.tick()
    expect(tick.status()).toEqual({
      copies: 'none yet',
      copiesTrouble: 'remote_unavailable',
      copiesFailingSince: since,
    })
    clock.now += RETRY_AFTER
    await tick.tick()
    expect(tick.status()).toMatchObject({ copiesTrouble: 'storage_full', copiesFailingSince: since })
    expect(notes.map(({ code }) => code)).toEqual(['remote_unavailable', 'storage_full'])
    clock.now += RETRY_AFTER
    await tick.tick()
    expect(tick.status()).toEqual({
      copies: new Date(clock.now).toISOString(),
      copiesTrouble: null,
      copiesFailingSince: null,
    })
    expect(runs).toHaveLength(4)
  })

  test('audits a copy that the edge lost', async () => {
    const { tick, clock, notes, touch } = job([ok({ number: 8, lost: 7 })])
    touch()
    clock.now += SETTLED
    await tick.tick()
    expect(notes).toEqual([{ of: 'copies', code: 'record_stale', generation: 7 }])
  })

  test('does nothing without an edge or a phrase, and says so', async () => {
    const folder = home()
    const off = { off: 'backup_setup.copies_no_edge' } as const
    const input = { folder, now: () => 1, run: off, note: () => undefined, fault: () => undefined }
    const tick = createCopyTick(input, new AbortController().signal)
    expect(await tick.tick()).toBeNull()
    expect(await reasonOf(tick.copyNow())).toBe('tool_unavailable')
    expect(tick.status()).toMatchObject({ copies: 'off: no edge is configured' })
  })
})

test.each([
  ['no JSON', 'not JSON', 'record_malformed'],
  ['another document', '{}', 'record_malformed'],
  ['a format that is no number', '{"format":"a"}', 'record_malformed'],
  ['a later format', '{"format":2}', 'version_incompatible'],
])('a manifest that opens and is %s is refused with a sentence', (_name, plain, code) => {
  const place = manifestPlace(3, ['a'.repeat(64)])
  const manifest = Buffer.from(keys.seal(place, Buffer.from(plain))).toString('base64url')
  const opened = openManifest(keys, { number: 3, chunks: ['a'.repeat(64)], manifest })
  expect(opened).toMatchObject({ ok: false, reason: { code } })
})
