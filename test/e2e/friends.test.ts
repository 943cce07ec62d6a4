/**
 * Both places as `npm start` runs them, the product's own Worker and a scripted Telegram: a friend is paired
 * by a code of the owner's, asks for a time, and learns when the owner is free and nothing else of the calendar, on any
 * wire to that friend (B-04, F-13, X-05, S-12); and the open line alone, with home switched off, still answers both.
 */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { out } from '../../integrations/store/schema/channel-schema.ts'
import { HOME_WAIT } from '../../kernel/features/places/home-call.ts'
import { dayAfter, wallTime } from '../../scripts/demo/clock.ts'
import { openSqliteToRead } from '../../sidecar/store/sqlite-bridge.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { fresh, OWNER_ID } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { type Answer, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { configure, lineOf, SOON } from './chaos-bench.ts'
import { createEdgeBot, type EdgeBot } from './edge-bot.ts'

/** Of `configure`. */
const ZONE = 'Europe/Berlin'
const FRIEND = 2_002
const UNKNOWN = 3_003
const ASK = 'is there a free slot tomorrow?'
/** Stands in every part of the calendar but its times. */
const CANARY = 'kingfisher'
const ASKED = 'I have asked; you will hear from me here.'
const NO_YES = 'I have no yes to that time. Please propose another one.'
const SUITS = 'Yes, that time suits.'
/** What a question about free time asks of the service. */
const FREE_BUSY = ['GET /calendar/v3/users/me/calendarList', 'POST /calendar/v3/freeBusy']
/** Milliseconds for an answer: the pause between two messages of a stranger, the wait for home, and a margin. */
const PATIENCE = 60_000 + HOME_WAIT + SOON
/** Milliseconds until a message that is not answered is brought again. */
const AGAIN = 5_000
/** Milliseconds for which the Worker believes who is paired, and some more. */
const BELIEVED = 3_500

vi.setConfig({ testTimeout: 2 * PATIENCE })

const asked: string[] = []
/** A calendar that tells more than it is asked. */
const google: Answer = (request, response) => {
  asked.push(`${request.method} ${request.url?.split('?')[0]}`)
  const words = { summary: `${CANARY} clinic`, location: `${CANARY} street`, description: CANARY }
  response.setHeader('content-type', 'application/json')
  if (request.url?.includes('/calendarList'))
    return void response.end(
      JSON.stringify({ items: [{ ...words, id: 'me', primary: true, selected: true }] }),
    )
  response.end(
    JSON.stringify({
      calendars: { primary: { busy: hours().map((hour) => ({ ...hour, ...words })) } },
      items: hours().map(({ start, end }, n) => ({
        ...words,
        id: `${CANARY}${n}`,
        status: 'confirmed',
        start: { dateTime: start },
        end: { dateTime: end },
        attendees: [{ email: `${CANARY}@example.com` }],
      })),
    }),
  )
}

/**
 * The same hour of each day by its owner's clock: who asks before midnight may be answered after it, in
 * summer or in winter.
 */
function hours(): readonly { readonly start: string; readonly end: string }[] {
  return [0, 1, 2, 3].map((ahead) => {
    const day = dayAfter(Date.now(), ahead, ZONE)
    return { start: wallTime(day, '10:00', ZONE), end: wallTime(day, '11:00', ZONE) }
  })
}
let bot: EdgeBot

beforeAll(async () => {
  bot = closing(await createEdgeBot())
  configure(bot.bench.folder, closing(await serve(google)).origin)
  await bot.start('--no-demo')
  // Home has greeted, and what it tells at a connection is there.
  await lineOf(bot.bench.folder, 'open').delivered()
})

async function write(user: number, text: string): Promise<void> {
  expect(await bot.telegram.bring(bot.written(user, text))).toBe(200)
}

/**
 * Sends a message; returns what comes next in that chat. The update is delivered again meanwhile, as Telegram may, and
 * still counts once: others than the owner have a limit of messages a minute. `former`: the message before, which comes
 * once more if the edge was killed while Telegram took it.
 */
