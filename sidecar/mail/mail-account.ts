/**
 * The owner's mail account over IMAP and SMTP: one login for each piece of work, with the credential of one call, and one copy of
 * a sent mail in the folder of sent mails. Must not keep the credential. Called by lazy-mail.ts and by `pfar connect mail`.
 */
import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { accountIdOf } from '../../integrations/tools/email/folder-name.ts'
import type {
  Letter,
  MailAccount,
  Mailbox,
  MailPowers,
  NewFolder,
  SentLetter,
} from '../../integrations/tools/email/mailbox-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential } from '../../kernel/tool/manifest.ts'
import { composeMail } from './compose-mail.ts'
import { isUnanswered, withImap } from './imap-client.ts'
import { filesOfMail } from './imap-files.ts'
import { listFolders, makeFolder, newFolder, pathOf } from './imap-folders.ts'
import { findMails, idOf, markMails, moveMails, readMail } from './imap-mailbox.ts'
import { mailsNamed } from './imap-named.ts'
import { type MailSettings, serverName } from './mail-settings.ts'
import { checkSmtp, sendBySmtp } from './smtp-client.ts'

/** Time limit for sending a mail and filing its copy, milliseconds: shorter than that of a tool call. */
const SEND_AND_FILE = 27_000

/** `settings`: null if no account is configured. */
export function createMailPowers(settings: MailSettings | null): MailPowers {
  return {
    account: settings === null ? null : createMailAccount(settings),
    digest: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
    compose: (letter, from, keepBcc) => composeMail(letter, { from, name: null, keepBcc }),
  }
}

export function createMailAccount(settings: MailSettings): MailAccount {
  return {
    address: settings.address,
    hosts: [...new Set([serverName(settings.imap), serverName(settings.smtp)])],
    async check(credential) {
      const read = await withImap(settings, credential, async () => ok(true))
      if (!read.ok) return err(read.reason.code, { ...read.reason.facts, server: 'IMAP' })
      const sends = await checkSmtp(settings, credential)
      return sends.ok
        ? ok(settings.address)
        : err(sends.reason.code, { ...sends.reason.facts, server: 'SMTP' })
    },
    open: (credential) => openMailbox(settings, credential),
  }
}

function openMailbox(settings: MailSettings, credential: Credential): Mailbox {
  const reading = <T>(work: (client: ImapFlow) => Promise<Result<T>>): Promise<Result<T>> =>
    withImap(settings, credential, work)
  /** A write without an answer may still have been executed. */
  const writing = async <T>(work: (client: ImapFlow) => Promise<Result<T>>): Promise<Result<T>> => {
    let began = false
    const done = await withImap(settings, credential, (client) => {
      began = true
      return work(client)
    })
    return !done.ok && began && isUnanswered(done.reason)
      ? err('write_outcome_unknown', { after: done.reason.code })
      : done
  }
  return {
    find: (query) =>
      reading((client) =>
        query.ids === undefined ? findMails(client, query) : mailsNamed(client, query.ids),
      ),
    folders: () => reading(listFolders),
    newFolder: (name) => reading(async (client) => inAccount(settings, await newFolder(client, name))),
    makeFolder: (name, place) =>
      writing(async (client) =>
        place === null || place === accountIdOf(settings.address)
          ? inAccount(settings, await makeFolder(client, name))
          : err('event_changed'),
      ),
    unread: () =>
      reading(async (client) => {
        const status = await client.status('INBOX', { unseen: true })
        return status === false ? err('remote_rejected') : ok({ unread: status.unseen ?? 0, more: false })
      }),
    read: (id) => reading((client) => readMail(client, id)),
    files: (id, most, pick) => reading((client) => filesOfMail(client, id, most, pick)),
    mark: (ids, as) => writing((client) => markMails(client, ids, as)),
    move: (ids, to) => writing((client) => moveMails(client, ids, to)),
    draft: (letter) => writing((client) => keepDraft(client, settings, letter)),
    send: (letter) => sendLetter(settings, credential, letter),
  }
}

function inAccount({ address }: MailSettings, name: Result<string>): Result<NewFolder> {
  return name.ok ? ok({ address, name: name.value, place: accountIdOf(address) }) : name
}

async function keepDraft(
  client: ImapFlow,
  settings: MailSettings,
  letter: Letter,
): Promise<Result<string | null>> {
  const path = await pathOf(client, 'drafts')
  if (path === null) return err('mail_folder_missing', { folder: 'drafts' })
  const bytes = await bytesOf(settings, letter, true)
  const kept = await client.append(path, Buffer.from(bytes), ['\\Draft', '\\Seen'])
  if (kept === false) return err('remote_rejected', { rule: 'append' })
  const { uid, uidValidity } = kept
  return ok(uid === undefined || uidValidity === undefined ? null : idOf(path, uidValidity, uid))
}

/** Sends the mail, then files the copy. A copy that could not be filed is reported, and never a reason to send again. */
async function sendLetter(
  settings: MailSettings,
  credential: Credential,
  letter: Letter,
): Promise<Result<SentLetter>> {
  const { to, cc, bcc } = letter
  const began = performance.now()
  const bytes = await bytesOf(settings, letter, false)
  const envelope = { from: letter.from?.address ?? settings.address, to: [...to, ...cc, ...bcc] }
  const sent = await sendBySmtp(settings, credential, { envelope, bytes })
  if (!sent.ok) return sent
  if (settings.filesSent) return ok({ refused: sent.value, filed: true })
  // The mail counts as sent whatever happens to the copy; filing gets the rest of the time limit.
  const left = SEND_AND_FILE - (performance.now() - began)
  const filed = await withImap(settings, credential, (client) => fileSent(client, settings, letter), left)
  return ok({ refused: sent.value, filed: filed.ok })
}

/** Files the copy only if the server has not done so itself. */
async function fileSent(client: ImapFlow, settings: MailSettings, letter: Letter): Promise<Result<true>> {
  const path = await pathOf(client, 'sent')
  if (path === null) return err('mail_folder_missing', { folder: 'sent' })
  const lock = await client.getMailboxLock(path, { readOnly: true })
  try {
    const there = await client.search({ header: { 'message-id': letter.messageId } }, { uid: true })
    if (Array.isArray(there) && there.length > 0) return ok(true)
  } finally {
    lock.release()
  }
  const bytes = await bytesOf(settings, letter, true)
  const kept = await client.append(path, Buffer.from(bytes), ['\\Seen'])
  return kept === false ? err('remote_rejected', { rule: 'append' }) : ok(true)
}

/** Uses the sender of the letter, which its card showed. A name that is only configured was on no card and is not used. */
function bytesOf({ address }: MailSettings, letter: Letter, keepBcc: boolean): Promise<Uint8Array> {
  const from = letter.from ?? { address, name: null }
  return composeMail(letter, { from: from.address, name: from.name, keepBcc })
}
