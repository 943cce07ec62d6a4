/**
 * Days of jobs on the real pair, of which each has a kill of a place at another step: after so many of its commits that morning, or while a text
 * is on its way to the chat. Every now and then the clock jumps. What is wrong with what became of each time is listed. Called by chaos-jobs.test.ts.
 */
import { Cron } from 'croner'
import { tell } from '../../kernel/wording/words.ts'
import { pause } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { COMES, type JobsPair, type Kept, PLACES, type PlaceName, startJobsPair } from './chaos-jobs-pair.ts'
import type { Random } from './chaos-random.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** Before the autumn change of the clocks of 2027. Eight months later there were both changes, seven 31sts and a 29 February. */
const BEGIN = Date.parse('2027-10-20T12:00:00Z')
/** Milliseconds for a look at the log: commits are somewhat further apart. */
const LOOK_EVERY = 1
/** Milliseconds for a look into the databases. */
const LOOK_AT_ROWS = 100
/** Milliseconds in which what comes twice would come. */
const REST = 250
/** Texts that a place sends on a morning, at each of which it is killed in turn. */
const SENT_EACH_DAY = 3

/** How the clock moves besides: three days at once, or a jump back and ahead again once everything was told. */
const JUMPS = { days: 3 * DAY, hour: HOUR, day: DAY } as const

export interface Step {
  readonly place: PlaceName
  /** So many commits after eight, or while the nth text is on its way. */
  readonly at: 'commit' | 'send'
  readonly nth: number
  readonly jump: keyof typeof JUMPS | null
}

export interface Day {
  readonly step: Step | null
  /** It was over before that step came. */
  readonly isLate: boolean
  /** Commits of the killed place when it was dead. */
  readonly commits: number
  /** Times that ran and were told, and those that were said not to be run. */
  readonly told: number
  readonly notRun: number
  /** Texts that came twice, with the words for it. */
  readonly again: number
  readonly wrong: readonly string[]
}

export interface JobsChaos {
  readonly days: readonly Day[]
  /** Commits of a morning without a kill. */
  readonly commits: Readonly<Record<PlaceName, number>>
}

/** `runs`: days with a kill. */
export async function chaosOfJobs(
  runs: number,
  random: Random,
  say: (line: string) => void,
): Promise<JobsChaos> {
  const pair = await startJobsPair(BEGIN)
  try {
    const state = createMornings(pair)
    const calm = { home: pair.commits('home'), edge: pair.commits('edge') }
    const days: Day[] = [await state.morning(null)]
    const commits = { home: calm.home(), edge: calm.edge() }
    for (const [nth, step] of stepsOf(runs, commits, random).entries()) {
      const day = await state.morning(step)
      days.push(day)
      for (const wrong of day.wrong) say(`day ${nth + 1}, ${JSON.stringify(step)}: ${wrong}`)
    }
    return { days, commits }
  } finally {
    await pair.close()
  }
}

/** By turns of each place; over all days the kills lie at every step of a morning, in an order of the seed. */
function stepsOf(runs: number, commits: JobsChaos['commits'], random: Random): readonly Step[] {
  const each = Math.ceil(runs / PLACES.length)
  const atSends = Math.ceil(each / 4)
  const of = (place: PlaceName): readonly Pick<Step, 'place' | 'at' | 'nth'>[] =>
    random.shuffle([
      ...Array.from({ length: atSends }, (_, n) => ({
        place,
        at: 'send' as const,
        nth: 1 + (n % SENT_EACH_DAY),
      })),
      ...Array.from({ length: each - atSends }, (_, n) => ({
        ...{ place, at: 'commit' as const },
        nth: 1 + Math.floor((n * commits[place]) / (each - atSends)),
      })),
    ])
  const [home, edge] = [of('home'), of('edge')]
  return home
    .flatMap((step, n) => [step, ...(edge[n] === undefined ? [] : [edge[n]])])
    .slice(0, runs)
    .map((step, n) => ({ ...step, jump: jumpOf(n) }))
}

function jumpOf(n: number): Step['jump'] {
  if (n % 10 === 3) return 'days'
  if (n % 10 === 6) return 'hour'
  return n % 10 === 9 ? 'day' : null
}

function createMornings(pair: JobsPair) {
  /** Everything until then was judged, epoch milliseconds. */
  let judged = pair.clock.now()
  return {
    async morning(step: Step | null): Promise<Day> {
      const { zone = 'UTC' } = pair.kept('home').jobs[0] ?? {}
      const first = eightAfter(judged, zone)
      const jump = step?.jump ?? null
      const now = jump === 'days' ? eightAfter(first + JUMPS.days - DAY - HOUR, zone) : first
      const before = { home: seenIn(pair, 'home'), edge: seenIn(pair, 'edge') }
      const counts = step === null ? null : pair.commits(step.place)
      await pair.clock.set(now + SECOND)
      const isLate = step !== null && !(await struck(pair, step, counts ?? (() => 0)))
      const commits = counts?.() ?? 0
      if (step !== null) await pair.kill(step.place)
      const stuck = await settled(pair, now)
      if (jump === 'hour' || jump === 'day') {
        await pair.clock.jump(-JUMPS[jump])
        await pause(REST)
        await pair.clock.jump(JUMPS[jump])
      }
      await pause(REST)
      const found = PLACES.map((place) =>
        judge(pair, { place, zone, from: judged, to: now, before: before[place] }),
      )
      judged = now + SECOND
      const all = <Value>(of: (one: Judged) => readonly Value[]): readonly Value[] => found.flatMap(of)
      return {
        ...{ step, isLate, commits },
        told: all(({ told }) => told).length,
        notRun: all(({ notRun }) => notRun).length,
        again: all(({ again }) => again).length,
        wrong: [...stuck, ...all(({ wrong }) => wrong)],
      }
    },
  }
}

