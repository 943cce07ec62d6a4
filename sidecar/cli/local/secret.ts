/**
 * Declares `pfar secret …`: names, arguments and options. No option takes a value, which would be visible in the
 * shell's history and the process list. Loads the work on demand. Listed in index.ts.
 */
import { type Command, Option } from 'commander'
import { OAUTH_SERVICES } from '../../../integrations/tools/oauth-services.ts'
import { SECRET_KINDS } from '../../secrets/secret.ts'
import { asking } from '../chat/asker.ts'
import type { SecretOptions } from '../commands/secret-command.ts'
import type { LocalCommand } from './local.ts'

export const SECRET: LocalCommand = {
  names: ['secret'],
  why: 'terminal',
  reason: 'a value has no form but the hidden prompt and stdin',
  add(program, run) {
    const secret = program.command('secret').description('tokens and passwords of services, kept at home')
    const add = (name: string, description: string): Command =>
      secret.command(name).description(description).option('--json', 'one JSON document', false)
    const changing = (name: string, description: string): Command =>
      add(name, description).option(
        '--allow-development-key',
        'although the master key lies in plain beside the data',
        false,
      )
    const change = async (options: SecretOptions): Promise<void> => {
      const { secretCommand } = await import('../commands/secret-command.ts')
      await run((context) => secretCommand(context, options))
    }

    const scoped = (command: Command): Command =>
      command
        .addOption(new Option('--kind <kind>', 'what it is; a token if left out').choices([...SECRET_KINDS]))
        .option('--tool <tool...>', 'tools that may get it; those that ask for this name if left out', [])
        .option('--action <action...>', 'actions that may get it; all of the tools if left out', [])
        .option('--host <host...>', 'hosts that may get it; those that the tools declare if left out', [])

    scoped(
      changing('set', 'store a secret; asks for the value, or reads it from stdin').argument(
        '<name>',
        'such as google',
      ),
    )
      .addOption(
        new Option('--line <line>', 'open: type it at the edge, and accept it at home')
          .choices(['private', 'open'])
          .default('private'),
      )
      .action((name: string, { json, line, ...options }) =>
        change({ json, line, what: 'set', params: { name, ...scopeIn(options) } }),
      )
    scoped(changing('accept', 'take a secret that was typed on the open line').argument('<name>'))
      .argument(
        '[check]',
        'as it was shown where the secret was typed; left out, it is tried, and the check is shown',
      )
      .action((name: string, check: string | undefined, { json, ...options }) =>
        change({ json, what: 'accept', params: { name, ...checkIn(check), ...scopeIn(options) } }),
      )
    add('decline', 'drop what was typed on the open line under a name')
      .argument('<name>')
      .action((name: string, { json }) => change({ json, what: 'decline', params: { name } }))
    changing('rotate', 'a new value; the present one stays until a service has accepted the new one')
      .argument('<name>')
      .action((name: string, { json, ...options }) =>
        change({ json, what: 'rotate', params: { name, ...options } }),
      )
    add('list', 'what there is, without the values').action((options) => change({ ...options, what: 'list' }))
    add('delete', 'delete a secret for good; asks first, and wants the word of its question')
      .argument('<name>')
      .option('--confirm <word>', 'as the question showed it')
      .action((name: string, { json, confirm }) =>
        change({ json, what: 'delete', params: { name, ...checkIn(confirm) } }),
      )
  },
}

interface ScopeFlags {
  readonly kind?: string
  readonly tool: readonly string[]
  readonly action: readonly string[]
  readonly host: readonly string[]
  readonly allowDevelopmentKey: boolean
}

function scopeIn({ tool, action, host, ...others }: ScopeFlags) {
  return { ...others, tools: tool, actions: action, hosts: host }
}

function checkIn(check: string | undefined): { readonly check?: string } {
  return check === undefined ? {} : { check }
}

