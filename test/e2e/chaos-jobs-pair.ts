/**
 * The real pair with jobs at both places that all come at eight: home, whose bot only it asks for messages, and the edge with
 * its own bot. What is said there, what the places keep of each time, and how either is killed. Holds no expectation. Called by
 * chaos-jobs.ts.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { followCommits } from '../../bench/commits.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { createTestClock, type TestClock } from '../clock/clock.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import type { ScriptedTelegram } from '../fakes/telegram-server.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { killAll, placesOf, SOON } from './chaos-bench.ts'
import { startTwoLines, storeCredential } from './private-bot.ts'

export const PLACES = ['home', 'edge'] as const
export type PlaceName = (typeof PLACES)[number]

/** What comes each day at eight, by words that no other text of that chat begins with or has. */
export const COMES = {
  home: {
    briefing: { said: 'send me the morning briefing every day at 8', shows: /^Morning briefing/ },
    words: { said: "every day at 8 tell me what's on my list", shows: /^(?!Morning)[\s\S]*water the ferns/ },
  },
  edge: {
    briefing: { said: 'send me the morning briefing every day at 8', shows: /^Morning briefing/ },
    words: { said: "every day at 8 tell me what's on my list", shows: /^(?!Morning)[\s\S]*oil the hinges/ },
    reminder: { said: 'remind me every day at 8 to feed the cat', shows: /^(?!Morning)[\s\S]*feed the cat/ },
  },
} as const

const ON_THE_LIST = { home: 'put water the ferns on my list', edge: 'put oil the hinges on my list' } as const
/** How the card of a job begins to be one. */
const CARD = /Do this by myself/

interface KeptRun {
  readonly job: string
  readonly scheduled: number
  readonly outcome: string
  readonly delivery: string
  readonly code: string | null
}

interface KeptJob {
  readonly id: string
  readonly template: string
  readonly zone: string
  readonly state: string
  readonly due: number
}

export interface Kept {
  readonly jobs: readonly KeptJob[]
  readonly runs: readonly KeptRun[]
  /** When each repeated reminder comes next. */
  readonly reminders: readonly number[]
  /** Tasks, runs and queued deliveries that have not ended. */
  readonly open: number
}

export interface JobsPair {
  readonly clock: TestClock
  /** What stands in the chat with a place's bot, oldest first. */
  standing(place: PlaceName): readonly StandingMessage[]
  kept(place: PlaceName): Kept
  /** Commits of a place since this was called, at each look. */
  commits(place: PlaceName): () => number
  /** As the system kills. Resolves when it runs again. */
  kill(place: PlaceName): Promise<void>
  bot(place: PlaceName): ScriptedTelegram
  close(): Promise<void>
}

