/**
 * Days of jobs with the clock moved, in the real pipeline and with their tools: every job that ships, one that a model words, two that are written to a page as
 * well, reminders, one of them put off each day, and what became of each time. `croner` says which times there should have been. Called by main.ts and by the
 * sample in test/jobs/month.test.ts.
 */
import { Cron } from 'croner'
import {
  CHORE_NAMES,
  CHORES,
  type ChoreName,
  lookAtChore,
} from '../../kernel/features/housekeeping/chores.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { world } from '../pipeline/job-world.ts'
import { READS } from '../pipeline/worded-world.ts'
import { scriptedModel, type World } from '../pipeline/world.ts'
import type { Page } from './servers.ts'
import { type Month, servicesOf } from './services.ts'

const DAY = 86_400_000
const ZONE = 'Europe/Madrid'

interface Asked {
  readonly said: string
  /** The same times, for the oracle; absent where it is refused. */
  readonly cron?: string
  readonly zone?: string
  /** It reads mail, which is away on some mornings; no other run may fail. */
  readonly mail?: true
}

const WORDED = 'every day at 5:30pm summarise the newsletters of the week'

/** Of each job that ships how it is asked for, one that a model words, and some in the owner's words at the edges of months. `{feed}`: an address. */
const JOBS: readonly Asked[] = [
  { said: 'start the morning briefing', cron: '0 8 * * 1-5' },
  { said: 'start the evening review', cron: '0 18 * * 1-5' },
  { said: 'check my mail hourly', cron: '0 * * * *', zone: 'UTC', mail: true },
  { said: 'check github every 6 hours between 1 and 19', cron: '0 1,7,13,19 * * *' },
  { said: 'start the moltbook check', cron: '0 8,14,20 * * *' },
  { said: 'start the bluesky digest', cron: '30 8 * * *' },
  { said: 'start the twitter digest of @nasa', cron: '30 7 * * *', zone: 'UTC' },
  { said: 'start the slack check', cron: '0 12,16 * * 1-5' },
  { said: 'start the web3 jobs digest of {feed}', cron: '0 10 * * 5' },
  { said: 'cron 30 9 31 * *: tell me what mail is unread', cron: '30 9 31 * *' },
  { said: 'cron 15 9 29 2 *: tell me what mail is unread', cron: '15 9 29 2 *' },
  { said: 'every month on the last day at noon tell me my unread mail', cron: '0 12 L * *' },
  { said: 'every month on the last friday and at noon tell me my unread mail', cron: '0 12 * * 5#L' },
  { said: 'every day at noon until whenever tell me my unread mail' },
  { said: 'start the surf forecast', cron: '0 4 * * *', zone: 'UTC' },
  { said: 'start the crypto digest', cron: '0 11 * * *' },
  { said: 'start the daily health digest', cron: '0 10 * * *' },
  { said: 'start the weekly health digest', cron: '0 10 * * 1' },
  { said: 'start the monthly health digest', cron: '0 10 1 * *' },
  { said: 'start the oura digest', cron: '0 10 * * *' },
  { said: WORDED, cron: '30 17 * * *' },
]

/** Jobs that are written to a page of Notion as well, each of them told every day. */
const WRITTEN: readonly { readonly said: string; readonly job: string; readonly page: Page }[] = [
  {
    said: 'write the twitter digest to my Notion page Reading too',
    ...{ job: 'start the twitter digest of @nasa', page: 'Reading' },
  },
  {
    said: 'write the crypto digest to my Notion page Prices too',
    ...{ job: 'start the crypto digest', page: 'Prices' },
  },
]

/** Plans the worded job alone, and words what was read for it. */
const MODEL = scriptedModel('own', ({ parts, user }) => {
  if (parts.purpose !== 'plan') return 'The newsletters of these days, in short.'
  return JSON.stringify({ steps: user.includes('newsletters') ? READS : [], explanation: '' })
})

/** Reminders that come again, by a word that no other text has. `later`: what is said each time it comes, but for what came of that. */
const REMINDERS: readonly (Asked & { readonly word: string; readonly later?: PutOff })[] = [
  { said: 'remind me every day at 9:10 to water the plants', word: 'water the plants', cron: '10 9 * * *' },
  {
    said: 'remind me every day at 16:20 to close the books',
    word: 'close the books',
    cron: '20 16 * * *',
  },
  {
    said: 'remind me every day at 15:05 to ring the plumber',
    ...{ word: 'ring the plumber', cron: '5,45 15 * * *', later: { minute: 5, said: 'in 40 minutes' } },
  },
]

interface PutOff {
  readonly minute: number
  readonly said: string
}

