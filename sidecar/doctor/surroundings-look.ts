/**
 * Checks the surroundings of a running home: link to the edge, the edge's clock, settings and bot, backups, container
 * engine. Pure: facts in, findings out. Called by `pfar doctor`.
 */
import { CHANNELS, CHATS, EDGE_CHAT } from '../../integrations/channels/index.ts'
import { pausedBy } from '../../kernel/features/pause/pause-words.ts'
import { MISSED_AFTER } from '../backup/job.ts'
import { machineTimezone } from '../config/config.ts'
import { SANDBOX_STATES, type SandboxState } from '../confined/sandbox.ts'
import { STARTED_BY_SERVICE } from '../status/home-status.ts'
import type { EdgeHealth } from '../tunnel/edge-health.ts'
import { bad, type Finding, good, mendable, note } from './finding.ts'

/** Milliseconds. The date of a signature may be a minute off; half of that gives an early warning. */
const CLOCK_OFF = 30_000
/** Messages pending at a service: what one person writes in a minute. */
const MANY_PENDING = 20
/** Home's status of a chat until its service has answered. */
export const CONNECTS = 'connects'
/** Seconds. An older failure is over if nothing is pending. */
const LATELY = 3_600

export function tunnelFinding(status: Readonly<Record<string, unknown>>): Finding {
  const { edge, tunnel, tunnelSays } = status
  if (typeof edge !== 'string') return note('tunnel', 'Home dials no edge: it works alone.')
  if (tunnel === 'up') return good('tunnel', `Home is connected to ${edge}.`)
  const why = typeof tunnelSays === 'string' ? tunnelSays : 'It dials again by itself; is the edge there?'
  return bad('tunnel', `Home is not connected to ${edge}. ${why}`)
}

/** Empty if home runs with the settings that config.toml has now. */
export function configFindings({ configChanged }: Readonly<Record<string, unknown>>): readonly Finding[] {
  return typeof configChanged === 'string' ? [note('configuration', configChanged)] : []
}

/** Status of the owner's chats at home, and of answering through the edge's bot. */
export function lineFindings(status: Readonly<Record<string, unknown>>): readonly Finding[] {
  const { bothLines, paused } = status
  const chatFinding = (part: string, says: unknown): Finding => {
    if (says === 'listens') return good(part, 'Home hears what you write to it.')
    return bad(part, says === CONNECTS ? 'Its service has not answered home yet.' : `Home ${String(says)}`)
  }
  const says = `Home may answer you through the edge's bot (${String(bothLines)}): ${EDGE_CHAT.title} and whoever runs the edge can read it.`
  return [
    ...(paused === undefined ? [] : [pauseFinding('pause', String(paused))]),
    ...CHANNELS.flatMap(({ name }) =>
      status[name] === undefined ? [] : [chatFinding(`private ${name}`, status[name])],
    ),
    ...(bothLines === undefined
      ? []
      : [note('both lines', `${says} \`pfar channel acknowledge --revoke\` ends that.`)]),
  ]
}

function pauseFinding(part: string, by: string): Finding {
  return note(part, `You have everything pause, ${by}: \`pfar resume\` goes on.`)
}

/** `now`: clock of this machine, at the middle of the request. */
export function edgeFindings(
  { at, troubles, bot, waiting = 0, paused = null }: EdgeHealth,
  now: number,
): readonly Finding[] {
  const fares = bot === null ? [] : botFindings(bot, now)
  return [
    clockFinding(at - now),
    ...(paused === null
      ? []
      : [pauseFinding('edge pause', pausedBy(paused, { timezone: machineTimezone(), chats: CHATS }))]),
    ...troubles.map((name) => bad(`edge ${name}`, settingSentence(name))),
    ...fares,
    // A working bot shows the cards itself.
    ...(waiting > 0 && fares.some(({ state }) => state !== 'ok')
      ? [note('questions', `${waiting} wait for your answer at the edge: \`pfar approvals --line open\`.`)]
      : []),
  ]
}

export interface SandboxFacts {
  readonly state: SandboxState
  /** The owner allows PDFs to be read without the sandbox. */
  readonly without: boolean
  /** Home runs as a service, whose unit may forbid what the system allows. */
  readonly service: boolean
}

/** As a running home reports it, since only its own process can tell. Null if it did not, as an older version. */
export function sandboxSaid(
  status: Readonly<Record<string, unknown>> | null,
): Pick<SandboxFacts, 'state' | 'service'> | null {
  const state = SANDBOX_STATES.find((one) => one === status?.['sandbox'])
  return state === undefined ? null : { state, service: status?.['startedBy'] === STARTED_BY_SERVICE }
}

