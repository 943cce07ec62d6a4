/**
 * The mail tool: reads, files, and sends what a card showed, in the mailbox that a call names (I-10 – I-12). Must not store the
 * credential, or take a recipient from a mail. Called through integrations/tools/port.ts.
 */
import type { Sender } from '../../../kernel/features/sender/sender.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { createZone } from '../../dates/zone.ts'
import type { HtmlText } from '../../extractors/page.ts'
import type { FileReading } from '../../extractors/readable.ts'
import { googleCheck } from '../google-connect.ts'
import { hasName, type JsonRecord, recordOf } from '../reading.ts'
import { inSeveral, type Opened } from './accounts.ts'
import { filesToSend, lookEnclosed, sentOnBy } from './enclosed.ts'
import { isOfOwnMail } from './folder-name.ts'
import { namedIn, runFolders, shownFolder } from './folders.ts'
import { openGmail } from './gmail.ts'
import { MAIL_CONNECT } from './mail-connect.ts'
import type { ChangedMails, Letter, Mailbox, MailPowers, MailQuery, OwnFiles } from './mailbox-port.ts'
import {
  DEFAULT_EMAILS,
  EMAIL_FOLDERS,
  EMAIL_MANIFEST,
  EMAIL_MARKS,
  type EmailFolder,
  MAX_EMAILS,
} from './manifest.ts'
import { leavingOf } from './message/leaving.ts'
import { draftLetter, forwardLetter, newLetter, replyLetter, type Writing } from './message/letter.ts'
import { partsOfName } from './message/mailbox.ts'
import { isInvitation, partsOf } from './message/mime.ts'
import { NO_SENDER, type WrittenAs, writtenAs } from './message/sender.ts'
import { invitedIn, readAttachment, readInvitation } from './opened.ts'
import { severalManifest } from './several-manifest.ts'
import { shapeListed, shapeRead } from './shape.ts'
import { digest, heard, promises, recipients } from './summaries.ts'
import { whichInto } from './which.ts'

export interface EmailOptions {
  /** Origin of the Gmail API. */
  readonly baseUrl?: string
  /** The owner's names for the mailboxes. A call that names another one is refused (I-12). */
  readonly accounts?: readonly string[]
  readonly htmlText: HtmlText
  /** Absent: Gmail's API only, which cannot compose. */
  readonly mail?: MailPowers
  /** Reads documents in a separate process; absent: only plain text files of mails are read. */
  readonly document?: FileReading['document']
  /** Files of the owner's folders that can be attached; absent: none. */
  readonly ownFiles?: OwnFiles
  /** Time zone of where the owner is, IANA name; absent: UTC. */
  readonly timezone?: string
  /** The owner's sender settings; absent: none are set. */
  readonly sender?: () => Promise<Sender>
}

const GMAIL = 'https://gmail.googleapis.com'

export function createEmailTool(options: EmailOptions): Tool {
  const base = options.baseUrl ?? GMAIL
  const { host } = new URL(base)
  const own = options.mail?.account ?? null
  const sender = options.sender ?? (async () => NO_SENDER)
  const google = { ...EMAIL_MANIFEST, network: [host] }
  const several = options.mail?.several
  const one =
    own === null
      ? google
      : { ...google, network: [...own.hosts, host], credential: MAIL, connect: MAIL_CONNECT }
  return {
    manifest: several === undefined ? one : severalManifest(one, several, host),
    check:
      own === null
        ? googleCheck(base, '/gmail/v1/users/me/profile')
        : ({ credential }) => own.check(credential),
    execute: async (call) => {
      const as = await sender()
      const gmail = (opened: ToolCall): Mailbox => gmailOf(opened, options, base)
      const runIn = (inner: ToolCall, opened: Opened) => run(inner, { sender: as, ...opened, options })
      if (several !== undefined) return inSeveral(call, several, { sender: as, gmail, run: runIn })
      const opened = openFor(call, options, base)
      return opened.ok ? runIn(call, opened.value) : opened
    },
  }
}

/** Name of the credential of an account that is accessed by IMAP and SMTP. */
export const MAIL = 'mail'

