/**
 * The owner's private line by Telegram, in real processes (H-03, H-04, H-12, H-16, H-17, B-24, C-32, M-26):
 * home fetches messages by its own bot and answers there with data that the edge may not know; no byte of that
 * reaches the edge, its bot or the network between.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandsAt } from '../../kernel/operations/commands.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { tell } from '../../kernel/wording/words.ts'
import { lockedPdf, pdfOf } from '../fakes/pdf.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { SANDBOX } from '../home/fixtures/sandbox.ts'
import { until } from '../home/fixtures/wait.ts'
import { canaryOf, createSearcher } from './canary-search.ts'
import { PRIVATE } from './canary-values.ts'
import { SOON } from './chaos-bench.ts'
import { startTwoLines, storeCredential, type TwoLines } from './private-bot.ts'

let lines: TwoLines
beforeAll(async () => {
  lines = await startTwoLines()
})
afterAll(() => lines.close())

/** What home's bot says in a chat now. */
const standing = (chat = OWNER_ID): readonly StandingMessage[] =>
  [...lines.mine.messenger.messages.values()].filter((one) => one.byBot && one.chat === chat)
const said = (chat = OWNER_ID): string =>
  standing(chat)
    .map(({ text }) => text)
    .join('\n')
const times = (method: string): number =>
  lines.mine.transcript.filter((one) => one.method === method && one.refused === null).length

/** The owner writes; returns the bot's final message. */
async function answerTo(text: string): Promise<string> {
  const before = new Set(standing().map(({ id }) => id))
  lines.mine.write(OWNER_ID, text)
  const answer = await until(
    () => standing().find(({ id, text: shown }) => !before.has(id) && !shown.endsWith('…')),
    SOON,
  )
  return answer.text
}

async function status(): Promise<string> {
  const { result } = await lines.ask('status')
  return String((result as Record<string, unknown>)['telegram'])
}

async function isIdle(): Promise<boolean> {
  const { result } = await lines.ask('status')
  return (result as Record<string, unknown>)['tasks'] === 0
}

/** Whose tasks there ever were at home. */
function principals(): readonly string[] {
  const database = new DatabaseSync(join(lines.folder, 'home.sqlite'), { readOnly: true })
  const rows = database.prepare('select doc from tasks').all()
  database.close()
  return [...new Set(rows.map(({ doc }) => String(JSON.parse(String(doc)).principal)))]
}

function tap(card: StandingMessage, label: 'Yes' | 'No', user = OWNER_ID): void {
  const button = (card.markup?.inline_keyboard ?? []).flat().find(({ text }) => text === label)
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : ''
  const id = String(fresh())
  lines.mine.messenger.queries.add(id)
  const message = { message_id: card.id, date: 1, chat: { id: card.chat, type: 'private' } }
  lines.mine.push({
    callback_query: { id, from: { id: user, is_bot: false, first_name: 'X' }, data, message },
  })
}

describe('connecting Telegram as the private line', () => {
  test('a bot that has a webhook is refused in words, and nothing is changed', async () => {
    lines.mine.messenger.webhook = { url: 'https://other.example.com/', secret: '' }
    const { code, said: words } = await lines.connect(PRIVATE_TOKEN)
    expect([code, lines.mine.messenger.webhook]).toEqual([
      1,
      { url: 'https://other.example.com/', secret: '' },
    ])
    expect(words).toMatch(/a webhook or is asked, never both/)
    lines.mine.messenger.webhook = null
  })

  test.each([
    ['no token at all', 'hello', /That is no token of a bot/],
    ['a token of no bot', PRIVATE_TOKEN.replace('5151', '5152'), /Telegram did not accept[\s\S]*@BotFather/],
  ])('%s: words', async (_what, token, words) =>
    expect(await lines.connect(token)).toMatchObject({ code: 1, said: expect.stringMatching(words) }),
  )

  test('the owner is who sends the code; the token goes into the vault and nowhere else', async () => {
    const { code, said: words } = await lines.connect(PRIVATE_TOKEN)
    expect([code, words]).toEqual([0, expect.stringContaining(`You are ${OWNER_ID} there.`)])
    const config = readFileSync(join(lines.folder, 'config.toml'), 'utf8')
    expect(config).toContain(`[telegram]\nowner = ${OWNER_ID}\nbot = 5151\n`)
    expect(words + config).not.toContain(PRIVATE_TOKEN)
    // The chat that the code was sent in gets the answer.
    expect(standing().map(({ text }) => text)).toEqual([
      tell('channels.code_right'),
      tell('channels.at_home'),
    ])
  })

  test('another bot does not replace the first one', async () => {
    const config = (): string => readFileSync(join(lines.folder, 'config.toml'), 'utf8')
    const before = config()
    const { code, said: words } = await lines.connect(PRIVATE_TOKEN.replace('5151', '5152'))
    expect([code, words]).toEqual([1, expect.stringMatching(/^Another bot is your private line already/)])
    expect(config()).toBe(before)
  })

  test('a message that the owner writes before home runs is answered once it does (M-26)', async () => {
    lines.mine.write(OWNER_ID, 'hello')
    await lines.startHome()
    await until(() => standing().length === 3, SOON)
    await storeCredential(lines)
    expect(await status()).toBe('listens')
    // The code did not count as a message of the owner's.
    expect(standing()).toHaveLength(3)
  })
})