/** False where everything had been told before. */
async function struck(
  { bot, kept }: JobsPair,
  { place, at, nth }: Step,
  commits: () => number,
): Promise<boolean> {
  const began = Date.now()
  const isOver = (): boolean => Date.now() - began > PATIENCE && kept(place).open === 0
  if (at === 'commit') {
    while (commits() < nth) {
      if (isOver()) return false
      await pause(LOOK_EVERY)
    }
    return true
  }
  const telegram = bot(place)
  telegram.order({ stall: 'sendMessage' })
  try {
    for (let on = 1; ; on += 1) {
      while (telegram.stalled() === 0) {
        if (isOver()) return false
        await pause(LOOK_EVERY)
      }
      if (on === nth) return true
      // That one goes, and the next one is held.
      telegram.order({ stall: null })
      telegram.order({ stall: 'sendMessage' })
    }
  } finally {
    // Those that are held are done as soon as their asker is dead.
    telegram.order({ stall: '' })
  }
}

/** Milliseconds until a morning is taken to be over before its step. */
const PATIENCE = 3_000

/** What is not so in the end. */
async function settled({ kept }: JobsPair, now: number): Promise<readonly string[]> {
  const isDone = (place: PlaceName): boolean => {
    const { jobs, reminders, open } = kept(place)
    return open === 0 && jobs.every(({ due }) => due > now) && reminders.every((due) => due > now)
  }
  const end = Date.now() + SOON
  while (!PLACES.every(isDone) && Date.now() < end) await pause(LOOK_AT_ROWS)
  return PLACES.filter((place) => !isDone(place)).map((place) => `${place} does not come to an end`)
}

interface Judging {
  readonly place: PlaceName
  readonly zone: string
  readonly from: number
  readonly to: number
  /** Ids of what stood there before. */
  readonly before: ReadonlySet<number>
}

interface Judged {
  readonly told: readonly string[]
  readonly notRun: readonly string[]
  readonly again: readonly string[]
  readonly wrong: readonly string[]
}

/** Each time against what the place keeps of it and what its chat got. */
function judge(pair: JobsPair, { place, zone, from, to, before }: Judging): Judged {
  const texts = pair.standing(place).flatMap(({ id, text }) => (before.has(id) ? [] : [text]))
  const { jobs, runs }: Kept = pair.kept(place)
  const times = eights(from, to, zone)
  const last = times.at(-1) ?? 0
  const named = (at: number): string => new Date(at).toISOString()
  const wrong: string[] = []
  const notRun: string[] = []
  for (const { id, template } of jobs) {
    const own = runs.filter(({ job, scheduled }) => job === id && scheduled > from && scheduled <= to)
    for (const at of times) {
      const [row] = own.filter(({ scheduled }) => scheduled === at)
      const is = row === undefined ? 'no row' : `${row.outcome} ${row.delivery}`
      const wanted = at === last ? 'told sent' : 'missed none'
      if (is !== wanted) wrong.push(`${place} ${template} ${named(at)}: ${is} ${row?.code ?? ''}`)
      if (is === 'missed none') notRun.push(`${template} ${named(at)}`)
    }
    for (const { scheduled } of own)
      if (!times.includes(scheduled)) wrong.push(`${place} ${template}: a row for ${named(scheduled)}`)
  }
  const said = texts.filter((text) => text.startsWith(tell('jobs.not_run')))
  if (notRun.length > 0 && said.length === 0) wrong.push(`${place}: not said of ${notRun.join(', ')}`)
  const marks = texts.filter((text) => text === tell('deliveries.again')).length
  const told: string[] = []
  const again: string[] = []
  for (const [what, { shows }] of [...Object.entries(COMES[place]), NOT_RUN]) {
    const came = texts.filter(
      (text) => shows.test(text) && !(what !== NOT_RUN[0] && said.includes(text)),
    ).length
    if (came === 0 && what !== NOT_RUN[0]) wrong.push(`${place} ${what}: lost`)
    if (came > 0) told.push(what)
    again.push(...Array.from({ length: Math.max(0, came - 1) }, () => what))
  }
  if (again.length > marks) wrong.push(`${place}: twice unsaid: ${again.join(', ')}`)
  return { told, notRun, again, wrong }
}

const NOT_RUN = ['said to be not run', { shows: new RegExp(`^${tell('jobs.not_run')}`) }] as const

function seenIn(pair: JobsPair, place: PlaceName): ReadonlySet<number> {
  return new Set(pair.standing(place).map(({ id }) => id))
}

/** By another program than the one that is tested. */
function eights(from: number, to: number, zone: string): readonly number[] {
  const times: number[] = []
  for (let at = eightAfter(from, zone); at <= to; at = eightAfter(at, zone)) times.push(at)
  return times
}

function eightAfter(at: number, zone: string): number {
  return new Cron('0 8 * * *', { timezone: zone, paused: true }).nextRun(new Date(at))?.getTime() ?? Infinity
}
