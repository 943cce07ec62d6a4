/**
 * `pfar connect mail you@example.com`: finds the servers, says how to get a password, asks for it without echo, tries both
 * servers and stores it only if both accept it. Must not print the password, or take it from an argument. Called by
 * local/secret.ts.
 */
import { isIP } from 'node:net'
import { stringify } from 'smol-toml'
import { isAddress } from '../../../integrations/tools/reading.ts'
import {
  isSameAddress,
  MOST_ADDRESSES,
  senderAddress,
  senderName,
  signatureText,
} from '../../../kernel/features/sender/sender.ts'
import { ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { loadConfig } from '../../config/config.ts'
import { writeMailSetting } from '../../config/config-edit.ts'
import { yesIn } from '../../init/answers.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { type FoundSettings, findSettings } from '../../mail/find-settings.ts'
import { createMailAccount } from '../../mail/mail-account.ts'
import { MOST_OTHER_MAIL, mailSecret, type OwnMailbox, ownMailboxes } from '../../mail/mail-accounts.ts'
import { mailTable } from '../../mail/mail-edit.ts'
import {
  FINGERPRINT,
  type MailSettings,
  type OwnNetwork,
  parseServer,
  serverName,
} from '../../mail/mail-settings.ts'
import { openTls } from '../../mail/mail-socket.ts'
import { checkValue } from '../../secrets/secret.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { statePaths } from '../state-paths.ts'
import { readyForSecrets } from './custody-question.ts'
import { changeMailbox, hasSecret, keepOther, mailboxName } from './mail-more.ts'
import { connectCommand, secretSentence, sendToService } from './secret-command.ts'

export interface MailOptions {
  readonly address?: string
  /** Host and port of each server, if they cannot be found by the address. */
  readonly imap?: string
  readonly smtp?: string
  readonly user?: string
  /** For a server on the owner's own network: its IP address, and the fingerprint of its certificate. */
  readonly ownAddress?: string
  readonly fingerprint?: string
  /** Sender settings: a name, further addresses, and a signature. */
  readonly name?: string
  readonly also?: readonly string[]
  readonly signature?: string
  /** The owner's name for the mailbox, needed if there are several. */
  readonly account?: string
  /** Whether this mailbox sends by default. */
  readonly default?: boolean
  readonly allowDevelopmentKey: boolean
  /** Null if nobody can be asked. */
  readonly asker: TerminalAsker | null
}

/**
 * For a mailbox that is set up, asks for the password as for any other service, and home tests it; another address is a further
 * mailbox.
 */
export async function connectMail(context: CommandContext, options: MailOptions): Promise<ExitCode> {
  const { screen, environment } = context
  const config = loadConfig(environment, statePaths(environment).root)
  if (!config.ok) return fail(context, config)
  const boxes = ownMailboxes(config.value)
  const { address } = options
  const known = boxes.find((one) => address === undefined || isSameAddress(one.settings.address, address))
  if (known !== undefined && (options.account !== undefined || options.default === true))
    return changeMailbox(context, known, { ...options, mailDefault: config.value.mailDefault })
  if (known?.account === null) return connectCommand(context, { service: 'mail', ...options })
  if (known !== undefined && hasSecret(context, known.secret)) {
    screen.err(tell('mail_setup.is_connected', { address: known.settings.address, secret: known.secret }))
    return 1
  }
  if (known !== undefined) {
    const stored = await storePassword(context, known, options)
    if (stored === 0) screen.out(tell('mail_setup.connected_again', { name: known.name }))
    return stored
  }
  if (boxes.length > MOST_OTHER_MAIL) {
    screen.err(tell('mail_setup.too_many', { count: boxes.length }))
    return 1
  }
  const sender = senderIn(options)
  if (sender === null) {
    screen.err(tell('mail_setup.sender_wrong'))
    return 1
  }
  const found = await settingsFor(context, options)
  if (found === null) return 1
  const taken = boxes.map(({ name }) => name)
  const asked = boxes.length > 0 || options.account !== undefined
  const name = asked
    ? await mailboxName(found.address, { typed: options.account, taken, asker: options.asker })
    : null
  if (asked && name === null) {
    screen.err(tell('mail_setup.name_help'))
    return 1
  }
  const settings: MailSettings = { ...found, ...sender, ...(name !== null && { account: name }) }
  const isFirst = boxes.length === 0
  const secret = isFirst ? 'mail' : mailSecret(name ?? '')
  const stored = await storePassword(context, { secret, settings }, options)
  if (stored !== 0) return stored
  return isFirst ? keep(context, settings) : keepOther(context, settings, options.default === true)
}

/** Asks for the password without echo, tests it at both servers, and seals it for these servers only. */
async function storePassword(
  context: CommandContext,
  { secret, settings }: Pick<OwnMailbox, 'secret' | 'settings'>,
  options: MailOptions,
): Promise<ExitCode> {
  const { screen } = context
  const ready = await readyForSecrets(context, options)
  if (!ready.ok) return refuse(context, ready.reason)
  const { allowDevelopmentKey } = ready.value
  options.asker?.letGo()
  const typed = await readValue(prompt('mail_setup.password', { address: settings.address }))
  // App passwords are shown in groups of four.
  const value = typed.ok ? checkValue('token', ungrouped(typed.value)) : typed
  if (!value.ok) return refuse(context, value.reason)
  screen.out(tell('mail_setup.trying', { imap: serverName(settings.imap), smtp: serverName(settings.smtp) }))
  const account = createMailAccount(settings)
  const tried = await account.check({ scheme: 'bearer', value: value.value })
  if (!tried.ok) return refuse(context, tried.reason)
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name: secret, value: value.value, kind: 'token', allowDevelopmentKey },
      ...{ tools: ['email'], actions: [], hosts: account.hosts },
    },
  })
  if (stored.ok) return 0
  screen.err(secretSentence(stored.reason))
  return 1
}

