/**
 * Files sent to the bot, over real sockets: bounded bytes whatever size is claimed, text recognised by its bytes, and the token in
 * no result (B-27, H-04).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createFiles,
  type FileReader,
  type FilesInput,
  textIn,
} from '../../integrations/channels/runtime/files.ts'
import { type BotApi, createBotApi, fetchFile } from '../../integrations/channels/telegram/api.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import type { SentFile } from '../fakes/telegram-files.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'

const SINK = 'sink:telegram:open'
const MOST = 1_000
const transport = createPinnedTransport()
let telegram: ScriptedTelegram

beforeAll(async () => {
  telegram = await startTelegram()
})
afterAll(async () => {
  await transport.close()
  await telegram.close()
})

const filesOf = ({ api, ...own }: Omit<FilesInput, 'fetch'> & { readonly api: BotApi }) =>
  createFiles({ ...own, fetch: (ref, most) => fetchFile(api, ref, most) })

const of = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
let last = 0

async function fetched(file: SentFile, token = BOT_TOKEN, pdf?: FileReader): Promise<Result<FileText>> {
  last += 1
  const ref = `f${last}`
  telegram.order({ files: { [ref]: file } })
  const api = createBotApi({ token, origin: telegram.origin, transport })
  const files = filesOf({
    api,
    holds: (sink) => sink === SINK,
    ...(pdf !== undefined && { pdf }),
  })
  const text = await files.text({ ref, sink: SINK, kind: 'text' }, MOST)
  expect(JSON.stringify(text)).not.toContain(token.slice(5))
  return text
}

it('a text file is returned as its text', async () => {
  expect(await fetched({ bytes: of('Lanterns: 12 €\n') })).toEqual({
    ok: true,
    value: { text: 'Lanterns: 12 €\n' },
  })
  expect(await fetched({ bytes: of('x'.repeat(MOST)) })).toMatchObject({ ok: true })
})

const code = (text: Result<unknown>): string => (text.ok ? 'ok' : text.reason.code)

describe('a file with the bytes of a PDF', () => {
  const taken: string[] = []
  const pdf: FileReader = async (bytes) => {
    taken.push(Buffer.from(bytes).toString())
    return { ok: true, value: { text: 'of its pages', pages: 2 } }
  }

  it('a file with PDF bytes goes to the PDF reader, whatever its name and type', async () => {
    const read = await fetched({ bytes: of('%PDF-1.7 x'), path: 'documents/x.txt' }, BOT_TOKEN, pdf)
    expect([read, taken]).toEqual([{ ok: true, value: { text: 'of its pages', pages: 2 } }, ['%PDF-1.7 x']])
  })

  it.each([
    ['begins otherwise', 'a text on %PDF-1.7', 'ok'],
    ['is a program', '\u007fELF', 'field_malformed'],
    ['is an archive', 'PK\u0003\u0004', 'field_malformed'],
  ])('a file that %s does not go to the PDF reader', async (_what, bytes, reason) => {
    taken.length = 0
    expect(code(await fetched({ bytes: of(bytes) }, BOT_TOKEN, pdf))).toBe(reason)
    expect(taken).toEqual([])
  })

  it('a file with PDF bytes is not read as plain text where there is no reader', async () =>
    expect(code(await fetched({ bytes: of('%PDF-1.7') }))).toBe('field_malformed'))
})

describe('a sound file', () => {
  const heard: string[] = []
  const reader = { id: 'speech', locality: 'home', level: 'regulated', compartments: 'all' } as const
  const sound = {
    reader,
    read: async (bytes: Uint8Array, ending: string) => {
      heard.push(`${ending} ${bytes.length}`)
      return { ok: true, value: { text: 'hello' } } as const
    },
  }
  const ported = () =>
    filesOf({
      ...{ api: createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport }), sound },
      holds: () => true,
    })

  it('a sound goes to the named transcriber, and neither to the PDF reader nor to a model for pictures', () => {
    expect(ported()).toMatchObject({ hears: reader, reads: ['voice', 'audio'] })
  })

  it.each<[string, string, 'voice' | 'audio' | 'text', string]>([
    ['in Ogg', 'OggS and more', 'voice', 'ogg 13'],
    ['in MP3', 'ID3 and more', 'audio', 'mp3 12'],
    ['in MP4', '....ftypM4A ', 'audio', 'm4a 12'],
    ['in WAV', 'RIFF....WAVE', 'audio', 'wav 12'],
    ['that is a PDF', '%PDF-1.7', 'voice', 'field_malformed'],
    ['that is words', 'hello there', 'voice', 'field_malformed'],
    ['of no bytes', '', 'audio', 'field_malformed'],
    ['that says it is a text', 'OggS\u0000', 'text', 'field_malformed'],
  ])('a sound is transcribed or refused: one %s', async (what, bytes, kind, expected) => {
    heard.length = 0
    telegram.order({
      files: { [what]: { bytes: of(bytes), path: `voice/${what.replaceAll(' ', '_')}.oga` } },
    })
    const read = await ported().text({ ref: what, sink: SINK, kind }, MOST)
    expect(read.ok ? heard : [code(read), ...heard]).toEqual([expected])
  })
})

it('a text above the text limit is refused, even where a PDF was expected', async () => {
  const api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport })
  telegram.order({ files: { large: { bytes: of('x'.repeat(300_000)) } } })
  const files = filesOf({ api, holds: () => true })
  expect(code(await files.text({ ref: 'large', sink: SINK, kind: 'pdf' }, 1_000_000))).toBe('field_malformed')
})

describe('a file is refused', () => {
  it.each<[string, SentFile, string]>([
    ['larger than may be, as Telegram says', { bytes: of('x'), told: MOST + 1 }, 'response_too_large'],
    ['larger than Telegram hands over', { bytes: of('x'), told: 21 * 1024 * 1024 }, 'response_too_large'],
    ['larger than Telegram says', { bytes: of('x'.repeat(MOST + 1)), told: 3 }, 'response_too_large'],
    ['without an end', { bytes: of('x'), fault: 'endless' }, 'response_too_large'],
    ['cut off before the length that was said', { bytes: of('hello'), fault: 'more' }, 'network_failed'],
    ['gone from where it was', { bytes: of('x'), fault: 'gone' }, 'remote_not_found'],
    ['that has no path', { bytes: of('x'), fault: 'hidden' }, 'remote_not_found'],
    ['that is to be had elsewhere', { bytes: of('x'), fault: 'redirect' }, 'redirect_refused'],
    ['while the file server is busy', { bytes: of('x'), fault: 'busy' }, 'remote_rate_limited'],
    ['at a path that leads out', { bytes: of('x'), path: '../sendMessage' }, 'remote_rejected'],
    ['at a path of the machine', { bytes: of('x'), path: '/var/lib/x.txt' }, 'remote_rejected'],
    ['at a path with a question', { bytes: of('x'), path: 'a?b=c' }, 'remote_rejected'],
    [
      'that is a picture',
      { bytes: of(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])) },
      'field_malformed',
    ],
  ])('a file is refused: one %s', async (_what, file, reason) =>
    expect(code(await fetched(file))).toBe(reason),
  )

  it('a file larger than its declared size is cut off there and refused', async () => {
    expect(await fetched({ bytes: of('hello there'), fault: 'less' })).toEqual({
      ok: true,
      value: { text: 'hell' },
    })
  })

  it('a file of another bot is refused without a request', async () => {
    const api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport })
    const files = filesOf({ api, holds: () => false })
    const before = telegram.transcript.length
    expect(code(await files.text({ ref: 'f1', sink: SINK, kind: 'text' }, MOST))).toBe('sink_unknown')
    expect(telegram.transcript).toHaveLength(before)
  })

  it('a rate limit of Telegram is returned with its retry delay', async () => {
    telegram.order({ refuse: { code: 429, times: 1, after: 7 } })
    expect(await fetched({ bytes: of('x') })).toMatchObject({
      reason: { code: 'remote_rate_limited', facts: { retryAfter: 7_000 } },
    })
  })

  it('a file request with an invalid token is refused', async () =>
    expect(code(await fetched({ bytes: of('x') }, `4242:${'y'.repeat(35)}`))).toBe('credential_rejected'))
})

describe('plain text by its bytes', () => {
  it.each<[string, string | Uint8Array, boolean]>([
    ['words', 'hello\r\n\tthere', true],
    ['nothing', '', true],
    ['a mark of the byte order', '\ufeffhello', true],
    ['a table', 'a;b\n1;2', true],
    ['a document', '%PDF-1.7 and so on', false],
    ['a page', '\n<!DOCTYPE html><p>hello', false],
    ['rich text', '{\\rtf1 hello}', false],
    ['zeros', 'hello\u0000', false],
    ['an escape', 'hello \u001b[31m', false],
    ['another code', new Uint8Array([0xff, 0xfe, 0x68, 0]), false],
    ['half a character', new Uint8Array([0x68, 0xe2, 0x82]), false],
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 0x14, 0]), false],
  ])('bytes are recognised as text or not: %s', (_what, bytes, isText) =>
    expect(textIn(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes) !== null).toBe(isText),
  )
})