function openFor(call: ToolCall, options: EmailOptions, base: string): Result<Opened> {
  const account = call.args['account']
  const own = options.mail?.account ?? null
  if (own !== null && (account === undefined || account === own.address))
    return call.credential === null
      ? err('credential_missing')
      : ok({ mailbox: own.open(call.credential), address: own.address })
  if (account !== undefined && !(options.accounts ?? []).some((name) => name === account))
    return err('credential_mismatch', { rule: 'account' })
  return ok({ mailbox: gmailOf(call, options, base), address: null })
}

function gmailOf(call: ToolCall, { mail }: EmailOptions, base: string): Mailbox {
  const compose = mail?.compose ?? (() => Promise.reject(new Error('nothing composes mail here')))
  return openGmail(call, { base, sends: base !== GMAIL && mail !== undefined, compose })
}

interface Having extends Opened {
  readonly options: EmailOptions
  readonly sender: Sender
}

async function run(call: ToolCall, having: Having): Promise<ToolOutcome> {
  const { args } = call
  const { mailbox } = having
  const sending: Sending = { call, ...having }
  switch (call.action) {
    case 'email.list':
      return listInbox(mailbox, args, ownOf(having))
    case 'email.search':
      return list(mailbox, args, { folder: namedIn(args) ?? folderOf(args['folder']), own: ownOf(having) })
    case 'email.folders':
    case 'email.new_folder':
    case 'email.make_folder':
      return runFolders(call, mailbox)
    case 'email.recipients':
      return recipients(mailbox)
    case 'email.which':
      return whichInto(mailbox, args, ownOf(having))
    case 'email.digest':
      return digest(mailbox, args, having.options)
    case 'email.heard':
      return heard(mailbox, args)
    case 'email.promises':
      return promises(mailbox, call, having.options)
    case 'email.count':
      return toOutcome(await mailbox.unread())
    case 'email.read':
      return read(mailbox, String(args['id']), having)
    case 'email.draft':
      return draft(sending)
    case 'email.send':
      return send(sending, newLetter)
    case 'email.reply':
      return reply(sending)
    case 'email.forward':
      return send(sending, forwardLetter)
    case 'email.enclosed':
      return look(sending)
    case 'email.attachment':
      return readAttachment(args, { mailbox, reading: readingOf(having.options) })
    case 'email.invitation':
      return readInvitation(args, { mailbox, reading: readingOf(having.options) })
    case 'email.leaving':
      return leaving(mailbox, String(args['id']))
    case 'email.unsubscribe':
      return unsubscribe(sending)
    case 'email.mark':
      return mark(mailbox, args)
    default:
      return move(call, mailbox)
  }
}

/**
 * For one person, filters the server's result, because a server also matches parts of words; each returned mail has all of them
 * as whole words.
 */
async function listInbox(
  mailbox: Mailbox,
  args: ToolCall['args'],
  own: readonly string[],
): Promise<ToolOutcome> {
  const { from } = args
  const among = { folder: namedIn(args) ?? ('inbox' as const), own }
  if (typeof from !== 'string' || from.trim() === '') return list(mailbox, args, among)
  return list(mailbox, args, among, (mail) => hasName(`${mail.fromName ?? ''} ${mail.from ?? ''}`, from))
}

async function list(
  mailbox: Mailbox,
  args: ToolCall['args'],
  { folder, own }: { readonly folder: MailQuery['folder']; readonly own: readonly string[] },
  isMeant: (mail: { readonly from?: string; readonly fromName?: string }) => boolean = () => true,
): Promise<ToolOutcome> {
  const count = args['count'] ?? DEFAULT_EMAILS
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return err('tool_arguments_invalid', { rule: 'count' })
  const words = ['words', 'from', 'to', 'since', 'before'].flatMap((name) => {
    const value = args[name]
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : []
  })
  const unread = typeof args['unread'] === 'boolean' ? args['unread'] : undefined
  const query: MailQuery = {
    ...Object.fromEntries(words),
    ...(unread !== undefined && { unread }),
    ...(folder !== undefined && { folder }),
    count: Math.min(count, MAX_EMAILS),
  }
  // Punctuation alone is no name, and an empty name would match everybody.
  const isNobody = [query.from, query.to].some((name) => name !== undefined && partsOfName(name).length === 0)
  if (isNobody) return { ok: true, output: { emails: [], more: false } }
  const found = await mailbox.find(query)
  if (!found.ok) return found
  const emails: object[] = []
  const isOwn = isOfOwnMail(folder)
  for (const message of found.value.messages) {
    const shaped = shapeListed(message, { isOwn, own })
    if (!shaped.ok) return shaped
    // A server without this search returns all mails.
    const fits = unread === undefined || shaped.value.unread === unread
    if (fits && isMeant(shaped.value)) emails.push(shaped.value)
  }
  const { more, some, folder: named } = found.value
  const about = { ...(some && { some }), ...(named !== undefined && { folder: shownFolder(named) }) }
  return { ok: true, output: { emails, more, ...about } }
}

