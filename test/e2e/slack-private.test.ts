/**
 * The owner's private line by Slack, in real processes (H-05, H-11 – H-17, F-02, F-18, B-24, B-26, B-27): the owner
 * connects an app to a home that runs, asks, and approves by a button; nobody else is heard; drops, restarts and
 * what is brought twice change nothing; and no part of a token or of a connection's address is anywhere but
 * where it belongs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  SLACK_APP,
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_DM,
  SLACK_OWNER,
  SLACK_TEAM,
  type SlackStanding,
} from '../fakes/slack-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { filesIn } from '../regression/files.ts'
import { SOON } from './chaos-bench.ts'
import { BOTH_TOKENS, type SlackHome, startSlackHome, storeGoogle } from './slack-home.ts'

let home: SlackHome
beforeAll(async () => {
  home = await startSlackHome()
})
afterAll(() => home.close())

const wordsOf = ({ blocks }: SlackStanding): string =>
  blocks
    .map(({ text }) => text?.text ?? '')
    .join('')
    .replace(/&(lt|gt|amp);/g, (_whole, name: string) => ({ lt: '<', gt: '>' })[name] ?? '&')
const standing = (channel = SLACK_DM): readonly SlackStanding[] =>
  [...home.slack.messages.values()].filter((one) => one.byBot && one.channel === channel)
const buttonsIn = ({ blocks }: SlackStanding): number =>
  blocks.filter(({ type }) => type === 'actions').length

async function answerTo(text: string): Promise<string> {
  const before = new Set(standing().map(({ ts }) => ts))
  home.slack.write(SLACK_OWNER, text)
  const isDone = (one: SlackStanding): boolean => !before.has(one.ts) && !wordsOf(one).endsWith('…')
  return wordsOf(await until(() => standing().find(isDone), SOON))
}

const statusOf = async (): Promise<Readonly<Record<string, unknown>>> =>
  (await home.ask('status'))['result'] as Readonly<Record<string, unknown>>
const isIdle = async (): Promise<boolean> => (await statusOf())['tasks'] === 0
const listens = () => until(async () => (await statusOf())['slack'] === 'listens', SOON)

function rows(query: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(join(home.folder, 'home.sqlite'), { readOnly: true })
  const found = database.prepare(query).all()
  database.close()
  return found
}
const tasks = (): readonly { readonly principal: string }[] =>
  rows('select doc from tasks').map(({ doc }) => JSON.parse(String(doc)) as { readonly principal: string })

describe('connecting Slack as the private line', () => {
  test.each([
    ['no tokens at all', 'hello', /are not the two tokens of an app/],
    ['one of a person', BOTH_TOKENS.replace('xoxb', 'xoxp'), /are not the two tokens of an app/],
    ['tokens of nobody', BOTH_TOKENS.replaceAll('scripted0', 'scripted1'), /Slack did not accept/],
  ])('%s: words', async (_what, tokens, words) => {
    const { code, said } = await home.run(['connect'], tokens)
    expect([code, said]).toEqual([1, expect.stringMatching(words)])
    expect(said).not.toMatch(/xox[bp]-\d|xapp-\d/)
  })

  test('the owner is who sends the code; a home that runs listens at once', async () => {
    await home.startHome()
    expect((await statusOf())['slack']).toBeUndefined()
    const { code, said } = await home.run(['connect'], BOTH_TOKENS)
    expect([code, said]).toEqual([0, expect.stringContaining(`You are ${SLACK_OWNER} there.`)])
    const config = readFileSync(join(home.folder, 'config.toml'), 'utf8')
    expect(config).toContain(
      `[slack]\nteam = "${SLACK_TEAM}"\nowner = "${SLACK_OWNER}"\napp = "${SLACK_APP}"\nchat = "${SLACK_DM}"\n`,
    )
    expect(said + config).not.toMatch(/xoxb-\d|xapp-\d/)
    await listens()
    await storeGoogle(home)
    // The code did not count as a message of the owner's.
    expect([standing(), tasks()]).toEqual([[], []])
  })

  test('a second app does not replace the first one', async () => {
    const { code, said } = await home.run(['connect'], BOTH_TOKENS)
    expect([code, said]).toEqual([1, expect.stringContaining('There is a line at Slack already')])
  })

  test('a home that listens is small while nobody writes, and after the owner did', {
    timeout: 4 * SOON,
  }, async () => {
    await home.stopHome()
    await home.startHome()
    await listens()
    const memory = async () => (await statusOf())['memoryMb']
    await expect.poll(memory, { timeout: SOON, interval: 500 }).toBeLessThan(140)
    expect(await answerTo('hello')).not.toBe('')
    // What the answer needed is given back once there is nothing to do; the reader of requests stays.
    await expect.poll(memory, { timeout: SOON, interval: 500 }).toBeLessThan(147)
  })
})

describe('the private line by Slack', () => {
  test('the owner is shown private data, in one conversation with the terminal', async () => {
    const { values } = home
    expect(await answerTo('check my email')).toContain(values['m1 subject'])
    expect(await answerTo('read the first one')).toContain(values['m1 body'])
    expect(await answerTo(`remember that the alarm code is ${values.fact}`)).not.toBe('')
    expect(await answerTo('what do you know about the alarm code')).toContain(values.fact)
    expect(JSON.stringify(await home.ask('operation', { operation: 'memory.list' }))).toContain(values.fact)
    expect(await answerTo('/help')).toContain('/stop')
  })

  test('nobody else gets an answer, in the chat of the owner, in their own, or in a channel', async () => {
    const before = [standing().length, tasks().length]
    home.slack.write('U0EVE', 'check my email')
    home.slack.write(SLACK_OWNER, 'check my email', { user: 'U0EVE' })
    home.slack.write(SLACK_OWNER, 'check my email', { user_team: 'T0OTHER' })
    const channel = { channel: 'C0ALL', channel_type: 'channel' }
    home.slack.write(SLACK_OWNER, 'check my email', channel)
    home.slack.write(SLACK_OWNER, 'check my email', { subtype: 'message_changed' })
    expect(await answerTo('hello')).not.toBe('')
    expect([standing().length, tasks().length]).toEqual(before.map((count) => count + 1))
    expect(
      [...home.slack.messages.values()].filter(({ byBot, channel: at }) => byBot && at !== SLACK_DM),
    ).toEqual([])
    expect(new Set(tasks().map(({ principal }) => principal))).toEqual(new Set([OWNER_PRINCIPAL]))
  })

  test('only a tap of the owner on a button of a card counts, once, and the card says what was decided (F-02)', async () => {
    const { slack, values, world } = home
    const booked = (): number => world.seen.filter(({ line }) => /^POST .*\/events/.test(line)).length
    const isCard = (one: SlackStanding): boolean => buttonsIn(one) > 0
    slack.write(SLACK_OWNER, `book "Checkup ${values.booking}" tomorrow from 9:00 to 10:00`)
    const card = await until(() => standing().find(isCard), SOON)
    // Answers come in order: by then home has noted which message the card is.
    expect(await answerTo('hello')).not.toBe('')
    slack.tap(card, 'Yes', { user: 'U0EVE' })
    slack.tap(card, 'Yes', { team: 'T0OTHER' })
    slack.tap({ ...card, channel: 'D0U0EVE' }, 'Yes')
    slack.tap({ ...card, ts: '1700000000.000001' }, 'No')
    // Only what follows is the owner's tap on it.
    expect(await answerTo('hello')).not.toBe('')
    expect([booked(), standing().some(isCard)]).toEqual([0, true])
    slack.tap(card, 'Yes')
    await until(() => booked() === 1, SOON)
    slack.tap(card, 'Yes')
    slack.tap(card, 'No')
    await until(() => standing().every((one) => buttonsIn(one) === 0), SOON)
    await until(isIdle, SOON)
    expect(await answerTo('hello')).not.toBe('')
    expect(booked()).toBe(1)
  })

  test('a file is named as not read, and fetched by nobody (B-27)', async () => {
    const files = [
      {
        id: 'F1',
        name: 'plan.txt',
        mimetype: 'text/plain',
        size: 5,
        url_private: 'https://files.slack.com/x',
      },
    ]
    home.slack.write(SLACK_OWNER, '', { subtype: 'file_share', files })
    const told = await until(() => standing().find((one) => /^(?!\/).*file/i.test(wordsOf(one))), SOON)
    expect(wordsOf(told)).toMatch(/cannot|could not|not read/i)
  })

  test('the owner is asked to delete a pasted key, as no bot can (H-16)', async () => {
    const key = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
    const said = (): string => standing().map(wordsOf).join('\n')
    home.slack.write(SLACK_OWNER, `my token is ${key}`)
    await until(() => /delete/i.test(said()), SOON)
    expect(said()).not.toContain(key)
  })

  test('progress is shown in one message that becomes the answer (C-32)', async () => {
    const { world, values, slack } = home
    const before = standing().length
    world.hold()
    slack.write(SLACK_OWNER, 'check my email')
    const shown = await until(() => standing().find((one) => wordsOf(one).endsWith('…')), SOON)
    world.release()
    await until(
      () => wordsOf(slack.messages.get(shown.ts) as SlackStanding).includes(values['m2 subject']),
      SOON,
    )
    expect(standing().length).toBe(before + 1)
  })
})

describe('after an interruption', () => {
  test('a message whose acknowledgement is lost is delivered again, and counts once (B-24)', async () => {
    const before = standing().length
    home.slack.order({ loseAcknowledgements: 1 })
    const ts = home.slack.write(SLACK_OWNER, 'hello')
    await until(() => [...home.slack.brought.values()].includes(2), SOON)
    expect(await answerTo('hello once more')).not.toBe('')
    expect(standing().length).toBe(before + 2)
    // Under another name of an event, too: the message is the same.
    const event = {
      type: 'message',
      user: SLACK_OWNER,
      text: 'hello',
      ts,
      channel: SLACK_DM,
      channel_type: 'im',
    }
    home.slack.push(event)
    expect(await answerTo('hello again')).not.toBe('')
    expect(standing().length).toBe(before + 3)
  })

  test('a message that the owner writes while the connection is down is answered when it is up again (H-12)', async () => {
    home.slack.drop()
    expect(await answerTo('hello')).not.toBe('')
    home.slack.disconnect('refresh_requested')
    expect(await answerTo('hello')).not.toBe('')
    await listens()
  })

  test('an answer that Slack rate-limits is sent once, after the time that Slack names (H-17)', async () => {
    const before = standing().length
    home.slack.order({
      refuse: { method: 'chat.postMessage', error: 'ratelimited', status: 429, after: 2, times: 1 },
    })
    expect(await answerTo('hello')).not.toBe('')
    expect(standing().length).toBe(before + 1)
  })

  test('a home that is killed while it works goes on in the same message, and answers once', async () => {
    const { world, values, slack } = home
    const before = standing().length
    world.hold()
    slack.write(SLACK_OWNER, 'check my email')
    const shown = await until(() => standing().find((one) => wordsOf(one).endsWith('…')), SOON)
    // Between a message and the note of it no sender can know whether it was taken.
    await until(() => JSON.stringify(rows('select value from slack_kept')).includes(shown.ts), SOON)
    await home.killHome()
    slack.write(SLACK_OWNER, 'hello')
    world.release()
    await home.startHome()
    await until(() => standing().length === before + 2, SOON)
    await until(() => standing().some((one) => wordsOf(one).includes(values['m1 subject'])), SOON)
    await until(() => standing().every((one) => !wordsOf(one).endsWith('…')), SOON)
    expect(standing().length).toBe(before + 2)
  })
})

describe('a private line that receives nothing any more', () => {
  test('Socket Mode that is switched off is named by status and on another chat, where the owner is asked from then on (H-11, F-18)', async () => {
    home.slack.write(SLACK_OWNER, `book "Dentist ${home.values.booking}" tomorrow from 11:00 to 12:00`)
    await until(() => standing().some((one) => buttonsIn(one) > 0), SOON)
    home.slack.disconnect('link_disabled')
    await until(async () => /Socket Mode is switched off/.test(String((await statusOf())['slack'])), SOON)
    const told = async (): Promise<string> => JSON.stringify(await home.ask('deliveries', { after: 0 }))
    await until(async () => (await told()).includes('slack: The stored access does not fit'), SOON)
    await until(async () => (await told()).includes('Dentist'), SOON)
  })

  test('the owner is told once of a token that Slack refuses, and home runs on', async () => {
    await home.stopHome()
    home.slack.order({ revoked: true })
    await home.startHome()
    await until(async () => /did not accept/.test(String((await statusOf())['slack'])), SOON)
    home.slack.order({ revoked: false })
  })

  test('the bot of another workspace is not listened for', async () => {
    await home.stopHome()
    home.slack.order({ team: 'T0OTHER' })
    await home.startHome()
    await until(async () => /does not fit/.test(String((await statusOf())['slack'])), SOON)
    home.slack.order({ team: SLACK_TEAM })
    await home.stopHome()
  })
})

test('a running home leaves Slack at once after a disconnect, and Slack can be connected again', async () => {
  await home.startHome()
  await listens()
  const { code, said } = await home.run(['disconnect'])
  expect([code, said]).toEqual([0, expect.stringContaining('gone from the vault')])
  expect([(await statusOf())['slack'], home.slack.connections()]).toEqual([undefined, 0])
  expect(readFileSync(join(home.folder, 'config.toml'), 'utf8')).not.toContain('[slack]')
  expect((await statusOf())['secrets']).toEqual([expect.stringContaining('google')])
  expect((await home.run(['disconnect'])).code).toBe(1)
  expect((await home.run(['connect'], BOTH_TOKENS)).code).toBe(0)
  await listens()
  expect(await answerTo('hello')).not.toBe('')
  expect(await home.stopHome()).toBe(0)
})

test('no token and no address of a connection is stored, printed or sent', () => {
  const tickets = home.slack.addresses.map((address) => new URL(address).searchParams.get('ticket') ?? '')
  const secrets = [
    SLACK_APP_TOKEN,
    SLACK_BOT_TOKEN,
    'hooks.slack.com/actions',
    'legacy-verification-token',
    ...tickets,
  ]
  const kept = filesIn(home.folder).map((name) => readFileSync(join(home.folder, name)).toString('latin1'))
  const all = [...kept, home.printed(), JSON.stringify(home.slack.transcript)]
  expect([kept.length > 3, tickets.length > 3, home.printed().length > 0]).toEqual([true, true, true])
  expect(secrets.filter((secret) => all.some((text) => text.includes(secret)))).toEqual([])
  // What would be found, if it were there.
  expect(all.some((text) => text.includes(SLACK_APP))).toBe(true)
  expect(home.slack.faults).toEqual([])
})
