/**
 * Jobs of home and of the edge while either is killed at each step of its morning, and the clock jumps (G-02 – G-08, Q-14,
 * each time runs exactly once or is said to be not run, nothing is lost, and nothing comes twice without being said so.
 * A sample; `npm run soak -- --only jobs` has 200 kills. The seed is printed; PFAR_CHAOS_SEED runs it again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soaked } from '../kit/soak.ts'
import { chaosOfJobs, type Day } from './chaos-jobs.ts'
import { PLACES } from './chaos-jobs-pair.ts'
import { chosenSeed, createRandom } from './chaos-random.ts'

const KILLS = soaked({ sample: 4, whole: 200 })
/** Milliseconds for a start, and for each day on a busy machine. */
const PATIENCE = 120_000 + KILLS * 30_000

const seed = chosenSeed()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
let seen: readonly Day[] = []

beforeAll(async () => {
  print(`jobs: PFAR_CHAOS_SEED=${seed}`)
  seen = await chaosOfJobs(KILLS, createRandom(seed), print)
}, PATIENCE)
afterAll(() => print(tableOf(seen)))

test('each time ran once or was said to be not run, and nothing came twice unsaid', () => {
  expect(seen.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(seen.filter(({ step }) => step !== null)).toHaveLength(KILLS)
})

test.each(PLACES)('it was killed in the middle of its work: %s', (place) => {
  const killed = seen.filter((day) => day.place === place && day.step !== null && !day.isLate)
  expect(killed.length).toBeGreaterThan(KILLS / 4)
  expect(killed.some(({ step }) => step?.at === 'send')).toBe(true)
})

function tableOf(days: readonly Day[]): string {
  const row = (name: string, of: readonly Day[]): string => {
    const sum = (count: (day: Day) => number): number => of.reduce((all, day) => all + count(day), 0)
    const steps = new Set(of.map(({ commits }) => commits)).size
    const cells = [of.length, steps, sum(({ told }) => told), sum(({ notRun }) => notRun)]
    const wrong = sum((day) => day.wrong.length)
    return [name.padEnd(WIDE), ...[...cells, sum(({ again }) => again), wrong].map(cell)].join('')
  }
  const rows = PLACES.flatMap((place) => {
    const here = days.filter((day) => day.place === place)
    const calm = here.filter(({ step }) => step === null)
    return [
      row(`${place}, not killed, ${calm[0]?.commits ?? 0} commits`, calm),
      ...(['commit', 'send'] as const).map((at) =>
        row(
          `${place}, killed at a ${at}`,
          here.filter(({ step }) => step?.at === at),
        ),
      ),
    ]
  })
  const heads = ['mornings', 'steps', 'told', 'not run', 'twice', 'wrong'].map(cell).join('')
  return [`${' '.repeat(WIDE)}${heads}`, ...rows, row('all', days)].join('\n')
}

const WIDE = 32
const cell = (of: number | string): string => String(of).padStart(10)