/** The sender settings; null if one is invalid. `\\n` in the signature is a line break. */
function senderIn({
  name,
  also = [],
  signature,
}: MailOptions): Pick<MailSettings, 'name' | 'also' | 'signature'> | null {
  const named = name === undefined ? ok(null) : senderName(name)
  const text = signature === undefined ? ok(null) : signatureText(signature.replaceAll('\\n', '\n'))
  const addresses = also.map(senderAddress)
  if (!named.ok || !text.ok || also.length > MOST_ADDRESSES) return null
  if (!addresses.every((one) => one.ok)) return null
  return { name: named.value, signature: text.value, also: addresses.map(({ value }) => value) }
}

async function keep(context: CommandContext, settings: MailSettings): Promise<ExitCode> {
  const { screen, environment } = context
  const lines = tableOf(settings)
  if (writeMailSetting(statePaths(environment).config, lines, settings.address) === 'by_hand') {
    screen.err(tell('mail_setup.by_hand', { lines }))
    return 1
  }
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(tell('mail_setup.connected', { address: settings.address }))
  if (settings.name === null && settings.signature == null) screen.out(tell('mail_setup.sender_later'))
  screen.out(tell(runs.ok ? 'mail_setup.start_again' : 'mail_setup.start'))
  return 0
}

/** Null if the owner has to give more information; what is missing has been printed. */
export async function settingsFor(
  context: CommandContext,
  options: MailOptions,
  find: (address: string) => Promise<FoundSettings | null> = findSettings,
): Promise<MailSettings | null> {
  const { screen } = context
  const { address = '', imap, smtp, user, ownAddress } = options
  const more = (words: string): null => {
    screen.err(words)
    return null
  }
  if (!isAddress(address)) return more(tell('mail_setup.no_address'))
  const domain = address.split('@').at(-1) ?? ''
  const by = `pfar connect mail ${address} --imap imap.${domain}:993 --smtp smtp.${domain}:465`
  if (imap !== undefined || smtp !== undefined) {
    const [in_, out] = [parseServer(imap ?? ''), parseServer(smtp ?? '')]
    if (in_ === null || out === null) return more(tell('mail_setup.both_servers', { by }))
    const own = ownAddress === undefined ? ok(null) : await ownNetwork(context, options, in_)
    if (own === null || !own.ok) return null
    const named = { address, user: user ?? address, name: null, imap: in_, smtp: out, filesSent: false }
    return { ...named, own: own.value }
  }
  const found = await find(address)
  if (found?.how === 'closed') return more(found.why)
  if (options.asker !== null) {
    const asking = { ...options, asker: options.asker }
    if (found === null) return askServers(context, asking, prompt('mail_setup.ask_imap', { domain }))
    // Anybody who can change a DNS answer could otherwise receive the password, so the owner confirms servers that are not
    // certain.
    if (!found.sure && !(await agreesTo(found, asking, domain)))
      return askServers(context, asking, prompt('mail_setup.ask_other_imap', { domain }))
    return take(found, { address, user }, screen.out)
  }
  if (found === null) return more(tell('mail_setup.unknown', { domain, by }))
  const servers = `--imap ${serverName(found.imap)} --smtp ${serverName(found.smtp)}`
  return found.sure
    ? take(found, { address, user }, screen.out)
    : more(tell('mail_setup.elsewhere', { servers, address }))
}

