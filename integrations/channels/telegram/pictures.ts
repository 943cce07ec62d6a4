/**
 * Pictures that somebody sent to the bot, for a model that looks at them (B-27): so many bytes at most, whatever Telegram says of
 * their number, and pictures by their first bytes, whatever anybody says that they are. Must not decide whether one is wanted, look into
 * it, or hold the token (api.ts does). Called through `FilePort`, at the place where pictures are looked at.
 */
import { allowed, refused } from '../../../kernel/flow/verdict.ts'
import type { FilePort } from '../../../kernel/powers/file-port.ts'
import type { PictureType } from '../../../kernel/task/picture.ts'
import { beginsAt, bytesOf, type TelegramFilesInput } from './files.ts'

/** Where each format says what it is; a WebP says it twice. */
const MARKS: readonly (readonly [
  type: PictureType,
  ...marks: readonly (readonly [at: number, mark: string])[],
])[] = [
  ['image/jpeg', [0, '\u00ff\u00d8\u00ff']],
  ['image/png', [0, '\u0089PNG\r\n\u001a\n']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
]

export function createPictureFetch({
  api,
  holds,
}: Pick<TelegramFilesInput, 'api' | 'holds'>): NonNullable<FilePort['picture']> {
  return async ({ ref, sink }, most) => {
    if (!holds(sink)) return refused('sink_unknown', { sink })
    const bytes = await bytesOf(api, ref, most)
    if (!bytes.ok) return bytes
    const mediaType = pictureIn(bytes.value)
    if (mediaType === null) return refused('field_malformed')
    return allowed({ mediaType, data: base64(bytes.value) })
  }
}

/** By its first bytes; null for what is no picture that is looked at. */
export function pictureIn(bytes: Uint8Array): PictureType | null {
  const found = MARKS.find(([, ...marks]) => marks.every(([at, mark]) => beginsAt(bytes, at, mark)))
  return found?.[0] ?? null
}

/** Bytes that are turned into characters at once: a call takes so many arguments. */
const CHUNK = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
