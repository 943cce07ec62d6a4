/**
 * `pfar connect mail you@example.com`: finds the servers, says how to get a password, asks for it without echo, tries both servers and stores it only if
 * they take it. Must not print the password, or take it from an argument. Called by local/secret.ts.
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
import { changeMailbox, hasSecret, keepOther, mailboxName, NAME_HELP } from './mail-more.ts'
import { connectCommand, secretSentence, sendToService } from './secret-command.ts'

export interface MailOptions {
  readonly address?: string
  /** Host and port of each server, where they are not found by the address. */
  readonly imap?: string
  readonly smtp?: string
  readonly user?: string
  /** For a server on the owner's own network: its one address, and the fingerprint of its certificate. */
  readonly ownAddress?: string
  readonly fingerprint?: string
  /** As whom mails go out: a name, further addresses, and a signature. */
  readonly name?: string
  readonly also?: readonly string[]
  readonly signature?: string
  /** What the owner calls the mailbox, where there are several. */
  readonly account?: string
  /** Mail is sent from this one where nothing else decides. */
  readonly default?: boolean
  readonly allowDevelopmentKey: boolean
  /** Null where nobody can be asked. */
  readonly asker: TerminalAsker | null
}

/** Sentences about trying the account. */
const TRIED: Readonly<Record<string, string>> = {
  remote_unauthorized:
    'The server did not take that password. Nothing was stored. Most providers want an app password here, not the password of your account.',
  address_private:
    'That name leads into a private network. For a server of your own network say its address, too: --own-address <address>',
  certificate_invalid:
    'The server could not prove who it is: its certificate does not fit its name. It was told nothing, and nothing was stored.',
  certificate_changed:
    'The server shows another certificate than that fingerprint. It was told nothing, and nothing was stored.',
  network_failed:
    'The server cannot be reached with TLS. Nothing was stored. Is the name right, and the port?',
  response_timeout: 'The server does not answer. Nothing was stored.',
  remote_unavailable: 'The server takes nobody in just now. Nothing was stored; try again later.',
}

/** The password of a mailbox that is set up is asked for as for any other service, and tried by home; another address is another mailbox. */
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
    screen.err(
      `${known.settings.address} is connected. For another password: pfar secret rotate ${known.secret}`,
    )
    return 1
  }
  if (known !== undefined) {
    const stored = await storePassword(context, known, options)
    if (stored === 0) screen.out(`Your mailbox ${known.name} is connected again.`)
    return stored
  }
  if (boxes.length > MOST_OTHER_MAIL) {
    screen.err(`There are ${boxes.length} mailboxes already. Take one out of config.toml first.`)
    return 1
  }
  const sender = senderIn(options)
  if (sender === null) {
    screen.err(SENDER_HELP)
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
    screen.err(NAME_HELP)
    return 1
  }
  const settings: MailSettings = { ...found, ...sender, ...(name !== null && { account: name }) }
  const isFirst = boxes.length === 0
  const secret = isFirst ? 'mail' : mailSecret(name ?? '')
  const stored = await storePassword(context, { secret, settings }, options)
  if (stored !== 0) return stored
  return isFirst ? keep(context, settings) : keepOther(context, settings, options.default === true)
}

/** Asked for without echo, tried at both servers, and sealed for them alone. */
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
  const typed = await readValue(`Password for ${settings.address}: `)
  // App passwords are shown in groups of four.
  const value = typed.ok ? checkValue('token', ungrouped(typed.value)) : typed
  if (!value.ok) return refuse(context, value.reason)
  screen.out(`Trying ${serverName(settings.imap)} and ${serverName(settings.smtp)} …`)
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

const SENDER_HELP =
  'A name is one line of at most 80 characters, further addresses are mail addresses, and a signature has at most eight lines. Nothing was stored.'

/** What stands in the mails; null for what cannot stand there. `\\n` in the signature is the end of a line. */
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
    screen.err(`The password lies sealed in your home. Put this into config.toml:\n${lines}`)
    return 1
  }
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(`Your mail is connected: ${settings.address}.`)
  if (settings.name === null && settings.signature == null)
    screen.out(
      'For a name and a signature, say later: "my mail name is Ada Lovelace", "my signature is Ada".',
    )
  screen.out(
    runs.ok
      ? 'Start home again, and ask: "check my email".'
      : 'Start it with `npm start`, and ask: "check my email".',
  )
  return 0
}