interface ConnectFlags {
  readonly paste: boolean
  readonly allowDevelopmentKey: boolean
  readonly imap?: string
  readonly smtp?: string
  readonly user?: string
  readonly ownAddress?: string
  readonly fingerprint?: string
  readonly name?: string
  readonly also?: readonly string[]
  readonly signature?: string
  readonly account?: string
  readonly default?: boolean
  readonly calendar?: readonly string[]
}

/** A secret that is tested before it is stored; without a name, lists the services. */
export const CONNECT: LocalCommand = {
  names: ['connect'],
  why: 'terminal',
  reason: 'a credential is asked for without an echo; in a chat it is said as connect',
  add: (program, run) =>
    program
      .command('connect')
      .argument(
        '[service]',
        'such as mail, calendar, contacts, ics, google or files; left out, what can be connected is listed',
      )
      .argument(
        '[address]',
        'for mail: your address; for calendar and contacts: the provider or server; for ics and for what runs on your own network: the address; for files: the folder',
      )
      .description('connect a service: asks for its credential, tries it, and stores it if it works')
      .option('--imap <host:port>', 'for mail: the server to read from, if it is not found by the address')
      .option('--smtp <host:port>', 'for mail: the server to send by')
      .option(
        '--user <name>',
        'for mail, calendar and contacts: the name to log in with, if it is not the address',
      )
      .option('--own-address <address>', 'for mail: the address of a server on your own network')
      .option(
        '--fingerprint <sha256>',
        'for mail, and for what runs on your own network: the certificate that it has to show',
      )
      .option(
        '--name <name>',
        'for calendar, contacts and ics: what you call it; for mail: your name beside the address',
      )
      .option('--also <address...>', 'for mail: further addresses that you write from')
      .option('--signature <text>', 'for mail: what stands below your mails')
      .option('--account <name>', 'for mail: what you call this mailbox, such as work, if you have several')
      .option('--default', 'for mail: send from this mailbox where nothing else decides')
      .option('--calendar <name...>', 'for calendar: those to read; all if left out')
      .option('--paste', 'ask for a token instead of signing in with a browser', false)
      .option('--allow-development-key', 'although the master key lies in plain beside the data', false)
      .action(async (service: string | undefined, address: string | undefined, options: ConnectFlags) => {
        const { connectCommand, listConnectable } = await import('../commands/secret-command.ts')
        const { connectByBrowser } = await import('../commands/oauth-command.ts')
        const mail = service === 'mail' ? await import('../commands/mail-command.ts') : null
        const isCalendar = service === 'calendar' || service === 'ics'
        const calendars = isCalendar ? await import('../commands/calendar-command.ts') : null
        const contacts = service === 'contacts' ? await import('../commands/contacts-command.ts') : null
        const files = service === 'files' ? await import('../commands/files-command.ts') : null
        await run((context) => {
          if (files !== null)
            return asking((asker) =>
              files.connectFiles(context, { asker, ...(address !== undefined && { folder: address }) }),
            )
          if (calendars !== null)
            return asking((asker) =>
              (service === 'ics' ? calendars.connectIcs : calendars.connectCalendar)(context, {
                ...{ ...options, asker, ...(address !== undefined && { where: address }) },
              }),
            )
          if (contacts !== null)
            return asking((asker) =>
              contacts.connectContacts(context, {
                ...{ ...options, asker, ...(address !== undefined && { where: address }) },
              }),
            )
          if (mail !== null)
            return asking((asker) =>
              mail.connectMail(context, { ...options, asker, ...(address !== undefined && { address }) }),
            )
          if (service === undefined) return listConnectable(context)
          const byBrowser = options.paste ? undefined : OAUTH_SERVICES.find((one) => one.service === service)
          // A value that a script pipes in is a credential.
          if (address !== undefined && byBrowser === undefined)
            return asking((asker) => connectCommand(context, { service, ...options, address, asker }))
          return byBrowser === undefined || process.stdin.isTTY !== true
            ? connectCommand(context, { service, ...options, ...(address !== undefined && { address }) })
            : asking((asker) => connectByBrowser(context, byBrowser, { ...options, asker }))
        })
      }),
}
