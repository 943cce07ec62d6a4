/**
 * Attachments of one mail, by IMAP, as bytes, for forwarding. Bounded by the sizes that the server reports, and by the bytes that
 * arrive. Must not decode a text or write a file. Called by mail-account.ts.
 */
import type { ImapFlow } from 'imapflow'
import type { FilesBound, MailFile, PickFiles } from '../../integrations/tools/email/mailbox-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { inMail } from './imap-mailbox.ts'
import { fileParts } from './imap-message.ts'

/** Bytes of one request: few round trips, and no response that fills memory. */
const CHUNK = 1_048_576

export function filesOfMail(
  client: ImapFlow,
  id: string,
  most: FilesBound,
  pick?: PickFiles,
): Promise<Result<readonly MailFile[]>> {
  return inMail(client, id, async (uid) => {
    const message = await client.fetchOne(uid, { uid: true, bodyStructure: true }, { uid: true })
    if (message === false) return err('remote_not_found')
    const all = fileParts(message.bodyStructure)
    const picked = pick?.(all.map(({ name }) => name))
    if (picked?.ok === false) return picked
    const parts = picked === undefined ? all : all.filter((_, place) => picked.value.includes(place))
    // A download that would be too large is not started.
    const least = parts.reduce((sum, part) => sum + part.least, 0)
    if (parts.length > most.count || least > most.bytes) return err('file_too_large')
    const files: MailFile[] = []
    let left = most.bytes
    for (const { key, name, type } of parts) {
      const bytes = await bytesOf(client, { uid, key, most: left })
      if (!bytes.ok) return bytes
      left -= bytes.value.length
      files.push({ name, type, bytes: bytes.value })
    }
    return ok(files)
  })
}

async function bytesOf(
  client: ImapFlow,
  { uid, key, most }: { readonly uid: string; readonly key: string; readonly most: number },
): Promise<Result<Uint8Array>> {
  const { content } = await client.download(uid, key, { uid: true, chunkSize: CHUNK, decodeText: false })
  if (content === undefined) return err('remote_not_found')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop ends the download.
    if (length > most) return err('file_too_large')
    chunks.push(chunk)
  }
  return ok(Buffer.concat(chunks))
}
