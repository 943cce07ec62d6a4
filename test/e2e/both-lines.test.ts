/**
 * One bot for both lines, in real processes (DESIGN §1, D-03, F-17): with the owner's acknowledgement home
 * answers the owner by the edge's bot with data that the edge may not know; without it, and after it was withdrawn, with
 * none of that; and the edge's disk holds none of it.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { canaryOf, createSearcher } from './canary-search.ts'
import { PRIVATE } from './canary-values.ts'
import { SOON } from './chaos-bench.ts'
import { startTwoLines, storeCredential, type TwoLines } from './private-bot.ts'

/** Milliseconds for which an edge may believe in a home that has just gone. */
const BELIEVED = 5_000
/** Milliseconds after which an answer is late, and one more. */
const LATE = 61_000

const clock = createTestClock({ at: Date.now() })
let lines: TwoLines
beforeAll(async () => {
  lines = await startTwoLines(clock.env)
  await lines.startHome()
  await storeCredential(lines)
  await until(async () => (await status())['tunnel'] === 'up', SOON)
})
afterAll(async () => {
  await lines.close()
  clock.remove()
})

async function status(): Promise<Record<string, unknown>> {
  return ((await lines.ask('status')).result ?? {}) as Record<string, unknown>
}

const standing = (): readonly StandingMessage[] =>
  [...lines.open.messenger.messages.values()].filter(({ byBot, chat }) => byBot && chat === OWNER_ID)

/** The owner writes to the edge's bot, as a reply to `answered` if given; returns the bot's next message. */
async function answerTo(text: string, answered?: StandingMessage): Promise<string> {
  const before = new Set(standing().map(({ id }) => id))
  lines.open.write(OWNER_ID, text)
  const extra = answered === undefined ? {} : lines.open.replyTo(answered)
  expect(await lines.open.bring(update(messageFrom(OWNER_ID, text, extra as never)))).toBe(200)
  const answer = await until(
    () => standing().find(({ id, text: shown }) => !before.has(id) && !shown.endsWith('…')),
    SOON,
  )
  return answer.text
}

const subject = (): string => lines.values['m1 subject']

test('without the acknowledgement the owner gets nothing private from the bot of the edge', async () => {
  expect(await answerTo('check my email')).not.toContain(subject())
  expect(await status()).not.toHaveProperty('bothLines')
})

describe('with the acknowledgement', () => {
  test('the owner gives the acknowledgement at home, in two messages', async () => {
    const put = await lines.ask('operation', { operation: 'bot.acknowledge' })
    const { approval } = put.result as { approval: string }
    const yes = { operation: 'approvals.approve', args: { which: approval } }
    expect((await lines.ask('operation', yes)).error).toBeUndefined()
    expect((await status())['bothLines']).toMatch(/^telegram, acknowledged \d{4}-\d\d-\d\d, until /)
  })

  test('the bot of the edge shows the owner what the edge may not know', async () => {
    await until(async () => (await answerTo('check my email')).includes(subject()), SOON)
    expect(await answerTo('read the first one')).toContain(lines.values['m1 body'])
  })

  test('a question is asked at home, and the bot of the edge says so', async () => {
    const heard = await answerTo(`book "Checkup ${lines.values.booking}" tomorrow from 9:00 to 10:00`)
    expect(heard).toMatch(/on your private line, at home/)
    expect(heard).not.toContain(lines.values.booking)
    expect(standing().every(({ markup }) => markup === undefined)).toBe(true)
    expect(JSON.stringify(await lines.ask('operation', { operation: 'approvals.list' }))).toContain(
      'calendar.create_event',
    )
    expect(lines.world.seen.filter(({ line }) => /^POST .*\/events/.test(line))).toEqual([])
    await lines.ask('stop', { task: '' })
  })

  test('a message of the owner waits sealed while home is away, known to the edge or not, and home answers it once when it is back', async () => {
    const known = new Set(standing().map(({ id }) => id))
    const answers = (): readonly StandingMessage[] =>
      standing().filter(({ id, text }) => !known.has(id) && text.includes(subject()))
    const before = lines.passed.length
    await lines.killHome()
    const words = 'check my email'
    lines.open.write(OWNER_ID, words)
    const written = update(messageFrom(OWNER_ID, words))
    expect(await lines.open.bring(written)).toBe(200)
    expect(await lines.open.bring(written)).toBe(200)
    await lines.startHome()
    await until(() => answers().length > 0, SOON)
    // The next message is answered after it, so a second answer would have arrived by then.
    expect(await answerTo('hello')).not.toContain(subject())
    expect(answers()).toHaveLength(1)
    const frames = lines.passed.slice(before).join('')
    expect([frames.includes('"kept_said"'), frames.includes(words)]).toEqual([true, false])
  })

  test('an answer that waited longer than a minute says that it is late', async () => {
    await lines.killHome()
    await clock.jump(BELIEVED)
    const known = new Set(standing().map(({ id }) => id))
    const fresh = (): string[] => standing().flatMap(({ id, text }) => (known.has(id) ? [] : [text]))
    lines.open.write(OWNER_ID, 'check my email')
    expect(await lines.open.bring(update(messageFrom(OWNER_ID, 'check my email')))).toBe(200)
    // Second by second: it is waited for at the edge from a moment that is not seen from here.
    await until(() => clock.jump(1_000).then(() => fresh().length > 0), SOON)
    await clock.jump(LATE)
    expect(fresh()).toEqual([expect.stringContaining('is kept for it, sealed')])
    await lines.startHome()
    const answer = await until(() => fresh().find((text) => text.includes(subject())), SOON)
    // Other files of this process may speak another language.
    expect(answer).toMatch(/^This answer is late/)
  })
})

test('once the acknowledgement is taken back, nothing private is said there, and no answer of the owner goes home', async () => {
  const shown = standing().findLast(({ text }) => text.includes(subject()))
  if (shown === undefined) throw new Error('nothing was said')
  expect((await lines.ask('operation', { operation: 'bot.withdraw' })).error).toBeUndefined()
  const times = (): number => standing().filter(({ text }) => text.includes(subject())).length
  const before = times()
  await answerTo('check my email')
  await answerTo('and that one?', shown)
  expect(times()).toBe(before)
  expect(await status()).not.toHaveProperty('bothLines')
})

test('the disk and the log of the edge hold nothing private', async () => {
  await lines.stopHome()
  await lines.bench.stop()
  const find = createSearcher(PRIVATE.map((name) => canaryOf(name, lines.values[name])))
  // It would be found: it was said.
  expect(find(Buffer.from(JSON.stringify(lines.open.transcript))).length).toBeGreaterThan(1)
  const pieces = [...lines.edgeFiles(), { name: 'printed', bytes: Buffer.from(lines.printed()) }]
  expect(pieces.length).toBeGreaterThan(3)
  expect(
    pieces.flatMap(({ name, bytes }) => find(bytes).map(({ canary }) => `${canary} in ${name}`)),
  ).toEqual([])
})
