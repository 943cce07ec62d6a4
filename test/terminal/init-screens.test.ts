/**
 * The screens of `pfar init` in the documents are those that it prints: the same sentences in the same order, with a person's answers between them. The whole
 * of it is printed by its own steps.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { calendarProviders } from '../../sidecar/calendar/find-calendars.ts'
import { stepsOf } from '../../sidecar/cli/commands/init-command.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { machineTimezone } from '../../sidecar/config/config.ts'
import { ensureConfig } from '../../sidecar/config/config-edit.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'
import { initKeeper, readInitRecord } from '../../sidecar/init/init-record.ts'
import { runWizard } from '../../sidecar/init/wizard.ts'
import { tell } from '../../sidecar/language/wording.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { newFolder } from '../kit/folder.ts'
import { bench } from './command-bench.ts'

const pageOf = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')

const providers = calendarProviders().map(({ name }) => name)
const places = [
  ...OAUTH_SERVICES.flatMap(({ service, hasTable }) => (hasTable ? [service] : [])),
  ...providers,
].join(', ')
const later = (answer: string): string => `[${tell('init.later')}] > ${answer}`
const title = (name: string, says: string): string => `${name.padEnd(10)} ${says}`

const MAIL = [
  tell('init.mail'),
  later('you@gmail.com'),
  tell('mail_setup.hint_google'),
  tell('mail_setup.password', { address: 'you@gmail.com' }),
  tell('mail_setup.trying', { imap: 'imap.gmail.com:993', smtp: 'smtp.gmail.com:465' }),
  tell('mail_setup.connected', { address: 'you@gmail.com' }),
  tell('mail_setup.sender_later'),
  tell('mail_setup.start'),
  title(tell('init.title_mail'), 'you@gmail.com'),
]

const CALENDAR = [
  tell('init.calendar', { list: places }),
  later('icloud'),
  tell('dav_setup.hint_icloud'),
  `${tell('dav_setup.user')} you@icloud.com`,
  tell('dav_setup.password', { user: 'you@icloud.com', host: 'caldav.icloud.com' }),
  tell('dav_setup.trying', { host: 'caldav.icloud.com' }),
  tell('dav_setup.calendars_at', { server: 'https://p42-caldav.icloud.com' }),
  tell('dav_setup.calendars'),
  '  1  Family',
  '  2  Personal',
  `  3  Public holidays  (${tell('dav_setup.only_read')})`,
  `${tell('dav_setup.which')} 1 2`,
  `${tell('dav_setup.default', { first: 'Family' })} 2`,
  tell('dav_setup.calendar_connected', { name: 'icloud' }),
  tell('dav_setup.new_events', { calendar: 'icloud:Personal' }),
  tell('dav_setup.calendar_start'),
  '',
  tell('init.calendar_another', { list: places }),
  `[${tell('init.no')}] >`,
  title(tell('init.title_calendar'), 'icloud'),
]

const CONTACTS = [
  tell('init.contacts', { list: providers.join(', ') }),
  later('icloud'),
  tell('dav_setup.hint_icloud'),
  tell('dav_setup.password', { user: 'you@icloud.com', host: 'contacts.icloud.com' }),
  tell('dav_setup.trying', { host: 'contacts.icloud.com' }),
  tell('dav_setup.books'),
  '  Contacts',
  tell('dav_setup.book_connected', { name: 'icloud' }),
  tell('dav_setup.book_start'),
  '',
  tell('init.contacts_another', { list: providers.join(', ') }),
  `[${tell('init.no')}] >`,
  title(tell('init.title_contacts'), 'icloud'),
]

const SEARCH = [
  tell('init.search'),
  `[${tell('init.names_same')}] > brave`,
  tell('init.search_key_brave'),
  tell('init.search_key', { engine: 'brave' }),
  tell('init.search_trying', { host: 'api.search.brave.com' }),
  title(tell('init.title_search'), 'brave'),
]

/** As a screen stands on a page. */
function block(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n')
}

describe('the screens of init on the page', () => {
  it.each([
    ['mail', MAIL, pageOf('connect-mail.md')],
    ['calendar', CALENDAR, pageOf('connect-calendar.md')],
    ['contacts', CONTACTS, pageOf('connect-calendar.md')],
    ['search', SEARCH, pageOf('web.md')],
  ])('%s', (_, lines, page) => {
    expect(page).toContain(block(lines))
  })

  it('all of it, where only name and place are said', async () => {
    expect(pageOf('run-home.md')).toContain(block(await wholeInit(['Nora, Ada', 'Berlin'])))
  })
})

/** What stands on the screen when each question is answered by Enter, but for the first ones. */
async function wholeInit(answers: readonly string[]): Promise<readonly string[]> {
  const path = newFolder('init-screen')
  // A machine with systemd, which then asks about a service.
  writeFileSync(join(path, 'systemctl'), '', { mode: 0o755 })
  const environment = { PFAR_HOME: path, PFAR_UNITS: path, PATH: path }
  const [folder, paths] = [openStateFolder(path), statePaths(environment)]
  const record = folder.ok ? readInitRecord(folder.value) : folder
  if (!folder.ok || !record.ok || ensureConfig(paths.config) !== 'made') throw new Error('no folder')
  const shown: string[] = []
  const left = [...answers]
  const asker = {
    letGo: () => undefined,
    async ask(question: string) {
      const answer = left.shift() ?? ''
      // The page has a machine at UTC.
      const typed = `${question}${answer}`.trimEnd()
      shown.push(typed.replace(`[${machineTimezone()}]`, '[UTC]'))
      return answer
    },
  }
  const user = { name: 'USER', version: 1, at: 0, text: readBrainTemplates().USER }
  const context = { ...bench({ versions: [user] }).context, environment }
  const options = { yes: false, ollama: 'http://203.0.113.1' }
  const kept = initKeeper(folder.value, record.value)
  // As a new file notes it: the machine's zone, which nobody chose.
  kept.note('owner.timezone', machineTimezone())
  const steps = stepsOf(context, { options, paths, folder: folder.value, kept, asker })
  await runWizard({ steps, answers: kept, asker, tell: (words) => shown.push(words) })
  const end = [`\n${tell('init.start_it', { start: 'npm start' })}`, tell('init.then_type')]
  return [tell('init.setting_up', { folder: '/home/nora/.pfar' }), tell('init.intro'), ...shown, ...end]
}
