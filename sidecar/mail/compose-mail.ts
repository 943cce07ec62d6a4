/**
 * Converts a letter to the bytes of a message (RFC 5322) with nodemailer's composer: plain text, bare addresses, attachments by
 * their bytes; no file and no URL is read. Must not take a header from a text or a name: letter.ts and enclosed.ts refuse line
 * breaks earlier. Called by the mail tool, through `MailPowers`.
 */
import type { Letter } from '../../integrations/tools/email/mailbox-port.ts'

const LOCAL = 'pfar.invalid'

/** `name`: shown beside `from`. */
export async function composeMail(
  letter: Letter,
  {
    from,
    name,
    keepBcc,
  }: { readonly from: string | null; readonly name: string | null; readonly keepBcc: boolean },
): Promise<Uint8Array> {
  const { to, cc, bcc, subject, text, messageId, inReplyTo, references = [], files = [] } = letter
  const addresses = (all: readonly string[]) => all.map((address) => ({ name: '', address }))
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    ...(from !== null && { from: { name: name ?? '', address: from } }),
    ...{ to: addresses(to), cc: addresses(cc), bcc: addresses(bcc), subject, text },
    // Base64 preserves every byte for any type, also the line breaks of a text.
    attachments: files.map(({ name, type, bytes }) => ({
      ...{ filename: name, content: Buffer.from(bytes), contentTransferEncoding: 'base64' as const },
      ...(type !== null && { contentType: type }),
    })),
    messageId: `<${messageId}@${from?.split('@').at(-1) ?? LOCAL}>`,
    ...(inReplyTo !== undefined && { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length > 0 && { references: references.map((id) => `<${id}>`) }),
    // Paths and URLs in the owner's text stay text: nothing is loaded for them.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const node = composer.compile()
  node.keepBcc = keepBcc
  return node.build()
}