async function read(mailbox: Mailbox, id: string, having: Having): Promise<ToolOutcome> {
  const { htmlText, timezone = 'UTC' } = having.options
  const message = await mailbox.read(id)
  if (!message.ok) return message
  const invites = partsOf(recordOf(message.value, 'payload')).some(isInvitation)
  const events = invites ? await invitedIn(id, { mailbox, reading: readingOf(having.options) }) : ok([])
  // The mail is read even if its invitation cannot be.
  const invited = events.ok ? events.value : []
  return toOutcome(
    await shapeRead(message.value, htmlText, ownOf(having), { zone: createZone(timezone), invited }),
  )
}

/** Addresses of the owner. */
function ownOf({ options: { mail, accounts = [] }, sender, addresses = [] }: Having): readonly string[] {
  const account = mail?.account == null ? [] : [mail.account.address]
  return [...account, ...accounts, ...addresses, ...sender.addresses]
}

/**
 * Looks up sender, signature and files before the owner is asked. Reads the answered mail only if it could determine the sender
 * address.
 */
async function look(sending: Sending): Promise<ToolOutcome> {
  const { call, mailbox, sender } = sending
  const { args } = call
  const { answers } = args
  const answered =
    typeof answers === 'string' && sender.addresses.length > 0
      ? await mailbox.read(answers)
      : ok<JsonRecord | null>(null)
  if (!answered.ok) return answered
  const written = writtenAs(sender, sending.address, { args, answered: answered.value, named: sending.named })
  return written.ok ? lookEnclosed(args, sourcesOf(sending, written.value)) : written
}

async function draft(sending: Sending): Promise<ToolOutcome> {
  const { call, mailbox } = sending
  const { answers } = call.args
  const answered = typeof answers === 'string' ? await mailbox.read(answers) : ok<JsonRecord | null>(null)
  if (!answered.ok) return answered
  const made = await written(sending, answered.value, (args, writing) =>
    draftLetter(args, writing, answered.value),
  )
  const kept = made.ok ? await (sending.out ?? mailbox).draft(made.value) : made
  return kept.ok ? { ok: true, output: kept.value === null ? {} : { id: kept.value } } : kept
}

async function reply(sending: Sending): Promise<ToolOutcome> {
  const { call, mailbox } = sending
  const answered = await mailbox.read(String(call.args['id']))
  if (!answered.ok) return answered
  return send(sending, (args, writing) => replyLetter(args, writing, answered.value), answered.value)
}

async function leaving(mailbox: Mailbox, id: string): Promise<ToolOutcome> {
  const message = await mailbox.read(id)
  if (!message.ok) return message
  const way = leavingOf(recordOf(message.value, 'payload'))
  return { ok: true, output: { id, ...way, unnamed: way.leave === 'none' } }
}

/**
 * Sends to the address in the mail, from the address that the mail was sent to, both as on the card; unsigned. Refusals:
 * list_not_named, and those of sending.
 */
async function unsubscribe(sending: Sending): Promise<ToolOutcome> {
  const { call, mailbox } = sending
  const { args } = call
  const from = await mailbox.read(String(args['id']))
  if (!from.ok) return from
  const { address } = leavingOf(recordOf(from.value, 'payload'))
  if (address === undefined) return err('list_not_named')
  if (address !== args['to']) return err('mail_recipient_differs', { rule: 'unsubscribe' })
  const subject = typeof args['subject'] === 'string' ? args['subject'] : 'unsubscribe'
  const leaves = { to: [address], subject, body: 'unsubscribe' }
  return send(sending, (_, writing) => newLetter(leaves, { ...writing, signature: null }), from.value)
}

