/**
 * Jobs of home and of the edge while either is killed at each step of its morning, and the clock jumps (G-02 – G-08, Q-14, Q-19): each time runs exactly
 * once or is said to be not run, nothing is lost, and nothing comes twice without being said so. A sample; `npm run soak -- --only jobs` has 200 kills.
 * The seed is printed; PFAR_CHAOS_SEED runs it again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soaked } from '../kit/soak.ts'
import { chaosOfJobs, type Day, type JobsChaos } from './chaos-jobs.ts'
import { PLACES } from './chaos-jobs-pair.ts'
import { chosenSeed, createRandom } from './chaos-random.ts'

const RUNS = soaked({ sample: 4, whole: 200 })
/** Milliseconds for a start, and for each day on a busy machine. */
const PATIENCE = 120_000 + RUNS * 30_000

const seed = chosenSeed()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
let seen: JobsChaos

beforeAll(async () => {
  print(`jobs: PFAR_CHAOS_SEED=${seed}`)
  seen = await chaosOfJobs(RUNS, createRandom(seed), print)
}, PATIENCE)
afterAll(() => print(tableOf(seen)))

test('each time ran once or was said to be not run, and nothing came twice unsaid', () => {
  expect(seen.days.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(seen.days).toHaveLength(RUNS + 1)
})

test.each(PLACES)('it was killed in the middle of its work: %s', (place) => {
  const killed = seen.days.filter(({ step, isLate }) => step?.place === place && !isLate)
  expect(killed.length).toBeGreaterThan(RUNS / 4)
  expect(killed.some(({ step }) => step?.at === 'send')).toBe(true)
})

function tableOf({ days, commits }: JobsChaos): string {
  const row = (name: string, of: readonly Day[]): string => {
    const count = (what: 'told' | 'notRun' | 'again'): number => of.reduce((all, day) => all + day[what], 0)
    const wrong = of.reduce((all, day) => all + day.wrong.length, 0)
    const cells = [of.length, new Set(of.map((day) => day.commits)).size, count('told'), count('notRun')]
    return `${name.padEnd(28)}${[...cells, count('again'), wrong].map((cell) => String(cell).padStart(9)).join('')}`
  }
  const heads = ['days', 'steps', 'told', 'not run', 'twice', 'wrong']
    .map((head) => head.padStart(9))
    .join('')
  const rows = PLACES.flatMap((place) =>
    (['commit', 'send'] as const).map((at) =>
      row(
        `${place}, at a ${at}`,
        days.filter(({ step }) => step?.place === place && step.at === at),
      ),
    ),
  )
  const calm = row(
    'no kill',
    days.filter(({ step }) => step === null),
  )
  const of = PLACES.map((place) => `${commits[place]} at ${place === 'home' ? 'home' : 'the edge'}`)
  return [
    `${' '.repeat(28)}${heads}`,
    calm,
    ...rows,
    row('all', days),
    `commits of a morning: ${of.join(', ')}`,
  ].join('\n')
}