/** Null when the owner has to say more; what that is has been printed. */
async function settingsFor(context: CommandContext, options: MailOptions): Promise<MailSettings | null> {
  const { screen } = context
  const { address = '', imap, smtp, user, ownAddress } = options
  const more = (words: string): null => {
    screen.err(words)
    return null
  }
  if (!isAddress(address)) return more('Which address? Say it like this: pfar connect mail you@example.com')
  const domain = address.split('@').at(-1) ?? ''
  const by = `pfar connect mail ${address} --imap imap.${domain}:993 --smtp smtp.${domain}:465`
  if (imap !== undefined || smtp !== undefined) {
    const [in_, out] = [parseServer(imap ?? ''), parseServer(smtp ?? '')]
    if (in_ === null || out === null) return more(`Say both servers, with their ports: ${by}`)
    const own = ownAddress === undefined ? ok(null) : await ownNetwork(context, options, in_)
    if (own === null || !own.ok) return null
    const named = { address, user: user ?? address, name: null, imap: in_, smtp: out, filesSent: false }
    return { ...named, own: own.value }
  }
  const found = await findSettings(address)
  if (found === null && options.asker !== null)
    return askServers(context, { ...options, asker: options.asker }, domain)
  if (found === null) return more(`I know no servers of ${domain}. Your provider names them; then say: ${by}`)
  return take(found, { address, user }, more, screen.out)
}

/** Someone is there to ask: for the servers of a domain that nobody lists. */
async function askServers(
  context: CommandContext,
  options: MailOptions & { readonly asker: TerminalAsker },
  domain: string,
): Promise<MailSettings | null> {
  const ask = async (question: string): Promise<string> => (await options.asker.ask(question))?.trim() ?? ''
  const imap = await ask(
    `I know no servers of ${domain}. Which one holds your mail (IMAP), such as imap.${domain}:993? `,
  )
  const smtp = imap === '' ? '' : await ask(`And which one sends it (SMTP), such as smtp.${domain}:465? `)
  if (imap === '' || smtp === '') return null
  const address = await ask(
    'If they are on your own network: their address in figures, such as 192.168.1.20; else Enter: ',
  )
  if (address === '') return settingsFor(context, { ...options, imap, smtp })
  const [server] = [parseServer(imap)]
  const seen = server === null || isIP(address) === 0 ? '' : await shownBy(server, address)
  if (seen === '') {
    context.screen.err('No server answers there with TLS.')
    return null
  }
  context.screen.out(`That server shows this certificate: ${seen}`)
  const same = await ask('Compare it at the server. Is it the same? (yes, no) ')
  return /^(?:y|yes|j|ja)$/i.test(same)
    ? settingsFor(context, { ...options, imap, smtp, ownAddress: address, fingerprint: seen })
    : null
}

function take(
  found: FoundSettings,
  { address, user }: { readonly address: string; readonly user: string | undefined },
  more: (words: string) => null,
  out: (words: string) => void,
): MailSettings | null {
  if (found.how === 'closed') return more(found.why)
  const { imap, smtp, filesSent, hint, sure } = found
  const servers = `--imap ${serverName(imap)} --smtp ${serverName(smtp)}`
  // Whoever can change an answer of DNS would get the password.
  if (!sure)
    return more(
      `The domain names servers elsewhere: ${servers}. If these are your provider's: pfar connect mail ${address} ${servers}`,
    )
  out(hint ?? 'If your provider has app passwords, make one for this, and give me that one.')
  return { address, user: user ?? found.user, name: null, imap, smtp, filesSent, own: null }
}

/** The owner compares the fingerprint and says it: nothing of a private network is trusted by itself. */
async function ownNetwork(
  { screen }: CommandContext,
  { ownAddress = '', fingerprint }: MailOptions,
  imap: NonNullable<ReturnType<typeof parseServer>>,
): Promise<Result<OwnNetwork | null> | null> {
  if (isIP(ownAddress) === 0) {
    screen.err('Say the address of your server in figures, such as --own-address 192.168.1.20')
    return null
  }
  if (fingerprint !== undefined && FINGERPRINT.test(fingerprint))
    return ok({ address: ownAddress, fingerprint })
  const seen = await shownBy(imap, ownAddress)
  screen.err(
    seen === ''
      ? 'No server answers there with TLS.'
      : `That server shows this certificate. Compare it at the server; if it is the same, say all this again with:\n  --fingerprint ${seen}`,
  )
  return null
}

/** What a server shows before anything is told to it; the empty fingerprint fits none, so nothing follows. */
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
  const words = TRIED[reason.code]
  // Two servers were tried: which of them it was decides what to look at.
  const which = typeof server === 'string' ? `The ${server} server` : 'The server'
  screen.err(words === undefined ? secretSentence(reason) : words.replace(/^The server/, which))
  return 1
}