interface Sending extends Having {
  readonly call: ToolCall
}

type Sources = Parameters<typeof lookEnclosed>[1]

function sourcesOf({ call, mailbox, options }: Sending, written: WrittenAs): Sources {
  const sentOn = sentOnBy(call.action, call.args)
  return { mailbox, ownFiles: options.ownFiles, digest: options.mail?.digest, sentOn, written }
}

function readingOf({ document, htmlText }: EmailOptions): FileReading {
  return { htmlText, document: document ?? (async () => err('file_not_text')) }
}

type Making = (args: ToolCall['args'], writing: Writing) => Result<Letter>

/** The letter with the approved sender, signature and files. Refusals: those of `make`, mail_identity_unknown, event_changed. */
async function written(sending: Sending, answered: JsonRecord | null, make: Making): Promise<Result<Letter>> {
  const { call, sender, address, named } = sending
  const { args } = call
  const as = writtenAs(sender, address, { args, answered, named })
  if (!as.ok) return as
  const { from, signature, plain } = as.value
  const letter = make(args, { messageId: messageIdOf(call), signature })
  if (!letter.ok) return letter
  const files = await filesToSend(args, sourcesOf(sending, as.value))
  if (!files.ok) return files
  return ok({ ...letter.value, files: files.value, ...(from !== null && !plain && { from }) })
}

async function send(
  sending: Sending,
  make: Making,
  answered: JsonRecord | null = null,
): Promise<ToolOutcome> {
  const letter = await written(sending, answered, make)
  return letter.ok ? hand(sending.out ?? sending.mailbox, letter.value) : letter
}

async function hand(mailbox: Mailbox, letter: Letter): Promise<ToolOutcome> {
  const all = [...letter.to, ...letter.cc, ...letter.bcc]
  if (all.length === 0) return err('tool_arguments_invalid', { rule: 'address' })
  const sent = await mailbox.send(letter)
  if (!sent.ok) return sent
  const { refused, filed } = sent.value
  const taken = all.filter((one) => !refused.includes(one))
  return { ok: true, output: { to: taken, refused, filed } }
}

async function mark(mailbox: Mailbox, args: ToolCall['args']): Promise<ToolOutcome> {
  const as = EMAIL_MARKS.find((one) => one === args['as'])
  return as === undefined
    ? err('tool_arguments_invalid', { rule: 'as' })
    : moved(await mailbox.mark(idsOf(args), as))
}

const PLACES: Readonly<Record<string, EmailFolder>> = {
  ...{ 'email.archive': 'archive', 'email.spam': 'spam', 'email.delete': 'trash' },
}

async function move({ action, args }: ToolCall, mailbox: Mailbox): Promise<ToolOutcome> {
  if (action === 'email.file')
    return moved(await mailbox.move(idsOf(args), { named: String(args['folder']) }))
  const to = action === 'email.move' ? folderOf(args['to']) : PLACES[action]
  return to === undefined ? err('tool_unknown') : moved(await mailbox.move(idsOf(args), to))
}

function moved(changed: Result<ChangedMails>): ToolOutcome {
  if (!changed.ok) return changed
  const { ids, gone } = changed.value
  return { ok: true, output: { emails: ids.map((id) => ({ id })), changed: changed.value.changed, gone } }
}

function idsOf(args: ToolCall['args']): readonly string[] {
  const ids = args['ids']
  return Array.isArray(ids) ? [...new Set(ids.map(String))] : []
}

function folderOf(value: unknown): EmailFolder | undefined {
  return EMAIL_FOLDERS.find((folder) => folder === value)
}

/** The same for the same capability, so that a second delivery of the mail can be recognised. */
function messageIdOf({ capability }: ToolCall): string {
  const hex = [...new TextEncoder().encode(capability.claims.id)].map((byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return hex.join('')
}

function toOutcome(shaped: Result<object>): ToolOutcome {
  return shaped.ok ? { ok: true, output: shaped.value } : shaped
}
