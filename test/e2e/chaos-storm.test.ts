/**
 * Tasks of twenty-five people (more than a thousand with `npm run soak`) while frames are lost, repeated, overtaken and
 * delayed, sockets drop and stall, both processes are killed and objects evicted (T-04, T-13, Q-14, Q-17, B-24): every
 * message has exactly one final answer, no write ran twice, everybody's order is kept, and neither memory nor tables grow
 * without bound. The seed is printed; PFAR_CHAOS_SEED runs it again.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { chosenSeed } from './chaos-random.ts'
import { AWAY, answerOf, isLast, type Storm, storm, TASKS } from './chaos-storm.ts'
import type { Said } from './chaos-traffic.ts'

/** Milliseconds for all of it on a busy machine. */
const PATIENCE = 360_000

/** MiB of resident memory that a place may ever have: a leak of a body per task would be seen long before. */
const MOST_MEMORY = { home: 320, workerd: 640 } as const

/** Rows of any one table for each task that was given: one that is written at every beat or attempt has more. */
const MOST_ROWS = 8

const seed = chosenSeed()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
let seen: Storm

beforeAll(async () => {
  print(`chaos: PFAR_CHAOS_SEED=${seed}`)
  seen = await storm(seed)
  print(reportOf(seen))
}, PATIENCE)
afterAll(() => seen?.remove())

const all = ({ strangers, open, own }: Storm): readonly Said[] => [
  ...strangers.flatMap(({ said }) => said),
  ...open.said,
  ...own.said,
]
const finals = (rows: readonly LineDelivery[]): readonly LineDelivery[] =>
  rows.filter((row) => isLast(row) && row.task !== null)

test('every task of the script was given, and everything that can go wrong did', () => {
  expect(new Set(all(seen).map(({ task }) => task)).size).toBe(all(seen).length)
  expect(all(seen).length).toBe(TASKS)
  const { dropped, duplicated, reordered, delayed, cuts, stalls } = seen.frames
  for (const count of [dropped, duplicated, reordered, delayed, cuts, stalls])
    expect(count).toBeGreaterThan(0)
  for (const [blow, count] of Object.entries(seen.blows)) expect([blow, count > 0]).toEqual([blow, true])
})

test('nothing is without an answer', () => {
  expect(seen.unanswered).toEqual([])
})

test.each(['open', 'own'] as const)('nothing was said twice on a line of the owner: %s', (line) => {
  const { said, rows } = seen[line]
  for (const { task } of said)
    expect(
      finals(rows)
        .filter((row) => row.task === task)
        .map(({ text }) => text),
    ).toHaveLength(1)
})

test('an answer that was sent to a stranger again is the same answer', () => {
  for (const { said } of seen.strangers)
    for (const { task } of said) {
      const told = seen.world.told.filter(({ id }) => id.startsWith(`${task}:`))
      expect(new Set(told.map(({ id }) => id))).toEqual(new Set([answerOf(task)]))
      expect(new Set(told.map(({ text }) => text)).size).toBe(1)
    }
})

/** How often it may have been written, when this was said of it. */
function mayBeTold(text: string): readonly number[] {
  if (/cannot tell whether it happened/.test(text)) return [0, 1]
  return /^Booked/.test(text) ? [1] : [0]
}

test('no write ran twice, and what was told of each is true', () => {
  for (const [, times] of seen.world.writes) expect(times).toBe(1)
  const booked = seen.own.said.filter(({ writes }) => writes !== null)
  expect(booked.length).toBeGreaterThan(TASKS / 34)
  for (const { task, writes } of booked) {
    const text = finals(seen.own.rows).find((row) => row.task === task)?.text ?? ''
    const times = seen.world.written(writes ?? '')
    expect([text, times, mayBeTold(text).includes(times)]).toEqual([text, times, true])
  }
})

