/**
 * Edits the mailboxes in the owner's `config.toml`: adds one, names the first, and sets the default. Must not hold a password.
 * Called by `pfar connect mail`.
 */
import { stringify } from 'smol-toml'
import { parseConfig } from '../config/config.ts'
import { editConfig, withSetting, withTable } from '../config/config-edit.ts'
import { type MailSettings, serverName } from './mail-settings.ts'

/** The values of `[tools.mail]` or of an entry of its accounts. */
export function mailTable(settings: MailSettings): Readonly<Record<string, unknown>> {
  const { address, user, account, name, also = [], signature = null, imap, smtp, filesSent, own } = settings
  return {
    ...(account !== undefined && { account }),
    address,
    ...(name !== null && { name }),
    ...(also.length > 0 && { also }),
    ...(signature !== null && { signature }),
    ...(user !== address && { user }),
    ...{ imap: serverName(imap), smtp: serverName(smtp) },
    ...(filesSent && { files_sent: true }),
    ...(own !== null && { own: { ...own } }),
  }
}

/** `[[tools.mail.accounts]]`, followed by the table of a server on the owner's own network. */
export function otherMailTable(settings: MailSettings): string {
  const text = stringify({ tools: { mail: { accounts: [mailTable(settings)] } } }).trim()
  return `${text.replace(/^(?:\[tools(?:\.mail)?\]\s+)+/, '')}\n`
}

/** False if the file cannot be written, or would be invalid. */
export function addMailbox(path: string, settings: MailSettings): boolean {
  return editConfig(path, (text) => {
    const changed = withTable(text, otherMailTable(settings))
    const after = changed === null ? null : parseConfig(changed)
    const isThere =
      after?.ok === true && after.value.otherMail.some((one) => one.account === settings.account)
    return isThere ? changed : null
  })
}

/**
 * `account`: the owner's name for the first mailbox; `default`: the name of the mailbox that sends. `replaces`: the present
 * value; null for none.
 */
export function writeMailKey(
  path: string,
  key: 'account' | 'default',
  { value, replaces }: { readonly value: string; readonly replaces: string | null },
): boolean {
  if (value === replaces) return true
  return editConfig(path, (text) => withSetting(text, { table: 'tools.mail', key, value, replaces }))
}