export interface Row {
  readonly said: string
  /** Times by the oracle, and those that have a row. */
  readonly scheduled: number
  readonly run: number
  readonly delivered: number
  readonly quiet: number
  readonly other: number
  /** Times that have no row, rows that have no time, and texts that came twice; none of them is right. */
  readonly wrong: readonly string[]
  /** What was said where it was not set. */
  readonly refused: string | null
  /** What it told last. */
  readonly last?: string
}

async function allowHealth({ ports, shell }: World): Promise<void> {
  const by = { principal: OWNER_PRINCIPAL, place: 'home' } as const
  const asked = await ports.compartments.allow({ ...by, message: 'ask-terminal' }, 'terminal', 'health')
  if (!asked.ok) throw new Error(asked.reason.code)
  const { approval } = asked.value
  await shell.decide({ ...by, approval, decision: 'approve', message: 'yes-terminal' })
}

/** `from`: epoch milliseconds, at a midnight of UTC. */
export async function simulate(from: number, days: number): Promise<readonly Row[]> {
  const time = { now: from }
  const month = await servicesOf({ from, days, now: () => time.now })
  try {
    return await simulateIn(month, time, { from, days })
  } finally {
    await month.close()
  }
}

async function simulateIn(
  month: Month,
  time: { now: number },
  { from, days }: { readonly from: number; readonly days: number },
): Promise<readonly Row[]> {
  const of = world({ ...month.options, models: [MODEL] })
  const tick = async (at: number): Promise<void> => {
    time.now = at
    of.clock.now = at
    await of.shell.tick()
  }
  await tick(from - 60 * 60_000)
  await allowHealth(of)
  const asked: { readonly job: Asked; readonly id: string | null; readonly heard: string }[] = []
  for (const job of JOBS) {
    const before = new Set(of.disk.store.jobs().map(({ id }) => id))
    await of.say(job.said.replace('{feed}', month.feed))
    const heard = of.heard()
    await tick(of.clock.now + 1_000)
    if (of.disk.store.pendingApprovals(null).length > 0) await of.say('yes')
    const made = of.disk.store.jobs().find(({ id, state }) => state === 'on' && !before.has(id))
    asked.push({ job, id: made?.id ?? null, heard })
  }
  for (const { said } of WRITTEN) {
    await of.say(said)
    await tick(of.clock.now + 1_000)
    await of.say('yes')
  }
  for (const { said } of REMINDERS) await of.say(said)
  const until = from + days * DAY
  const came: Came[] = []
  const did: Came[] = []
  const looks = new Map<ChoreName, number>()
  const look = async (name: ChoreName): Promise<void> => {
    const run = async () => ok(did.push({ what: name, at: time.now }))
    looks.set(name, await lookAtChore(of.powers, name, run))
  }
  for (const name of CHORE_NAMES) await look(name)
  const nextOf = (): number =>
    Math.min(
      of.disk.store.nextJob() ?? Infinity,
      ...of.disk.store.openReminders(OWNER_PRINCIPAL, 'reminder').map(({ due }) => due ?? Infinity),
      ...looks.values(),
    )
  for (let at = nextOf(); at < until; at = nextOf()) {
    const before = of.sent.length
    await tick(Math.max(at, of.clock.now))
    // A briefing names them, too.
    for (const { text } of of.sent.slice(before).filter(({ task }) => task === null))
      for (const { word, later } of REMINDERS.filter((one) => text.includes(one.word))) {
        came.push({ what: word, at })
        if (later?.minute === new Date(at).getUTCMinutes()) await of.say(later.said)
      }
    for (const [name, when] of looks) if (when <= at) await look(name)
    if (nextOf() === at) throw new Error(`${new Date(at).toISOString()} is not taken`)
  }
  return [
    ...asked.map((one) => rowOf(of, one, { from, until })),
    ...WRITTEN.flatMap(({ said, job: written, page }) =>
      asked
        .filter(({ job }) => job.said === written)
        .map(({ job, id }) =>
          pageRow(of, { job: { ...job, said }, id, added: month.added(page) }, { from, until }),
        ),
    ),
    ...REMINDERS.map((one) =>
      timedRow(
        one,
        came.filter(({ what }) => what === one.word),
        { from, until },
      ),
    ),
    ...CHORE_NAMES.map((name) => {
      const one = { said: `housekeeping: ${name}`, cron: CHORES[name] }
      return {
        ...timedRow(
          one,
          did.filter(({ what }) => what === name),
          { from, until },
        ),
        delivered: 0,
      }
    }),
  ]
}

