/**
 * Pictures that somebody sent to the bot, for a model that looks at them (B-27): so many bytes at most, whatever Telegram says of
 * their number, and pictures by their first bytes, whatever anybody says that they are. Must not decide whether one is wanted, look into
 * it, or hold the token (api.ts does). Called through `FilePort`, at the place that holds it.
 */
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { FilePort } from '../../../kernel/powers/file-port.ts'
import { pictureIn } from '../../../kernel/task/picture.ts'
import { bytesOf, type TelegramFilesInput } from './files.ts'

export function createPictureFetch({
  api,
  holds,
}: Pick<TelegramFilesInput, 'api' | 'holds'>): NonNullable<FilePort['picture']> {
  return async ({ ref, sink }, most) => {
    if (!holds(sink)) return err('sink_unknown', { sink })
    const bytes = await bytesOf(api, ref, most)
    if (!bytes.ok) return bytes
    const mediaType = pictureIn(bytes.value)
    if (mediaType === null) return err('field_malformed')
    return ok({ mediaType, data: base64(bytes.value) })
  }
}

/** Bytes that are turned into characters at once: a call takes so many arguments. */
const CHUNK = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