async function answerTo(user: number, text: string, former?: string): Promise<string> {
  const before = bot.said(user).length
  const message = bot.written(user, text)
  const answer = () =>
    bot
      .said(user)
      .slice(before)
      .find((said) => said !== former)
  for (const end = Date.now() + PATIENCE; answer() === undefined && Date.now() < end; ) {
    expect(await bot.telegram.bring(message)).toBe(200)
    await until(() => answer() !== undefined, AGAIN).catch(() => undefined)
  }
  return answer() ?? ''
}

async function owner(...command: string[]): Promise<string> {
  const { code, out, err } = await bot.bench.pfar(...command)
  expect([code, err]).toEqual([0, expect.anything()])
  return `${out}\n${err}`
}

const approve = async (put: string): Promise<string> =>
  owner('approve', /pfar approve (\S+)/.exec(put)?.[1] ?? '')

/** What home tells the edge and has no word of yet. */
function owed(): number {
  const file = openSqliteToRead(join(bot.bench.folder, 'home.sqlite'))
  try {
    return file.db.select().from(out).all().length
  } finally {
    file.close()
  }
}

/** The edge has what home told of a grant or a person, and its Worker believes nothing older. */
async function told(): Promise<void> {
  let before: number
  do {
    before = owed()
    await pause(BELIEVED)
  } while (before + owed() > 0)
}

/** The newest card that has buttons and is about this person. */
const question = (user: number): Promise<StandingMessage> =>
  until(() => {
    const of = [...bot.telegram.messenger.messages.values()].filter(
      ({ chat, byBot, markup, text }) =>
        chat === OWNER_ID && byBot && markup !== undefined && text.includes(`telegram ${user} asks`),
    )
    return of.at(-1) ?? null
  }, SOON)

/** Somebody taps a button of it, as Telegram tells it. */
async function tap(user: number, card: StandingMessage, label: 'Yes' | 'No'): Promise<void> {
  const buttons = (card.markup?.inline_keyboard ?? []).flat()
  const button = buttons.find(({ text }) => text === label)
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : undefined
  const message = { message_id: card.id, date: 1, chat: { id: user, type: 'private', first_name: 'X' } }
  const from = { id: user, is_bot: false, first_name: 'X' }
  const query = { id: String(fresh()), from, chat_instance: '1', data, message }
  expect(await bot.telegram.bring({ update_id: fresh(), callback_query: query })).toBe(200)
}

/** Everything that was sent into a chat, what was changed or deleted since too. */
const wire = (chat: number): string =>
  JSON.stringify(bot.telegram.transcript.filter(({ args }) => args['chat_id'] === chat))

test('whoever sends the code of the owner is paired from then on, and nobody else is (B-04)', async () => {
  const put = await owner('people', 'invite', '--name', 'Ann')
  const code = /^\s+pair (\S+)$/m.exec(put)?.[1] ?? ''
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/)
  await approve(put)
  await write(FRIEND, ASK)
  await write(UNKNOWN, ASK)
  // As the link t.me/<bot>?start=<code> has it sent.
  const thanks = await answerTo(FRIEND, `/start ${code}`)
  await until(() => bot.said(FRIEND).some((text) => text.startsWith('Welcome')), SOON)
  expect(bot.said(FRIEND)).toEqual([thanks, expect.stringMatching(/^Welcome/)])
  // The same code once more is nobody's.
  expect(await answerTo(UNKNOWN, `/start ${code}`)).toBe(thanks)
  await write(UNKNOWN, ASK)
  expect(await owner('people')).toMatch(/· Ann · telegram:peer:2002 · paired/)
  // A paired person is answered at once, but has no access to the owner's calendar yet.
  // A bot may write to nobody first, so the owner has said something.
  await answerTo(OWNER_ID, 'hello')
  expect(await answerTo(FRIEND, ASK)).toBe(ASKED)
  expect([bot.said(UNKNOWN), asked]).toEqual([[thanks], []])
})