/** Set by talking and taps, at both places. `at`: epoch milliseconds at which both begin. */
export async function startJobsPair(at: number): Promise<JobsPair> {
  const clock = createTestClock({ at })
  const lines = await startTwoLines(clock.env)
  const bots = { home: lines.mine, edge: lines.open }
  bots.edge.order({ chats: [OWNER_ID] })
  const connected = await lines.connect(PRIVATE_TOKEN)
  if (connected.code !== 0) throw new Error(connected.said)
  await lines.startHome()
  await storeCredential(lines)

  const standing = (place: PlaceName): readonly StandingMessage[] =>
    [...bots[place].messenger.messages.values()].filter(
      ({ byBot, chat, text }) => byBot && chat === OWNER_ID && !text.endsWith('…'),
    )
  const write = async (place: PlaceName, text: string): Promise<void> => {
    if (place === 'home') {
      bots.home.write(OWNER_ID, text)
      return
    }
    const message = messageFrom(OWNER_ID, text, { message_id: bots.edge.write(OWNER_ID, text) })
    await bots.edge.bring(update(message))
  }
  const say = async (place: PlaceName, text: string, fits = /./): Promise<StandingMessage> => {
    const before = new Set(standing(place).map(({ id }) => id))
    await write(place, text)
    return until(() => standing(place).find((one) => !before.has(one.id) && fits.test(one.text)), SOON)
  }
  const yesTo = async (place: PlaceName, card: StandingMessage): Promise<void> => {
    const yes = (card.markup?.inline_keyboard ?? []).flat().find(({ text }) => text === 'Yes')
    const data = yes !== undefined && 'callback_data' in yes ? yes.callback_data : ''
    const id = String(fresh())
    bots[place].messenger.queries.add(id)
    const message = {
      message_id: card.id,
      date: 1,
      chat: { id: card.chat, type: 'private', first_name: 'X' },
    }
    const from = { id: OWNER_ID, is_bot: false, first_name: 'X' }
    const callback_query = { id, from, chat_instance: '1', data, message }
    if (place === 'home') bots.home.push({ callback_query })
    else await bots.edge.bring({ update_id: fresh(), callback_query })
  }
  const filesOf = (place: PlaceName): readonly string[] =>
    place === 'home' ? [join(lines.folder, 'home.sqlite')] : databasesIn(lines.folder)
  const kept = (place: PlaceName): Kept => sum(filesOf(place).map(keptIn))

  for (const place of PLACES) {
    await say(place, ON_THE_LIST[place])
    for (const [what, { said }] of Object.entries(COMES[place])) {
      if (what === 'reminder') await say(place, said, /I will remind you/)
      else await yesTo(place, await say(place, said, CARD))
    }
    const wanted = Object.keys(COMES[place]).filter((what) => what !== 'reminder').length
    await until(() => kept(place).jobs.filter(({ state }) => state === 'on').length === wanted, SOON)
    await until(() => kept(place).open === 0, SOON)
  }

  const places = placesOf(lines.folder)
  return {
    ...{ clock, standing, kept },
    bot: (place) => bots[place],
    commits(place) {
      const looks = filesOf(place).map((file) => followCommits(`${file}-wal`))
      return () => looks.reduce((all, look) => all + look(), 0)
    },
    async kill(place) {
      if (place === 'home') {
        await lines.killHome()
        await lines.startHome()
        return
      }
      // The parent of the runtime starts it again by itself.
      const killed = places.workerd()
      killAll([killed])
      await until(() => {
        const now = places.workerd()
        return now !== null && now !== killed
      }, SOON)
    },
    async close() {
      await lines.close()
      clock.remove()
    },
  }
}

function databasesIn(folder: string): readonly string[] {
  const { edge } = statePaths({ PFAR_HOME: folder })
  return readdirSync(edge, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'))
    .map((entry) => join(entry.parentPath, entry.name))
}

const NOTHING: Kept = { jobs: [], runs: [], reminders: [], open: 0 }

function sum(all: readonly Kept[]): Kept {
  return all.reduce(
    (one, other) => ({
      jobs: [...one.jobs, ...other.jobs],
      runs: [...one.runs, ...other.runs],
      reminders: [...one.reminders, ...other.reminders],
      open: one.open + other.open,
    }),
    NOTHING,
  )
}

function keptIn(file: string): Kept {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    if (database.prepare("select 1 from sqlite_master where name = 'job_runs'").get() === undefined)
      return NOTHING
    // Of one moment, whatever is stored meanwhile.
    database.exec('begin')
    const rows = <Row>(query: string): readonly Row[] => database.prepare(query).all() as unknown as Row[]
    const [count] = rows<{ n: number }>(
      `select (select count(*) from tasks where final = 0)
        + (select count(*) from job_runs where ended is null or delivery = 'waiting') as n`,
    )
    return {
      jobs: rows<KeptJob>("select id, template, zone, state, due from jobs where state = 'on'"),
      runs: rows<KeptRun>('select job, scheduled, outcome, delivery, code from job_runs'),
      reminders: rows<{ due: number }>(
        "select due from reminders where state = 'open' and repeat is not null",
      ).map(({ due }) => due),
      open: count?.n ?? 0,
    }
  } finally {
    database.close()
  }
}
