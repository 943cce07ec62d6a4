/**
 * Questions of `pfar init` about the owner's own accounts: mail, calendars, contacts. Each runs the command that connects an
 * account and offers another one until the owner declines. No answer typed here is a secret: the commands ask for secrets without
 * echo. Called by init-command.ts.
 */
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { calendarProviders } from '../calendar/find-calendars.ts'
import { yesIn } from '../init/answers.ts'
import { again, type Step, taken } from '../init/wizard.ts'
import { tell } from '../language/wording.ts'
import type { ExitCode } from './command.ts'
import type { AskingInput } from './init-steps.ts'

const later = (): string => tell('init.later')

export function mailStep({ context, config, letGo, asker }: AskingInput): Step {
  return {
    ...{ name: 'mail', title: tell('init.title_mail') },
    async look() {
      const { mail } = config()
      const question = tell('init.mail')
      return mail === null
        ? { state: 'due', question, usual: later() }
        : { state: 'done', says: tell('init.as_config', { value: mail.address }) }
    },
    async take(answer) {
      if (yesIn(answer) === false) return taken(tell('init.mail_later'))
      const { connectMail } = await import('./commands/mail-command.ts')
      letGo()
      const code = await connectMail(context, { address: answer, allowDevelopmentKey: false, asker })
      return code === 0 ? taken(answer) : again(tell('init.once_more'))
    },
  }
}

/** Typed in place of a calendar address that is itself a secret. */
const BY_ADDRESS = 'ics'

/** OAuth services whose sign-in includes a calendar. */
const SIGN_INS = OAUTH_SERVICES.filter(({ scopes }) => scopes.some(({ tool }) => tool === 'calendar'))

export function calendarStep(input: AskingInput): Step {
  const { context, config, letGo, asker } = input
  const places = (): string => [...SIGN_INS.map(({ service }) => service), ...providers()].join(', ')
  const there = (): readonly string[] => {
    const { google, calendarAccounts } = config()
    return [...(google.account === null ? [] : [google.account]), ...calendarAccounts.map(({ name }) => name)]
  }
  const connect = async (where: string): Promise<ExitCode> => {
    const said = where.toLowerCase()
    const signIn = SIGN_INS.find(({ service, title }) => [service, title.toLowerCase()].includes(said))
    letGo()
    if (signIn !== undefined) {
      const { connectByBrowser } = await import('./commands/oauth-command.ts')
      return connectByBrowser(context, signIn, { allowDevelopmentKey: false, asker })
    }
    const { connectCalendar, connectIcs } = await import('./commands/calendar-command.ts')
    const options = { allowDevelopmentKey: false, asker }
    if (said === BY_ADDRESS) return connectIcs(context, options)
    return isFeed(where)
      ? connectIcs(context, { ...options, where })
      : connectCalendar(context, { ...options, where })
  }
  return {
    ...{ name: 'calendar', title: tell('init.title_calendar') },
    look: async () =>
      there().length === 0
        ? { state: 'due', question: tell('init.calendar', { list: places() }), usual: later() }
        : { state: 'done', says: tell('init.calendar_done', { list: there().join(', ') }) },
    take: (answer) =>
      connectRepeatedly(input, answer, {
        ...{ connect, there, another: () => tell('init.calendar_another', { list: places() }) },
        later: tell('init.calendar_later'),
      }),
  }
}

/** Whether the address is a published calendar, which is only read and needs no sign-in. */
function isFeed(where: string): boolean {
  return /^webcals?:/i.test(where) || /^https?:\/\/.*\.ics(?:[?#].*)?$/i.test(where)
}

/** Asked only if an account exists that may have contacts; otherwise a sentence says how to add them. */
export function contactsStep(input: AskingInput): Step {
  const { context, config, letGo, asker } = input
  const places = (): string => {
    const calendars = config().calendarAccounts.flatMap(({ kind, name }) => (kind === 'caldav' ? [name] : []))
    return [...new Set([...calendars, ...providers()])].join(', ')
  }
  const there = (): readonly string[] => config().addressbooks.map(({ name }) => name)
  const connect = async (where: string): Promise<ExitCode> => {
    const { connectContacts } = await import('./commands/contacts-command.ts')
    letGo()
    return connectContacts(context, { where, allowDevelopmentKey: false, asker })
  }
  return {
    ...{ name: 'contacts', title: tell('init.title_contacts') },
    async look() {
      if (there().length > 0)
        return { state: 'done', says: tell('init.contacts_done', { list: there().join(', ') }) }
      const { mail, calendarAccounts } = config()
      return mail === null && calendarAccounts.length === 0
        ? { state: 'absent', says: tell('init.contacts_absent') }
        : { state: 'due', question: tell('init.contacts', { list: places() }), usual: later() }
    },
    take: (answer) =>
      connectRepeatedly(input, answer, {
        ...{ connect, there, another: () => tell('init.contacts_another', { list: places() }) },
        later: tell('init.contacts_later'),
      }),
  }
}

function providers(): readonly string[] {
  return calendarProviders().map(({ name }) => name)
}

interface Accounts {
  readonly connect: (where: string) => Promise<ExitCode>
  readonly there: () => readonly string[]
  readonly another: () => string
  readonly later: string
}

/** Connects accounts until the owner declines another one. Accounts that are connected stay, even if a later one fails. */
async function connectRepeatedly(
  { asker }: Pick<AskingInput, 'asker'>,
  first: string,
  { connect, there, another, later: postponed }: Accounts,
): ReturnType<Step['take']> {
  let answer: string | null = first
  while (answer !== null && answer.trim() !== '' && yesIn(answer.trim()) !== false) {
    const code = await connect(answer.trim())
    if (code !== 0 && there().length === 0) return again(tell('init.once_more'))
    answer = await asker.ask(`\n${another()}\n[${tell('init.no')}] > `)
  }
  return taken(there().length === 0 ? postponed : there().join(', '))
}
