/**
 * `/status` and "how are you set up?" (L-08, Q-11): what runs, what is connected, what waits, and what to do about it. Names and
 * counts, never content; at the edge nothing about accounts. Called by own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import { receive, selfFacts } from '../../flow/provenance.ts'
import type {
  Actions,
  AtPlace,
  Caps,
  ChatServices,
  Clock,
  CredentialService,
  HomeLine,
  Metering,
  OwnerFacts,
  PlaceStatus,
  Templates,
  Tools,
} from '../../powers/ports.ts'
import type { ApprovalStore, AuditTrail, OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { isSentAlong, needsOf } from '../../tool/channel.ts'
import { tell } from '../../wording/words.ts'
import type { Channels } from '../channels/channel-port.ts'
import { connectedTitle, isConnected } from '../credentials/ask-credential.ts'
import { type Unsent, waitingLines } from '../deliveries/outage.ts'
import type { WaitingStore } from '../deliveries/waiting-port.ts'
import type { JobStore } from '../jobs/port.ts'
import { jobLines } from '../jobs/status.ts'
import type { SettingStore } from '../quiet/port.ts'
import { offLine, switchedOff } from '../tools/switched.ts'
import { type Figures, figuresOf, figureWords } from '../usage/figures.ts'
import type { UsageStore } from '../usage/port.ts'

interface StatusFacts {
  readonly place: 'home' | 'edge'
  /** Whether home is connected; null at home. */
  readonly homeUp: boolean | null
  readonly waiting: number
  readonly underWay: number
  /** One line per delivery that waits for a chat (`waitingLines`); never its content. */
  readonly unsent: readonly string[]
  /** One line per job: when it ran last, and when it runs next; never its content. */
  readonly jobs: readonly string[]
  /** Titles of services; null at a place that does not know. */
  readonly services: {
    readonly connected: readonly string[]
    readonly off: readonly string[]
    readonly open: readonly string[]
  } | null
  /** Response times, and how much of today's budgets is used. */
  readonly figures: Figures
  /** Further lines of the place, such as what does not work. */
  readonly lines: readonly string[]
}

function statusText(facts: StatusFacts): string {
  const { place, homeUp, waiting, underWay, unsent, jobs, services, figures, lines } = facts
  const { connected = [], off = [], open = [] } = services ?? {}
  return [
    tell(place === 'home' ? 'commands.at_home' : 'commands.at_edge'),
    ...(homeUp === null ? [] : [tell(homeUp ? 'commands.home_up' : 'commands.home_down')]),
    ...lines,
    waiting === 0 ? tell('commands.none_waits') : tell('commands.questions', { count: waiting }),
    underWay === 0 ? tell('commands.idle') : tell('commands.under_way', { count: underWay }),
    ...(connected.length === 0 ? [] : [tell('commands.connected', { services: connected.join(', ') })]),
    ...offLine(off),
    ...(open.length === 0 ? [] : [tell('commands.not_connected', { services: open.join(', ') })]),
    ...(jobs.length === 0 ? [tell('commands.no_jobs')] : [tell('commands.jobs'), ...jobs]),
    ...Object.values(figureWords(figures)),
    ...unsent,
  ].join('\n')
}

/** Ports needed to report the status. */
export type StatusPorts = AtPlace &
  Clock &
  Actions &
  Tools &
  CredentialService &
  Channels &
  PlaceStatus &
  OwnerFacts &
  ChatServices &
  HomeLine &
  Caps &
  Metering &
  Templates &
  StoreOf<
    TaskStore & ApprovalStore & OutboxStore & WaitingStore & JobStore & SettingStore & UsageStore & AuditTrail
  >

export async function statusAnswer(powers: StatusPorts, task: Task): Promise<Labeled<string>> {
  return receive(statusText(await statusOf(powers, task)), selfFacts('status', 'internal'))
}

async function statusOf(powers: StatusPorts, { id, principal, sink }: Task): Promise<StatusFacts> {
  const { place, home, store } = powers
  const open = store.activeTasks(principal).filter(({ task }) => task.id !== id)
  const waits = (at: string): boolean => at === 'awaiting_approval' || at === 'awaiting_time'
  return {
    place,
    homeUp: home === null ? null : await home.up(),
    waiting: store.pendingApprovals(null).length,
    underWay: open.filter(({ task }) => !waits(task.state.at)).length,
    unsent: waitingLines(unsentOf(powers, { principal, sink }), {
      timezone: powers.profile().timezone,
      chats: powers.chats,
    }),
    jobs: jobLines(powers),
    services: servicesOf(powers),
    figures: await figuresOf(powers),
    lines: powers.placeLines?.() ?? [],
  }
}

/** Services by state; known only at home. Titles, never an account's name or address. */
function servicesOf(powers: StatusPorts): StatusFacts['services'] {
  if (powers.place !== 'home') return null
  // The owner's own hosts are shown only by `tools.list` and `webservices.list`, on private lines.
  const needs = needsOf(powers.registry).filter(({ service }) => !isSentAlong(powers.registry, service))
  const there = needs.filter(({ service }) => isConnected(powers, service))
  const off = switchedOff(powers)
  const titles = (isOff: boolean): readonly string[] =>
    there.filter(({ service }) => off.includes(service) === isOff).map((need) => connectedTitle(powers, need))
  return {
    ...{ connected: [...titles(false), ...(powers.credentials?.accounts?.() ?? [])], off: titles(true) },
    open: needs.filter((need) => !there.includes(need)).map(({ title }) => title),
  }
}

/** Deliveries that wait for other chats of the same principal; those for this chat arrive before this answer. */
function unsentOf(
  { store }: StoreOf<OutboxStore & WaitingStore>,
  { principal, sink }: Pick<Task, 'principal' | 'sink'>,
): readonly Unsent[] {
  return store
    .waiting()
    .filter((row) => row.principal === principal && row.sink !== sink)
    .map((row) => ({ sink: row.sink, asked: row.asked, kind: store.findDelivery(row.id)?.kind ?? 'notice' }))
}