interface Came {
  readonly what: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Of what has no row of a job: each time once, and at its time. */
function timedRow(
  asked: Asked,
  came: readonly Came[],
  { from, until }: { readonly from: number; readonly until: number },
): Row {
  const times = timesOf(asked, from, until)
  const all = came.map(({ at }) => at).filter((at) => at >= from)
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    ...{
      said: asked.said,
      scheduled: times.length,
      run: all.length,
      delivered: all.length,
      quiet: 0,
      other: 0,
    },
    wrong: [
      ...times.filter((at) => !all.includes(at)).map((at) => `not at: ${iso(at)}`),
      ...all
        .filter((at, nth) => !times.includes(at) || all.indexOf(at) !== nth)
        .map((at) => `no time: ${iso(at)}`),
    ],
    refused: null,
  }
}

function rowOf(
  of: World,
  { job, id, heard }: { readonly job: Asked; readonly id: string | null; readonly heard: string },
  { from, until }: { readonly from: number; readonly until: number },
): Row {
  const runs = runsOf(of, id, from)
  const times = id === null || job.cron === undefined ? [] : timesOf(job, from, until)
  const rows = runs.map(({ scheduled }) => scheduled)
  const tasks = runs.flatMap(({ task }) => (task === null ? [] : [task]))
  const texts = of.sent.filter(({ task }) => task !== null && tasks.includes(task))
  const sent = texts.map(({ id: text }) => text)
  const count = (is: (run: (typeof runs)[number]) => boolean): number => runs.filter(is).length
  const delivered = count(({ outcome, delivery }) => outcome === 'told' && delivery === 'sent')
  const quiet = count(({ outcome }) => outcome === 'quiet')
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    ...{ said: job.said, scheduled: times.length, run: runs.length, delivered, quiet },
    other: runs.length - delivered - quiet,
    wrong: [
      ...times.filter((at) => !rows.includes(at)).map((at) => `no row: ${iso(at)}`),
      ...rows.filter((at) => !times.includes(at)).map((at) => `no time: ${iso(at)}`),
      ...sent.filter((text, nth) => sent.indexOf(text) !== nth).map((text) => `twice: ${text}`),
      ...runs
        .filter(({ code }) => code !== null && job.mail !== true)
        .map(({ scheduled, code }) => `failed, or a part of it: ${iso(scheduled)} ${code}`),
      ...(id === null && job.cron !== undefined ? [heard] : []),
      ...(id !== null && job.cron === undefined ? ['set'] : []),
    ],
    refused: id === null ? (heard.split('\n')[0] ?? '') : null,
    last: texts.at(-1)?.text ?? '',
  }
}

const runsOf = ({ disk: { store } }: World, id: string | null, from: number) =>
  id === null ? [] : store.runsOf(id, 10_000).filter(({ scheduled }) => scheduled >= from)

/** Of a job's page: each time stands on it once. `added`: how often its service was asked to add to it. */
function pageRow(
  of: World,
  { job, id, added }: { readonly job: Asked; readonly id: string | null; readonly added: number },
  { from, until }: { readonly from: number; readonly until: number },
): Row {
  const runs = runsOf(of, id, from)
  const written = runs.filter(({ page }) => page === 'written').map(({ scheduled }) => scheduled)
  const times = timesOf(job, from, until)
  return {
    ...{ said: job.said, scheduled: times.length, run: runs.length, delivered: written.length, quiet: 0 },
    other: runs.length - written.length,
    wrong: [
      ...times
        .filter((at) => !written.includes(at))
        .map((at) => `not on its page: ${new Date(at).toISOString()}`),
      ...(added === written.length ? [] : [`added to the page ${added} times`]),
    ],
    refused: null,
  }
}

function timesOf({ cron = '', zone = ZONE }: Asked, from: number, until: number): readonly number[] {
  const next = new Cron(cron, { timezone: zone, paused: true })
  const times: number[] = []
  for (let at = next.nextRun(new Date(from - 1)); at !== null && at.getTime() < until; at = next.nextRun(at))
    times.push(at.getTime())
  return times
}

export function tableOf(rows: readonly Row[]): string {
  const wide = Math.max(...rows.map(({ said }) => said.length))
  const cells = (said: string, values: readonly (string | number)[]): string =>
    `${said.padEnd(wide)}  ${values.map((value) => String(value).padStart(9)).join(' ')}`
  const lines = rows.map(({ said, scheduled, run, delivered, quiet, other, wrong, refused }) =>
    [
      refused === null
        ? cells(said, [scheduled, run, delivered, quiet, other])
        : `${said.padEnd(wide)}  refused: ${refused.slice(0, 90)}`,
      ...wrong.map((what) => `  WRONG ${what}`),
    ].join('\n'),
  )
  return [cells('job', ['scheduled', 'run', 'delivered', 'quiet', 'other']), ...lines].join('\n')
}