describe('the private line by Telegram', () => {
  test('the owner is shown what the edge may not know, in one conversation with the terminal', async () => {
    const { values } = lines
    expect(await answerTo('check my email')).toContain(values['m1 subject'])
    expect(await answerTo('read the first one')).toContain(values['m1 body'])
    expect(await answerTo(`remember that the alarm code is ${values.fact}`)).not.toBe('')
    expect(await answerTo('what do you know about the alarm code')).toContain(values.fact)
    expect(JSON.stringify(await lines.ask('operation', { operation: 'memory.list' }))).toContain(values.fact)
  })

  test('a text file that the owner sends is fetched by home and read (B-27)', async () => {
    const { mine, values } = lines
    const words = `The spare key hangs by the ${values.fact} lamp.`
    const bytes = Buffer.from(words).toString('base64')
    mine.order({ files: { note: { bytes } } })
    const document = {
      file_id: 'note',
      file_unique_id: 'u',
      file_size: words.length,
      mime_type: 'text/plain',
    }
    const before = standing().length
    mine.push(update(messageFrom(OWNER_ID, undefined, { document: { ...document, file_name: 'note.txt' } })))
    await until(() => said().includes(words), SOON)
    expect(standing()).toHaveLength(before + 1)
  })

  test('a PDF is parsed by home in a process of its own, and read (B-27)', SANDBOX, async () => {
    const { mine, values } = lines
    const pages = [`The boat shed is behind the ${values.fact} tree.`, 'Its key is at the office.']
    const files = {
      shed: { bytes: pdfOf({ pages }).toString('base64') },
      locked: { bytes: lockedPdf(pages.join()).toString('base64') },
    }
    mine.order({ files })
    const send = (id: keyof typeof files): void => {
      const told = { file_id: id, file_unique_id: 'u', file_size: 900, mime_type: 'application/pdf' }
      mine.push(update(messageFrom(OWNER_ID, undefined, { document: { ...told, file_name: 'shed.pdf' } })))
    }
    send('shed')
    await until(() => pages.every((page) => said().includes(page)), SOON)
    send('locked')
    await until(() => said().includes('I did not read the PDF: it wants a password.'), SOON)
    expect(lines.printed()).not.toContain(values.fact)
  })

  test('the owner is offered the commands that home answers, and nobody else is offered any (O-21)', async () => {
    const { menus } = lines.mine.messenger
    const found = await until(() => menus.get(`chat:${OWNER_ID}`), SOON)
    expect([...menus.keys()]).toEqual([`chat:${OWNER_ID}`])
    expect(found).toEqual(
      commandsAt([], 'home').map(({ name, description }) => ({ command: name, description })),
    )
    // Longer than one message of the messenger.
    const before = new Set(standing().map(({ id }) => id))
    lines.mine.write(OWNER_ID, '/help all')
    const said = (): string =>
      standing()
        .filter(({ id }) => !before.has(id))
        .map(({ text }) => text)
        .join('\n')
    const help = await until(
      () => (said().includes('Or just write what you would like') ? said() : undefined),
      SOON,
    )
    for (const { name } of commandsAt([], 'home')) expect(help).toMatch(new RegExp(`/${name}[ :]`))
  })

  test('no stranger and no group gets an answer, and neither does the owner in a group', async () => {
    const before = standing().length
    lines.mine.write(66, 'hello')
    const group = { id: -7, type: 'group', title: 'G' }
    lines.mine.messenger.chats.add(-7)
    lines.mine.push(update({ ...messageFrom(OWNER_ID, 'check my email'), chat: group } as never))
    lines.mine.push(update({ ...messageFrom(66, 'check my email'), chat: group } as never))
    expect(await answerTo('hello')).not.toBe('')
    // Nor is the owner notified of them.
    expect([said(66), said(-7), standing().length]).toEqual(['', '', before + 1])
    expect(principals()).toEqual([OWNER_PRINCIPAL])
  })

  test('only a tap of the owner on a button of a card counts, once, and the card says what was decided (F-02)', async () => {
    const { values } = lines
    const words = `book "Checkup ${values.booking}" tomorrow from 9:00 to 10:00`
    const card = async (): Promise<StandingMessage> =>
      until(() => standing().find(({ markup }) => markup !== undefined), SOON)
    const booked = (): number => lines.world.seen.filter(({ line }) => /^POST .*\/events/.test(line)).length
    lines.mine.write(OWNER_ID, words)
    const shown = await card()
    tap(shown, 'Yes', 66)
    tap({ ...shown, id: shown.id + 1_000 }, 'Yes')
    tap(shown, 'Yes')
    tap(shown, 'No')
    await until(() => booked() === 1, SOON)
    await until(() => standing().every(({ markup }) => markup === undefined), SOON)
    const answers = lines.mine.transcript.filter(({ method }) => method === 'answerCallbackQuery')
    await until(
      () => lines.mine.transcript.filter(({ method }) => method === 'answerCallbackQuery').length >= 3,
    )
    // Whoever else taps hears nothing.
    expect(answers.length).toBeLessThanOrEqual(3)
    expect(await answerTo('hello')).not.toBe('')
    expect(booked()).toBe(1)
  })

  test('a job that the owner asks for here is put on a card here, and set by a tap (G-01)', async () => {
    lines.mine.write(OWNER_ID, 'every day at 8 tell me my unread mail')
    const card = await until(() => standing().find(({ markup }) => markup !== undefined), SOON)
    expect(card.text).toMatch(/Looking through the mail[\s\S]*The next times:\n(?:- .*\n){3}/i)
    tap(card, 'Yes')
    await until(() => standing().every(({ markup }) => markup === undefined), SOON)
    expect(said()).toContain('Nothing runs yet')
    // /help lists the command; no card tells the owner to type it, since it has buttons.
    expect(said()).not.toMatch(/\/approve \d/)
    expect(await answerTo('what runs when?')).toMatch(/^1\. .*: every day at 08:00/)
  })

  test('a pasted key is deleted from the chat (H-16)', async () => {
    const key = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
    lines.mine.write(OWNER_ID, `my token is ${key}`)
    const isThere = (): boolean =>
      [...lines.mine.messenger.messages.values()].some(({ text }) => text.includes(key))
    await until(() => !isThere(), SOON)
  })

  test('progress is shown in one message that becomes the answer (C-32)', async () => {
    const { world, values } = lines
    const [before, typing, sent] = [standing().length, times('sendChatAction'), times('sendMessage')]
    world.hold()
    lines.mine.write(OWNER_ID, 'check my email')
    const shown = await until(() => standing().find(({ text }) => text.endsWith('…')), SOON)
    expect(shown.text).toBe('1 of 2: looking through the mail…')
    await until(() => times('sendChatAction') >= typing + 3, SOON)
    world.release()
    await until(() => standing().at(-1)?.text.includes(values['m2 subject']), SOON)
    expect([standing().length, standing().at(-1)?.id, times('sendMessage')]).toEqual([
      before + 1,
      shown.id,
      sent + 1,
    ])
  })
})