async function agreesTo({ imap, smtp }: OpenSettings, { asker }: Asking, domain: string): Promise<boolean> {
  const named = { domain, imap: serverName(imap), smtp: serverName(smtp) }
  return yesIn((await asker.ask(prompt('mail_setup.ask_elsewhere', named)))?.trim() ?? '') === true
}

type OpenSettings = Exclude<FoundSettings, { how: 'closed' }>
type Asking = MailOptions & { readonly asker: TerminalAsker }

/** Asks the owner for the servers of a domain that no list contains. */
async function askServers(
  context: CommandContext,
  options: Asking,
  first: string,
): Promise<MailSettings | null> {
  const domain = options.address?.split('@').at(-1) ?? ''
  const ask = async (question: string): Promise<string> => (await options.asker.ask(question))?.trim() ?? ''
  const imap = await ask(first)
  const smtp = imap === '' ? '' : await ask(prompt('mail_setup.ask_smtp', { domain }))
  if (imap === '' || smtp === '') return null
  const address = await ask(prompt('mail_setup.ask_own'))
  if (address === '') return settingsFor(context, { ...options, imap, smtp })
  const [server] = [parseServer(imap)]
  const seen = server === null || isIP(address) === 0 ? '' : await shownBy(server, address)
  if (seen === '') {
    context.screen.err(tell('mail_setup.no_tls_there'))
    return null
  }
  context.screen.out(tell('mail_setup.certificate', { fingerprint: seen }))
  return yesIn(await ask(prompt('mail_setup.same'))) === true
    ? settingsFor(context, { ...options, imap, smtp, ownAddress: address, fingerprint: seen })
    : null
}

function take(
  { how, title, imap, smtp, filesSent, hint, user: usual }: OpenSettings,
  { address, user }: { readonly address: string; readonly user: string | undefined },
  out: (words: string) => void,
): MailSettings {
  const domain = address.split('@').at(-1) ?? ''
  if (how === 'mx' && title !== null) out(tell('mail_setup.by_mx', { domain, title }))
  out(hint ?? tell('mail_setup.app_password'))
  return { address, user: user ?? usual, name: null, imap, smtp, filesSent, own: null }
}

/** The owner has to compare and confirm the fingerprint: no certificate on a private network is trusted by itself. */
async function ownNetwork(
  { screen }: CommandContext,
  { ownAddress = '', fingerprint }: MailOptions,
  imap: NonNullable<ReturnType<typeof parseServer>>,
): Promise<Result<OwnNetwork | null> | null> {
  if (isIP(ownAddress) === 0) {
    screen.err(tell('mail_setup.own_address'))
    return null
  }
  if (fingerprint !== undefined && FINGERPRINT.test(fingerprint))
    return ok({ address: ownAddress, fingerprint })
  const seen = await shownBy(imap, ownAddress)
  screen.err(
    seen === '' ? tell('mail_setup.no_tls_there') : tell('mail_setup.compare', { fingerprint: seen }),
  )
  return null
}

/** Reads the certificate before anything is sent: the empty expected fingerprint matches none, so the connection ends. */
async function shownBy(imap: NonNullable<ReturnType<typeof parseServer>>, address: string): Promise<string> {
  let seen = ''
  await openTls(imap, { address, fingerprint: '' }, (fingerprint) => {
    seen = fingerprint
  })
  return seen
}

function ungrouped(typed: string): string {
  return /^[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){2,5}$/.test(typed) ? typed.replaceAll(' ', '') : typed
}

function tableOf(settings: MailSettings): string {
  return stringify({ tools: { mail: mailTable(settings) } })
    .trim()
    .replace(/^\[tools\]\n+/, '')
}

function refuse({ screen }: CommandContext, reason: Refusal): ExitCode {
  const { server } = reason.facts
  const saying = `mail_setup.tried_${reason.code}`
  // Two servers were tried; the message names the one that failed.
  const which = tell(
    server === 'IMAP'
      ? 'mail_setup.server_imap'
      : server === 'SMTP'
        ? 'mail_setup.server_smtp'
        : 'mail_setup.server_any',
  )
  screen.err(isSaying(saying) ? tell(saying, { server: which }) : secretSentence(reason))
  return 1
}
