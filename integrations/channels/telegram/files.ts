/**
 * Fetches files sent to the bot (B-27): locates one at Telegram and reads its bytes up to a limit, whatever size Telegram claims.
 * Must not detect their format (../runtime/files.ts does), nor hold the token (api.ts does). Called through `FilePort`, at the
 * place that holds it.
 */
import * as z from 'zod/mini'
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import { createFiles, type FilesInput } from '../runtime/files.ts'
import type { BotApi } from './api.ts'

export interface TelegramFilesInput extends Omit<FilesInput, 'fetch'> {
  readonly api: BotApi
}

/** The path is valid for an hour; absent when Telegram does not provide the file. */
const FILE = z.object({ file_path: z.optional(z.string()), file_size: z.optional(z.number()) })

export function createTelegramFiles({ api, ...own }: TelegramFilesInput): ReturnType<typeof createFiles> {
  return createFiles({ ...own, fetch: (ref, most) => bytesOf(api, ref, most) })
}

async function bytesOf(api: BotApi, ref: string, most: number): Promise<Result<Uint8Array>> {
  const found = await api.call('getFile', { file_id: ref })
  if (!found.ok) return isTooLarge(found) ? tooLarge(most) : found
  const file = FILE.safeParse(found.value)
  if (!file.success || file.data.file_path === undefined) return err('remote_not_found')
  if ((file.data.file_size ?? 0) > most) return tooLarge(most)
  return api.download(file.data.file_path, most)
}

function tooLarge(max: number): Result<never> {
  return err('response_too_large', { max })
}

function isTooLarge(found: Result<unknown>): boolean {
  return !found.ok && found.reason.facts['why'] === 'too_big'
}
