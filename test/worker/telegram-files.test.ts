/**
 * Messages that are not text, at the edge's bot, in real workerd with a scripted Bot API and file server: a text file is fetched
 * once and read, every other kind gets one plain sentence, and a misbehaving file server affects only the file (B-27, H-15, H-04).
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SentFile } from '../fakes/telegram-files.ts'
import type { Asked } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { dumpStorage } from './dump.ts'
import { inside } from './edge.ts'
import { answersIn, bring, order, standingIn } from './telegram.ts'

beforeAll(() => order({ chats: [OWNER_ID] }))
afterAll(() => order({ forget: true }))

const SAYS = 'The lantern by the pier opens at nine.'
const bytesOf = (text: string): string => btoa(text)

/** The bot's answers to one such message, and to a greeting after it. */
async function told(extra: object, times = 1): Promise<readonly string[]> {
  const before = (await standingIn(OWNER_ID)).length
  const one = update(messageFrom(OWNER_ID, undefined, extra))
  for (let time = 0; time < times; time += 1) expect(await bring(one)).toEqual({ status: 200 })
  await answersIn(OWNER_ID, before + 1)
  // The greeting's answer shows that nothing else will follow.
  await bring(update(messageFrom(OWNER_ID, 'hello')))
  return (await answersIn(OWNER_ID, before + 2)).slice(before).map(({ text }) => text)
}

async function sent(file: SentFile, document: object = {}): Promise<object> {
  const id = `file${fresh()}`
  await order({ files: { [id]: file } })
  const usual = { file_id: id, file_unique_id: 'u', mime_type: 'text/plain', file_name: 'lantern.txt' }
  return { document: { ...usual, file_size: 38, ...document } }
}

async function downloads(): Promise<number> {
  const all = await (await fetch(`${inject('telegram')}/transcript`)).json<readonly Asked[]>()
  return all.filter(({ method }) => method === 'file').length
}

test('a text file is read, fetched once however often its message is delivered, and stored nowhere in the clear', async () => {
  const before = await downloads()
  const [answer] = await told(await sent({ bytes: bytesOf(SAYS) }), 2)
  expect(answer).toContain(SAYS)
  expect(await downloads()).toBe(before + 1)
  const stored = await inside(OWNER_PRINCIPAL, ({ storage }) => dumpStorage(storage))
  expect(stored).not.toContain(SAYS)
  expect(stored).not.toContain('lantern.txt')
  expect(stored).not.toContain(BOT_TOKEN.split(':')[1])
})

describe('each kind of message has one answer', () => {
  const file = { file_id: 'f', file_unique_id: 'u', file_size: 9 }
  const place = { latitude: 1, longitude: 2 }
  test.each<[string, object, RegExp]>([
    ['a photo', { photo: [{ ...file, width: 1, height: 1 }] }, /photos/],
    ['a video', { video: { ...file, width: 1, height: 1, duration: 1 } }, /videos/],
    ['a round video', { video_note: { ...file, length: 1, duration: 1 } }, /videos/],
    ['an animation', { animation: file, document: { ...file, mime_type: 'video/mp4' } }, /videos/],
    ['a sticker', { sticker: { ...file, emoji: 'x' } }, /stickers/],
    ['a location', { location: place }, /places/],
    ['a venue', { venue: { location: place, title: 'x', address: 'y' }, location: place }, /places/],
    ['a contact', { contact: { phone_number: '1', first_name: 'x' } }, /contact cards/],
    ['a poll', { poll: { id: '1', question: 'x', options: [] } }, /polls/],
    ['a dice', { dice: { emoji: 'x', value: 1 } }, /messages of this kind/],
    ['a story', { story: { id: 1, chat: { id: 1, type: 'private' } } }, /messages of this kind/],
  ])('a message gets its answer: %s', async (_what, extra, words) => {
    const answers = await told(extra)
    expect(answers).toHaveLength(2)
    expect(answers[0]).toMatch(words)
    expect(answers[0]).toMatch(/^I cannot (?:read|look at) .* (?:yet|here)/)
  })

  test('a photo, and an image sent as a file, are not fetched at the edge', async () => {
    const before = await downloads()
    const image = await sent({ bytes: bytesOf('\u00ff\u00d8\u00ff') }, { mime_type: 'image/jpeg' })
    for (const extra of [image, { photo: [{ ...file, width: 1, height: 1 }] }])
      expect((await told(extra))[0]).toMatch(/^I cannot look at photos here/)
    expect(await downloads()).toBe(before)
  })

  test('a caption is answered, with a note on what was not read', async () => {
    const [answer] = await told({ caption: 'help', photo: [{ ...file, width: 1, height: 1 }] })
    expect(answer).toMatch(/^PFAR: I cannot look at photos here.*\n\nI was told/s)
  })
})

describe('a misbehaving file server affects only the file', () => {
  test.each<[string, SentFile, object, RegExp]>([
    ['bytes without end', { bytes: '', fault: 'endless', told: 5 }, {}, /larger than the 256 KB/],
    ['more than was said', { bytes: bytesOf('x'.repeat(300_000)), told: 5 }, {}, /larger than the 256 KB/],
    ['a length that is not so', { bytes: bytesOf(SAYS), fault: 'more' }, {}, /could not fetch/],
    ['a path that has expired', { bytes: bytesOf(SAYS), fault: 'gone' }, {}, /not there any more/],
    ['another address', { bytes: bytesOf(SAYS), fault: 'redirect' }, {}, /could not fetch/],
    ['too many requests', { bytes: bytesOf(SAYS), fault: 'busy' }, {}, /could not fetch/],
    ['what is no text', { bytes: bytesOf('PK\u0003\u0004') }, {}, /says that it is plain text/],
    ['a size that is too large at once', { bytes: bytesOf(SAYS) }, { file_size: 300_000 }, /larger than/],
  ])('the file server’s fault gets a sentence: %s', async (_what, file, document, words) => {
    const answers = await told(await sent(file, document))
    expect(answers).toHaveLength(2)
    expect(answers[0]).toMatch(words)
  })

  test('a 429 to the request for the file’s path gets a sentence', async () => {
    const extra = await sent({ bytes: bytesOf(SAYS) })
    await order({ refuse: { code: 429, times: 1, after: 1 } })
    expect((await told(extra))[0]).toMatch(/could not fetch the file just now/)
  })
})
