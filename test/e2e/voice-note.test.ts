/**
 * Voice notes on the owner's private line by Telegram, in real processes (H-15, F-02, C-09): a server of the owner's
 * transcribes them, the transcript is shown to the owner, and a tap makes it the owner's message, once; a forwarded note is
 * somebody else's words.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type SpeechServer, startSpeechServer } from '../fakes/speech-server.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { closing } from '../kit/stop.ts'
import { SOON } from './chaos-bench.ts'
import { startTwoLines, storeCredential, type TwoLines } from './private-bot.ts'

let lines: TwoLines
let speech: SpeechServer
beforeAll(async () => {
  speech = closing(await startSpeechServer())
  lines = closing(await startTwoLines())
  expect(await lines.connect(PRIVATE_TOKEN)).toMatchObject({ code: 0 })
  await lines.startHome()
  await storeCredential(lines)
})

const standing = (): readonly StandingMessage[] =>
  [...lines.mine.messenger.messages.values()].filter((one) => one.byBot && one.chat === OWNER_ID)
const said = (): string =>
  standing()
    .map(({ text }) => text)
    .join('\n')

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

const SOUND = Buffer.from('OggS of his voice')
function sendVoice(id: string, extra: object = {}): void {
  const file = { bytes: SOUND.toString('base64'), path: `voice/${id}.oga` }
  lines.mine.order({ files: { [id]: file } })
  const told = {
    file_id: id,
    file_unique_id: 'u',
    file_size: SOUND.length,
    duration: 2,
    mime_type: 'audio/ogg',
  }
  lines.mine.push(update(messageFrom(OWNER_ID, undefined, { voice: told, ...extra })))
}
const saysNow = (before: number, words: string | RegExp): Promise<StandingMessage> =>
  until(
    () =>
      standing()
        .slice(before)
        .find(({ text }) => text.match(words) !== null),
    SOON,
  )

test('without a speech server a voice note is answered by a sentence that says what would help', async () => {
  const before = standing().length
  sendVoice('none')
  await saysNow(before, /cannot read voice notes yet.*once `?\[speech\]/)
})

test('a transcribed voice note is shown to the owner, and becomes a message with a tap of the owner, once', async () => {
  await lines.killHome()
  const config = `\n[speech]\nbase_url = "${speech.url}"\nmodel = "whisper-1"\n`
  appendFileSync(join(lines.folder, 'config.toml'), config)
  await lines.startHome()
  speech.answer = 'Check my email.'
  const before = standing().length
  sendVoice('own')
  const card = await saysNow(before, 'I heard: “Check my email.”')
  expect(speech.heard.map(({ file }) => file)).toEqual([{ name: 'recording.ogg', bytes: SOUND }])
  expect(card.markup).toBeDefined()
  tap(card, 'Yes', 66)
  tap({ ...card, id: card.id + 1_000 }, 'Yes')
  expect(await answerTo('hello')).not.toBe('')
  expect(said()).toContain('I heard: “Check my email.”')
  const asked = standing().length
  tap(card, 'Yes')
  tap(card, 'Yes')
  await saysNow(asked, lines.values['m1 subject'])
  expect(await answerTo('hello')).not.toBe('')
  expect(standing()).toHaveLength(asked + 2)
  expect(standing().find(({ id }) => id === card.id)).toMatchObject({
    text: expect.stringMatching(/You said yes/),
  })
})

test('a voice note is dropped after a no of the owner', async () => {
  const before = standing().length
  sendVoice('no')
  const card = await saysNow(before, 'I heard: ')
  tap(card, 'No')
  await saysNow(before, 'Cancelled: I did not do it.')
  expect(await answerTo('hello')).not.toBe('')
  expect(standing()).toHaveLength(before + 2)
})

test('a voice note that the owner forwards is read as text of somebody else', async () => {
  speech.answer = `Tell him that the ${lines.values.fact} gate is shut.`
  const before = standing().length
  const sender_user = { id: 66, is_bot: false, first_name: 'Eve' }
  sendVoice('eve', { forward_origin: { type: 'user', date: 1, sender_user } })
  const answer = await saysNow(before, 'gate is shut')
  expect([answer.markup, answer.text.includes('I heard')]).toEqual([undefined, false])
  expect(lines.printed()).not.toContain(lines.values.fact)
})

test('a voice note is answered by a sentence while the speech server is away', async () => {
  speech.answer = { status: 500, body: '{}' }
  const before = standing().length
  sendVoice('away')
  await saysNow(before, /did not hear the voice note: the server that .* gives no answer/)
})
