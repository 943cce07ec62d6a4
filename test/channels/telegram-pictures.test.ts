/**
 * Pictures sent to the bot, over real sockets (B-27, H-04): bounded bytes, a picture recognised by its first bytes whatever its
 * name, and the token in no result.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiles, type FilesInput } from '../../integrations/channels/runtime/files.ts'
import { type BotApi, createBotApi, fetchFile } from '../../integrations/channels/telegram/api.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import type { SentFile } from '../fakes/telegram-files.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'

const SINK = 'sink:telegram:private'
const MOST = 100_000
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

const of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64')
const JPEG = 'ÿØÿà\u0000\u0010JFIF'
let last = 0

async function fetched(file: SentFile, sink = SINK) {
  last += 1
  telegram.order({ files: { [`p${last}`]: { path: `photos/file_${last}.jpg`, ...file } } })
  const api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport })
  const files = filesOf({ api, holds: (held) => held === SINK })
  const picture = await files.picture({ ref: `p${last}`, sink }, MOST)
  expect(JSON.stringify(picture)).not.toContain(BOT_TOKEN.slice(5))
  return picture.ok ? picture.value : picture.reason.code
}

describe('a picture by its bytes', () => {
  it.each([
    ['a JPEG', JPEG, 'image/jpeg'],
    ['a PNG', '\u0089PNG\r\n\u001a\n and more', 'image/png'],
    ['a WebP', 'RIFF\u0001\u0000\u0000\u0000WEBPVP8 ', 'image/webp'],
    ['one of many bytes', `${JPEG}${'\u0000þ'.repeat(45_000)}`, 'image/jpeg'],
  ])('%s is a picture, returned byte for byte', async (_what, bytes, mediaType) => {
    expect(await fetched({ bytes: of(bytes) })).toEqual({ mediaType, data: of(bytes) })
  })

  it.each([
    ['a GIF', 'GIF89a'],
    ['a HEIC', '\u0000\u0000\u0000\u0018ftypheic'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['a PDF', '%PDF-1.7'],
    ['a sound in RIFF', 'RIFF\u0001\u0000\u0000\u0000WAVE'],
    ['a JPEG that begins later', ` ${JPEG}`],
    ['two bytes of one', 'ÿØ'],
    ['nothing', ''],
  ])('%s is no picture, whatever its name', async (_what, bytes) => {
    expect(await fetched({ bytes: of(bytes) })).toBe('field_malformed')
  })
})

describe('a picture is refused', () => {
  it.each<[string, SentFile, string]>([
    ['larger than may be, as Telegram says', { bytes: of(JPEG), told: MOST + 1 }, 'response_too_large'],
    ['larger than Telegram says', { bytes: of(`${JPEG}${'x'.repeat(MOST)}`), told: 3 }, 'response_too_large'],
    ['without an end', { bytes: of(JPEG), fault: 'endless' }, 'response_too_large'],
    ['gone from where it was', { bytes: of(JPEG), fault: 'gone' }, 'remote_not_found'],
    ['that is to be had elsewhere', { bytes: of(JPEG), fault: 'redirect' }, 'redirect_refused'],
  ])('a picture is refused: one %s', async (_what, file, code) => expect(await fetched(file)).toBe(code))

  it('a picture in a chat that this bot does not hold is refused', async () =>
    expect(await fetched({ bytes: of(JPEG) }, 'sink:telegram:open')).toBe('sink_unknown'))
})