test('the owner says on the open line whether a time suits, and the friend hears that and nothing else (F-02, F-18)', async () => {
  const put = await question(FRIEND)
  expect(put.text).toMatch(/^Does this time suit you\? “X”, telegram 2002 asks\.\n {2}from: /)
  await tap(FRIEND, put, 'Yes')
  await tap(OWNER_ID, put, 'No')
  await until(() => bot.said(FRIEND).at(-1) === NO_YES, SOON)
  // Whoever is not paired gets no answer, whatever is asked.
  await write(UNKNOWN, 'can we meet tomorrow at 15:00?')
  expect(await answerTo(FRIEND, 'can we meet tomorrow at 16:00?')).toBe(ASKED)
  await tap(OWNER_ID, await question(FRIEND), 'Yes')
  await until(() => /^Yes, .+, 16:00 suits\.$/.test(bot.said(FRIEND).at(-1) ?? ''), SOON)
  expect([asked, bot.said(UNKNOWN).length]).toEqual([[], 1])
})

test('under a grant of the owner the friend hears when the owner is free, and nothing else of the calendar (F-13, X-05)', async () => {
  const put = await owner('grants', 'freebusy', '--template', 'paired_scheduling', '--ahead', '7')
  await approve(put)
  await told()
  const free = await answerTo(FRIEND, ASK)
  expect(free).toBe('Tomorrow the person I work for is free 09:00–10:00 and 11:00–18:00.')
  expect(await answerTo(FRIEND, 'what is on my calendar tomorrow?')).not.toMatch(/10:00/)
  expect(new Set(asked)).toEqual(new Set(FREE_BUSY))
  expect(wire(FRIEND)).not.toContain(CANARY)
  expect(wire(OWNER_ID)).not.toContain(CANARY)
})

test('with home switched off the open line answers the owner, and brings the friend the answer of the owner', async () => {
  const [owners, friends] = [bot.said(OWNER_ID).at(-1), bot.said(FRIEND).at(-1)]
  await bot.bench.stop()
  await bot.start('--only', 'edge')
  expect(await answerTo(OWNER_ID, 'what can you do?', owners)).toMatch(/I am PFAR/)
  // The edge waits for home, and then the owner is asked.
  expect(await answerTo(FRIEND, ASK, friends)).toBe(ASKED)
  await tap(OWNER_ID, await question(FRIEND), 'Yes')
  await until(() => bot.said(FRIEND).at(-1) === SUITS, SOON)
  expect(wire(FRIEND)).not.toMatch(/home/i)
})

test('a friend whose agreement is taken back is a stranger from the next message on', async () => {
  await bot.bench.stop()
  await bot.start('--no-demo')
  await lineOf(bot.bench.folder, 'open').delivered()
  expect(await answerTo(FRIEND, ASK, SUITS)).toMatch(/the person I work for is free/)
  const [person] = JSON.parse((await bot.bench.pfar('people', '--json')).out) as { readonly id: string }[]
  await owner('people', 'revoke', person?.id ?? '')
  await told()
  const before = bot.said(FRIEND)
  await write(FRIEND, ASK)
  // What comes after it shows that nothing is to come.
  await answerTo(OWNER_ID, 'hello')
  expect(bot.said(FRIEND)).toEqual(before)
})

test('where the owner has set it so, whoever writes may ask, under a grant for strangers (S-12)', async () => {
  await bot.bench.stop()
  bot.lay('answer')
  await bot.start('--no-demo')
  await lineOf(bot.bench.folder, 'open').delivered()
  expect(await answerTo(UNKNOWN, ASK)).toBe(ASKED)
  await tap(OWNER_ID, await question(UNKNOWN), 'No')
  await until(() => bot.said(UNKNOWN).at(-1) === NO_YES, SOON)
  await approve(await owner('grants', 'freebusy', '--template', 'scheduling', '--ahead', '7'))
  await told()
  const free = await answerTo(UNKNOWN, ASK)
  expect(free).toMatch(/^Tomorrow the person I work for is free/)
  expect(new Set(asked)).toEqual(new Set(FREE_BUSY))
  expect(wire(UNKNOWN)).not.toContain(CANARY)
})
