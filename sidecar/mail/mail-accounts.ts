/**
 * The owner's IMAP and SMTP mailboxes, the name of each, and the secret with its password. The first has the names that it had
 * when only one was possible. Pure; must not hold a password. Called by config.ts, by `pfar connect mail`, and by the parts that
 * open, watch or name a mailbox.
 */
import { ACCOUNT_NAME } from '../calendar/calendar-settings.ts'
import { type MailSettings, parseServer, senderOf } from './mail-settings.ts'

/** Maximum number of mailboxes besides the first: each is queried for each read. */
export const MOST_OTHER_MAIL = 7
/** Name of the secret with the first mailbox's password. */
const FIRST = 'mail'

/** Shape of `[tools.mail]` and of each entry of its `accounts`. */
interface MailTable {
  readonly address: string
  readonly user?: string | undefined
  readonly name?: string | undefined
  readonly also?: readonly string[] | undefined
  readonly signature?: string | undefined
  readonly imap: string
  readonly smtp: string
  readonly files_sent: boolean
  readonly own?: MailSettings['own'] | undefined
  readonly account?: string | undefined
}

interface MailTables extends MailTable {
  readonly default?: string | undefined
  readonly accounts: readonly (MailTable & { readonly account: string })[]
}

export interface MailConfig {
  /** The first mailbox; null without one. Its password is the secret `mail`. */
  readonly mail: MailSettings | null
  /** Further mailboxes. The secret of each is `mail-` and the owner's name for it. */
  readonly otherMail: readonly MailSettings[]
  /** The owner's name of the mailbox that sends by default; null: the first. */
  readonly mailDefault: string | null
}

const NONE: MailConfig = { mail: null, otherMail: [], mailDefault: null }

export function mailOf(tables: MailTables | undefined): MailConfig {
  const mail = tables === undefined ? null : settingsOf(tables)
  if (tables === undefined || mail === null) return NONE
  const otherMail = tables.accounts.flatMap((table) => settingsOf(table) ?? [])
  return { mail, otherMail, mailDefault: tables.default ?? null }
}

function settingsOf(table: MailTable): MailSettings | null {
  const [imap, smtp] = [parseServer(table.imap), parseServer(table.smtp)]
  if (imap === null || smtp === null) return null
  const { address, user = address, name = null, files_sent: filesSent, own = null, account } = table
  const called = account === undefined ? {} : { account }
  return { address, user, name, ...senderOf(table), imap, smtp, filesSent, own, ...called }
}

export interface OwnMailbox {
  /** The owner's name for it, which begins the ids of its mails (except for the first mailbox). */
  readonly name: string
  /** Name of the secret with its password. */
  readonly secret: string
  /** Account name in a request for its credential: null for the first. */
  readonly account: string | null
  readonly settings: MailSettings
}

/** The first mailbox comes first. */
export function ownMailboxes({
  mail,
  otherMail,
}: Pick<MailConfig, 'mail' | 'otherMail'>): readonly OwnMailbox[] {
  if (mail === null) return []
  const others = otherMail.map((settings) => {
    const name = settings.account ?? ''
    return { name, secret: mailSecret(name), account: name, settings }
  })
  const taken = others.map(({ name }) => name)
  const name = mail.account ?? accountNameOf(mail.address, taken)
  return [{ name, secret: FIRST, account: null, settings: mail }, ...others]
}

/** Address of the mailbox that sends by default; undefined for the first. */
export function defaultAddress(config: MailConfig): string | undefined {
  return ownMailboxes(config).find(({ name }) => name === config.mailDefault)?.settings.address
}

export function mailSecret(account: string): string {
  return `${FIRST}-${account}`
}

/** A name derived from the domain of its address that is not in `taken`. */
export function accountNameOf(address: string, taken: readonly string[]): string {
  const domain = address.split('@').at(-1)?.toLowerCase() ?? ''
  const plain = (domain.split('.')[0] ?? '')
    .replaceAll(/[^a-z0-9-]/g, '')
    .replace(/^-+/, '')
    .slice(0, 20)
  const base = ACCOUNT_NAME.test(plain) ? plain : FIRST
  const names = [base, ...taken.map((_, at) => `${base}-${at + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? base
}

/** The problem with the names; null if there is none. With a duplicate name it would be ambiguous whose mail is meant. */
export function mailProblem(config: MailConfig): string | null {
  const boxes = ownMailboxes(config)
  const isTwice = (all: readonly string[]): boolean => new Set(all).size < all.length
  if (
    isTwice(boxes.map(({ name }) => name)) ||
    isTwice(boxes.map((one) => one.settings.address.toLowerCase()))
  )
    return 'must each have a name and an address of their own'
  if (config.mailDefault !== null && !boxes.some(({ name }) => name === config.mailDefault))
    return 'must name a mailbox that is there as the default'
  return null
}
