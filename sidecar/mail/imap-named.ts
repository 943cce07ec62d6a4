/**
 * Mails of the owner's mailbox by their ids, as list entries without texts, for the card of an action on them. Must not fetch a
 * text or mark a mail as read. Called by mail-account.ts.
 */
import type { ImapFlow } from 'imapflow'
import type { FoundMails } from '../../integrations/tools/email/mailbox-port.ts'
import type { JsonRecord } from '../../integrations/tools/reading.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { idOf, placeOf, validityOf } from './imap-mailbox.ts'
import { HEADERS, resourceOf } from './imap-message.ts'

/** In the order of the ids. A mail that no longer exists is omitted. Refusals: tool_arguments_invalid, mail_renumbered. */
export async function mailsNamed(client: ImapFlow, ids: readonly string[]): Promise<Result<FoundMails>> {
  const places = ids.map(placeOf)
  if (!places.every((place) => place !== null)) return err('tool_arguments_invalid', { rule: 'id' })
  const found = new Map<string, JsonRecord>()
  for (const path of new Set(places.map((place) => place.path))) {
    const own = places.filter((place) => place.path === path)
    const lock = await client.getMailboxLock(path, { readOnly: true })
    try {
      const validity = validityOf(client)
      if (own.some((place) => place.validity !== String(validity))) return err('mail_renumbered')
      const uids = own.map(({ uid }) => uid)
      const wanted = { uid: true, flags: true, internalDate: true, bodyStructure: true, headers: HEADERS }
      for (const message of await client.fetchAll(uids, wanted, { uid: true })) {
        const id = idOf(path, validity, message.uid)
        found.set(id, resourceOf(id, message, { preview: '', texts: new Map() }))
      }
    } finally {
      lock.release()
    }
  }
  const messages = ids.flatMap((id) => {
    const mail = found.get(id)
    return mail === undefined ? [] : [mail]
  })
  return ok({ messages, more: false })
}
