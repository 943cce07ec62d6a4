/**
 * A letter → the bytes of a message (RFC 5322), by nodemailer's composer: plain text, bare addresses, no file and no URL is read. Must not take a
 * header from a text: line breaks are refused before (letter.ts). Called by the mail tool, through `MailPowers`.
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
  const { to, cc, bcc, subject, text, messageId, inReplyTo, references = [] } = letter
  const addresses = (all: readonly string[]) => all.map((address) => ({ name: '', address }))
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    ...(from !== null && { from: { name: name ?? '', address: from } }),
    ...{ to: addresses(to), cc: addresses(cc), bcc: addresses(bcc), subject, text },
    messageId: `<${messageId}@${from?.split('@').at(-1) ?? LOCAL}>`,
    ...(inReplyTo !== undefined && { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length > 0 && { references: references.map((id) => `<${id}>`) }),
    // What stands in the owner's text is text: nothing is fetched for it.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const node = composer.compile()
  node.keepBcc = keepBcc
  return node.build()
}
