/**
 * Days of jobs on the real pair, of which each has a kill of a place at another step: after so many of its commits that
 * morning, or while a text is on its way to the chat. Every now and then the clock jumps. What is wrong with what became of
 * each time is listed. Called by chaos-jobs.test.ts.
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

/**
 * Before the autumn change of the clocks. A hundred mornings later there were the spring change, a 29 February and four 31sts,
 * too.
 */
const BEGIN = Date.parse('2027-10-28T12:00:00Z')
/** Milliseconds for a look at the log: commits are somewhat further apart. */
const LOOK_EVERY = 1
/** Milliseconds for a look into the databases. */
const LOOK_AT_ROWS = 100
/** Mornings after which it is said how far it is. */
const SAID_EACH = 5
/** Milliseconds in which what comes twice would come. */
const REST = 250
/** Texts that a place sends on a morning, at each of which it is killed in turn. */
const SENT_EACH_DAY = 3

/** How the clock moves besides: four days at once, or a jump back and ahead again once everything was told. */
const JUMPS = { days: 4 * DAY, hour: HOUR, day: DAY } as const
type Jump = keyof typeof JUMPS | null

/** When a place is killed in a morning. */
interface Step {
  /** So many commits after eight, or while the nth text is on its way. */
  readonly at: 'commit' | 'send'
  readonly nth: number
}

interface Morning {
  /** Null where none is killed. */
  readonly steps: Readonly<Record<PlaceName, Step | null>>
  readonly jump: Jump
}

/** What became of a morning at one place. */
export interface Day {
  readonly place: PlaceName
  readonly step: Step | null
  /** It was over before that step came. */
  readonly isLate: boolean
  /** Commits of the place that morning, until it was dead. */
  readonly commits: number
  /** What ran and was told, and times that were said not to be run. */
  readonly told: number
  readonly notRun: number
  /** Texts that came twice, with the words for it. */
  readonly again: number
  readonly wrong: readonly string[]
}

/** `kills`: half of them of each place. */
export async function chaosOfJobs(
  kills: number,
  random: Random,
  say: (line: string) => void,
): Promise<readonly Day[]> {
  const pair = await startJobsPair(BEGIN)
  try {
    const mornings = createMornings(pair)
    const calm = await mornings.come({ steps: { home: null, edge: null }, jump: null })
    const days: Day[] = [...calm]
    const commitsAt = (place: PlaceName): number => calm.find((day) => day.place === place)?.commits ?? 0
    const each = kills / PLACES.length
    const [home, edge] = PLACES.map((place) => stepsOf(each, commitsAt(place), random.fork(place)))
    for (let nth = 0; nth < each; nth += 1) {
      const morning = { steps: { home: home?.[nth] ?? null, edge: edge?.[nth] ?? null }, jump: jumpOf(nth) }
      const came = await mornings.come(morning)
      days.push(...came)
      for (const wrong of came.flatMap((day) => day.wrong)) say(`${JSON.stringify(morning)}: ${wrong}`)
      if (nth % SAID_EACH === SAID_EACH - 1) say(soFar(days, kills))
    }
    return days
  } finally {
    await pair.close()
  }
}

function soFar(days: readonly Day[], kills: number): string {
  const sum = (count: (day: Day) => number): number => days.reduce((all, day) => all + count(day), 0)
  const counts = {
    told: sum(({ told }) => told),
    notRun: sum(({ notRun }) => notRun),
    again: sum(({ again }) => again),
  }
  const done = days.filter(({ step }) => step !== null).length
  return `${done} of ${kills} kills: ${JSON.stringify({ ...counts, wrong: sum(({ wrong }) => wrong.length) })}`
}

/** A quarter while a text is on its way; the others lie at every step of a morning, in an order of the seed. */
function stepsOf(count: number, commits: number, random: Random): readonly Step[] {
  const atSends = Math.ceil(count / 4)
  return random.shuffle([
    ...Array.from({ length: atSends }, (_, n) => ({ at: 'send' as const, nth: 1 + (n % SENT_EACH_DAY) })),
    ...Array.from({ length: count - atSends }, (_, n) => ({
      at: 'commit' as const,
      nth: 1 + Math.floor((n * commits) / (count - atSends)),
    })),
  ])
}

function jumpOf(nth: number): Jump {
  if (nth % 5 === 3) return 'days'
  if (nth % 10 === 5) return 'hour'
  return nth % 10 === 9 ? 'day' : null
}

function createMornings(pair: JobsPair) {
  /** Everything until then was judged, epoch milliseconds. */
  let judged = pair.clock.now()
  return {
    async come({ steps, jump }: Morning): Promise<readonly Day[]> {
      const { zone = 'UTC' } = pair.kept('home').jobs[0] ?? {}
      const first = eightAfter(judged, zone)
      const now = jump === 'days' ? eightAfter(first + JUMPS.days - DAY - HOUR, zone) : first
      const looked = PLACES.map((place) => ({
        place,
        seen: seenIn(pair, place),
        commits: pair.commits(place),
      }))
      await pair.clock.set(now + SECOND)
      const struckAt = await Promise.all(looked.map((look) => strike(pair, steps[look.place], look)))
      const stuck = await settled(pair, now)
      if (jump === 'hour' || jump === 'day') {
        await pair.clock.jump(-JUMPS[jump])
        await pause(REST)
        await pair.clock.jump(JUMPS[jump])
      }
      await pause(REST)
      const days = looked.map(({ place, seen, commits }, at) => {
        const { told, notRun, again, wrong } = judge(pair, {
          place,
          zone,
          from: judged,
          to: now,
          before: seen,
        })
        const struck = struckAt[at] ?? { isLate: false, commits: commits() }
        const counts = { told: told.length, notRun: notRun.length, again: again.length }
        return { place, step: steps[place], ...struck, ...counts, wrong: [...stuck, ...wrong] }
      })
      judged = now + SECOND
      return days
    },
  }
}

/** Null where it is not killed. */
async function strike(
  pair: JobsPair,
  step: Step | null,
  { place, commits }: { readonly place: PlaceName; readonly commits: () => number },
): Promise<Pick<Day, 'isLate' | 'commits'> | null> {
  if (step === null) return null
  const isLate = !(await struck(pair, place, step, commits))
  const killed = pair.kill(place)
  const atDeath = commits()
  await killed
  return { isLate, commits: atDeath }
}

/** False where everything had been told before. */
async function struck(
  { bot, kept }: JobsPair,
  place: PlaceName,
  { at, nth }: Step,
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

/** Milliseconds for what a kill left, on a busy machine, where the edge starts anew and asks for its alarms. */
const COMES_TO_REST = 2 * SOON
/** Milliseconds until a morning is taken to be over before its step. */
const PATIENCE = 3_000

/** What is not so in the end. */
async function settled({ kept }: JobsPair, now: number): Promise<readonly string[]> {
  const isDone = (place: PlaceName): boolean => {
    const { jobs, reminders, open } = kept(place)
    return open === 0 && jobs.every(({ due }) => due > now) && reminders.every((due) => due > now)
  }
  const end = Date.now() + COMES_TO_REST
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