/** Whether PDFs are read, and with which confinement. */
export function sandboxFinding({ state, without, service }: SandboxFacts): Finding {
  if (state === 'ready')
    return good(
      'sandbox',
      'PDFs are taken apart in bubblewrap: no network, no socket, no file of home’s. So are office documents and health exports.',
    )
  const why =
    state === 'missing'
      ? 'bubblewrap is not installed (Debian: `apt install bubblewrap`)'
      : `bubblewrap may make no namespaces here (such as by kernel.apparmor_restrict_unprivileged_userns, or in a container)${service ? OLD_UNIT : ''}`
  return without
    ? note(
        'sandbox',
        `PDFs are read without a sandbox, as \`documents.without_sandbox\` says: ${why}. So are office documents and health exports.`,
      )
    : note(
        'sandbox',
        `PDFs are not read: ${why}. \`without_sandbox = true\` under [documents] in config.toml reads them behind Node’s own walls alone. The same goes for office documents and health exports.`,
      )
}

const OLD_UNIT =
  '. Home runs as a service, and a unit of an earlier version forbids them to it: `pfar service install` writes it anew'

function clockFinding(off: number): Finding {
  if (Math.abs(off) < CLOCK_OFF) return good('clock', 'It agrees with the edge.')
  const seconds = Math.round(Math.abs(off) / 1_000)
  const how = off > 0 ? 'slow' : 'fast'
  return bad('clock', `It is ${seconds} s ${how} by the edge's: \`timedatectl set-ntp true\` keeps it right.`)
}

function settingSentence(name: string): string {
  const [variable = name] = name.split('.')
  const channel = CHANNELS.find(({ name }) => variable.startsWith(name.toUpperCase()))
  if (channel !== undefined)
    return `This setting is wrong there, so that it has no bot: \`pfar channel connect ${channel.name}\` sets it anew.`
  const where = variable.startsWith('MODEL_KEY')
    ? `wrangler secret put ${variable}`
    : 'wrangler.toml, then `pfar deploy`'
  return `This setting is wrong there, so that the edge asks no model of its own: ${where}.`
}

function botFindings(bot: NonNullable<EdgeHealth['bot']>, now: number): readonly Finding[] {
  const { name, title } = EDGE_CHAT
  if ('trouble' in bot)
    return bot.trouble === 'credential_rejected'
      ? [bad(name, `${title} does not know its token any more: \`pfar channel connect ${name}\`.`)]
      : [note(name, `${title} could not be asked (${bot.trouble.replaceAll('_', ' ')}).`)]
  const { here, pending, failedAt, said } = bot
  if (!here)
    return [
      mendable('webhook', bad(name, `${title} brings nothing to this edge: \`pfar doctor --fix\` sets it.`)),
    ]
  const lately = failedAt !== null && now / 1_000 - failedAt < LATELY
  const failed = lately && said !== null ? ` Its last try failed: ${said}` : ''
  if (pending >= MANY_PENDING) return [bad(name, `${pending} messages wait at ${title}.${failed}`)]
  if (failed !== '') return [note(name, `It brings messages; ${pending} wait.${failed}`)]
  return [good(name, `It brings messages to this edge; ${pending} wait.`)]
}

const ONLY_HERE =
  'They open only with the dev.key of this machine, which is in none of them: `pfar key init`, then `pfar backup now`.'
const FORMER =
  'The last one was made under a former master key and opens with that one only: `pfar backup now`.'

export interface BackupFacts {
  readonly keyed: boolean
  /** Whether the backup folder exists; the default one is created on demand. */
  readonly shelved: boolean
  /** Time of the newest backup, epoch milliseconds; null if there is none. */
  readonly newest: number | null
  /** Home uses a development key, which is in no backup and has no recovery phrase (E-14). */
  readonly development: boolean
  /** The newest backup needs an earlier master key than the current one. */
  readonly former: boolean
}

export function backupFinding(facts: BackupFacts, now: number): Finding {
  const { keyed, shelved, newest, development, former } = facts
  if (!keyed && development)
    return note('backups', 'None are made yet: `pfar key init`, then `pfar backup init`.')
  if (!keyed) return note('backups', 'None are made yet: `pfar backup init`.')
  if (development) return bad('backups', ONLY_HERE)
  if (!shelved)
    return bad('backups', 'Their folder is not there: is its disk? See backup.folder in config.toml.')
  if (newest === null) return mendable('backup', bad('backups', 'There is none yet: `pfar backup now`.'))
  if (former) return mendable('backup', bad('backups', FORMER))
  const hours = Math.floor((now - newest) / 3_600_000)
  return now - newest > MISSED_AFTER
    ? mendable('backup', bad('backups', `The last one is ${hours} hours old: \`pfar backup now\`.`))
    : good('backups', `The last one is ${hours} hours old.`)
}

export function containerFinding(isThere: boolean): Finding {
  return isThere
    ? good('containers', 'podman is there; nothing needs it yet.')
    : note('containers', 'podman is not there; nothing needs it yet.')
}