describe('a home that is killed and started again', () => {
  test('goes on in the same message, and answers once', async () => {
    const { world, values } = lines
    const before = standing().length
    world.hold()
    lines.mine.write(OWNER_ID, 'check my email')
    const shown = await until(() => standing().find(({ text }) => text.endsWith('…')), SOON)
    // Its number is noted before the chat is told once more that somebody writes.
    const typing = times('sendChatAction')
    await until(() => times('sendChatAction') > typing, SOON)
    await lines.killHome()
    world.release()
    await lines.startHome()
    await until(
      () => standing().find(({ id, text }) => id === shown.id && text.includes(values['m1 subject'])),
      SOON,
    )
    // What tells of the start is on the terminal.
    expect(await answerTo('hello')).not.toBe('')
    expect(standing()).toHaveLength(before + 2)
  })

  test('answers a message once that Telegram delivers again (B-24)', async () => {
    const message = messageFrom(OWNER_ID, 'hello')
    lines.mine.push(update(message))
    const before = standing().length
    await until(() => standing().length === before + 1, SOON)
    // Between a message and the note of it no sender can know whether it was taken.
    await until(isIdle, SOON)
    await lines.killHome()
    // As after a restore: another number, the same message.
    lines.mine.push(update(message))
    await lines.startHome()
    expect(await answerTo('hello once more')).not.toBe('')
    expect(standing()).toHaveLength(before + 2)
  })
})

