/**
 * What becomes of a piece of work at the edge that needs home while home is away (T-07): one row for each capability,
 * with its reason. Data only; must not know whether home is away. Called by reach.ts and by the shell's wait for home.
 */

/**
 * `queue`: it waits for home, at most `ttl` milliseconds from the message on, and the owner may choose otherwise.
 * `degrade`: the edge does it itself, with what it holds; home is never waited for. `refuse`: told at once.
 */
export type OfflinePolicy =
  | { readonly do: 'refuse' }
  | { readonly do: 'queue'; readonly ttl: number }
  | { readonly do: 'degrade' }

interface OfflineRow {
  readonly policy: OfflinePolicy
  readonly why: string
}

const REFUSE: OfflinePolicy = Object.freeze({ do: 'refuse' })
const DEGRADE: OfflinePolicy = Object.freeze({ do: 'degrade' })

/** Milliseconds. A box that restarts or wakes is back within it; later a person has looked for himself. */
export const A_WHILE = 30 * 60_000

const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'
const OWN_MEMORY = 'each place has a memory of its own, and the edge’s is at hand'

/** By action id, or `job:<name>`. What is not here is refused. */
export const OFFLINE_POLICIES: Readonly<Record<string, OfflineRow>> = Object.freeze({
  'calendar.freebusy': {
    policy: Object.freeze({ do: 'queue', ttl: A_WHILE }),
    why: 'a read about days to come, whose answer is as good a few minutes later',
  },
  'calendar.list_events': { policy: REFUSE, why: SENSITIVE },
  'calendar.create_event': { policy: REFUSE, why: 'a write that happens long after it was wanted surprises' },
  'email.list': { policy: REFUSE, why: SENSITIVE },
  'email.read': { policy: REFUSE, why: SENSITIVE },
  'web.read': { policy: DEGRADE, why: 'the edge reads pages itself' },
  'memory.save': { policy: DEGRADE, why: OWN_MEMORY },
  'memory.search': { policy: DEGRADE, why: OWN_MEMORY },
  'brain.load': { policy: REFUSE, why: 'directive files are kept at home alone' },
  'owner.ask': { policy: DEGRADE, why: 'the owner is asked on his open line, which the edge holds' },
  'message.reply': { policy: DEGRADE, why: 'the place that holds the chat answers in it' },
})

/** The policy of an action or of a job (`job:<name>`); `refuse` for what nobody decided on. */
export function offlinePolicyOf(capability: string): OfflinePolicy {
  return Object.hasOwn(OFFLINE_POLICIES, capability)
    ? (OFFLINE_POLICIES[capability]?.policy ?? REFUSE)
    : REFUSE
}