test('everybody is answered in the order of their messages', () => {
  for (const { user, said } of seen.strangers) {
    const first = seen.world.told.filter(({ sink }) => sink === `sink:whatsapp:${user}`).map(({ id }) => id)
    expect([...new Set(first)]).toEqual(said.map(({ task }) => answerOf(task)))
  }
  expect([overtaken(seen.open), overtaken(seen.own)]).toEqual([[], []])
})

/**
 * Who was answered after somebody who spoke later, without being told why: a booking waits for its approval, and a
 * question to home for home, once the chat was told so; what is said after them does not.
 */
function overtaken({ said, rows }: Storm['open']): readonly string[] {
  const told = rows.find(({ kind, text }) => kind !== 'answer' && text.startsWith(AWAY))?.seq ?? Infinity
  const answered = new Map(finals(rows).map(({ task, seq }) => [task, seq]))
  const asks = said.filter(({ writes }) => writes === null)
  return asks.flatMap(({ task, asksHome }, at) => {
    const mine = answered.get(task) ?? Infinity
    const first = asks.slice(at + 1).map((later) => answered.get(later.task) ?? Infinity)
    const passed = first.filter((seq) => seq < mine)
    return passed.some((seq) => !asksHome || seq < told) ? [task] : []
  })
}

test.each(['home', 'workerd'] as const)('memory is bounded: %s', (place) => {
  expect(seen.memory[place].length).toBeGreaterThan(10)
  expect(Math.max(...seen.memory[place])).toBeLessThan(MOST_MEMORY[place])
})

test('tables are bounded: nothing waits, and there are no more rows than the tasks need', () => {
  const tasks = all(seen).length
  const counts = [countsOf(join(seen.folder, 'home.sqlite')), summed(databasesOf(seen.folder).map(countsOf))]
  expect(counts.map(({ tunnel_out }) => tunnel_out)).toEqual([0, 0])
  for (const place of counts)
    for (const [table, rows] of Object.entries(place))
      expect([table, rows, rows < MOST_ROWS * tasks]).toEqual([table, rows, true])
})

/** Databases of the edge's objects. */
function databasesOf(folder: string): readonly string[] {
  const { edge } = statePaths({ PFAR_HOME: folder })
  return readdirSync(edge, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'))
    .map((entry) => join(entry.parentPath, entry.name))
}

type Counts = Readonly<Record<string, number>>

function countsOf(file: string): Counts {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    return Object.fromEntries(
      tables.map(({ name }) => {
        const row = database.prepare(`select count(*) as n from "${String(name)}"`).get()
        return [String(name), Number(row?.['n'])]
      }),
    )
  } finally {
    database.close()
  }
}

function summed(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {}
  for (const counts of all)
    for (const [table, count] of Object.entries(counts)) sums[table] = (sums[table] ?? 0) + count
  return sums
}

function reportOf({ frames, blows, memory, world, unanswered, ...rest }: Storm): string {
  const most = (sizes: readonly number[]): string =>
    `${Math.round(sizes[0] ?? 0)}→${Math.round(sizes.at(-1) ?? 0)} (most ${Math.round(Math.max(...sizes))}) MiB`
  const counts = (of: object): string =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const said = all({ frames, blows, memory, world, unanswered, ...rest })
  const told = (words: RegExp): number =>
    finals([...rest.open.rows, ...rest.own.rows]).filter(({ text }) => words.test(text)).length
  return [
    `chaos: seed ${seed}: ${said.length} tasks, ${unanswered.length} unanswered, ${world.writes.size} writes`,
    `told: ${told(/cannot tell whether/)} outcomes unknown, ${told(/home box is not connected/)} without home`,
    `frames: ${counts(frames)}`,
    `tunnel up at ${memory.tunnel.filter(Boolean).length} of ${memory.tunnel.length} looks`,
    counts(blows),
    `home ${most(memory.home)}, workerd ${most(memory.workerd)}`,
  ].join('; ')
}