describe('a refusal by Telegram', () => {
  test('that names a time is followed by a retry, not before that time (H-12, H-17)', async () => {
    const asked = lines.mine.transcript.length
    lines.mine.order({ refuse: { code: 429, times: 1, after: 2, method: 'getUpdates' } })
    // The question that is held ends with it.
    expect(await answerTo('hello')).not.toBe('')
    expect(await answerTo('hello again')).not.toBe('')
    const refused = lines.mine.transcript.slice(asked).filter((one) => one.refused !== null)
    expect(refused.map(({ method }) => method)).toEqual(['getUpdates'])
  })

  test('because the bot has a webhook is named by status, and told to the owner in another chat', async () => {
    lines.mine.messenger.webhook = { url: 'https://other.example.com/', secret: '' }
    await until(async () => /a webhook or is asked/.test(await status()), SOON)
    const told = JSON.stringify(await lines.ask('deliveries', { after: 0 }))
    expect(told).toContain('telegram: The stored access does not fit')
    lines.mine.messenger.webhook = null
    await until(async () => (await status()) === 'listens', SOON)
  })

  test('of the token is told to the owner at the terminal, once, and home runs on', async () => {
    const notices = async (): Promise<number> =>
      JSON.stringify(await lines.ask('deliveries', { after: 0 })).split('no longer accepts my access')
        .length - 1
    // A card that waits there can no longer be answered.
    lines.mine.write(OWNER_ID, `book "Dentist ${lines.values.booking}" tomorrow from 11:00 to 12:00`)
    await until(() => standing().find(({ markup }) => markup !== undefined), SOON)
    lines.mine.order({ revoked: true })
    lines.mine.push({})
    const card = await until(async () => {
      const { result } = await lines.ask('deliveries', { after: 0 })
      return (result as readonly { kind: string; approval: string; text: string }[]).findLast(
        ({ kind, text }) => kind === 'card' && text.includes('Dentist'),
      )
    }, SOON)
    const bookings = (): number => lines.world.seen.filter(({ line }) => /^POST .*\/events/.test(line)).length
    const before = bookings()
    await lines.ask('operation', { operation: 'approvals.approve', args: { which: card.approval } })
    await until(() => bookings() === before + 1, SOON)
    await until(async () => (await notices()) === 1, SOON)
    expect(await status()).toMatch(/^does not hear: A service did not accept/)
    await lines.killHome()
    await lines.startHome()
    await until(async () => /does not hear/.test(await status()), SOON)
    expect(await notices()).toBe(1)
    lines.mine.order({ revoked: false })
  })
})

test('home stops cleanly while a poll of Telegram is open', async () => {
  await lines.killHome()
  await lines.startHome()
  await until(async () => (await status()) === 'listens', SOON)
  expect(await lines.stopHome()).toBe(0)
})

describe('nothing of it comes to the edge', () => {
  const search = () =>
    createSearcher([
      ...PRIVATE.map((name) => canaryOf(name, lines.values[name])),
      canaryOf('token', PRIVATE_TOKEN.split(':')[1] ?? ''),
    ])

  test('what was said on the open line is there, and would be found', async () => {
    await lines.startHome()
    lines.open.write(OWNER_ID, 'hello')
    expect(await lines.open.bring(update(messageFrom(OWNER_ID, 'when am I free tomorrow?')))).toBe(200)
    await until(
      () =>
        [...lines.open.messenger.messages.values()].some(({ byBot, text }) => byBot && !text.endsWith('…')),
      SOON,
    )
    await lines.stopHome()
    await lines.bench.stop()
    expect(lines.passed.length).toBeGreaterThan(5)
    expect(Buffer.concat([...lines.passed]).toString()).toContain('freebusy')
    expect(search()(Buffer.from(JSON.stringify(lines.mine.transcript))).length).toBeGreaterThan(3)
  })

  test('no row of it, no frame, no message of its bot, no line that was printed', () => {
    const find = search()
    const pieces = [
      ...lines.edgeFiles(),
      ...lines.passed.map((bytes) => ({ name: 'to or from the edge', bytes })),
      { name: 'the edge’s bot', bytes: Buffer.from(JSON.stringify(lines.open.transcript)) },
      { name: 'printed', bytes: Buffer.from(lines.printed()) },
    ]
    expect(pieces.length).toBeGreaterThan(10)
    expect(
      pieces.flatMap(({ name, bytes }) => find(bytes).map(({ canary }) => `${canary} in ${name}`)),
    ).toEqual([])
  })
})
