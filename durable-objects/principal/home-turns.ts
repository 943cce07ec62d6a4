/**
 * Decides when the owner's object sends its turns to home: after an answer or soon afterwards, when home connects, and before
 * anything is forwarded to home. Until then they stay in the session; the alarm survives an eviction, so none is lost. Must not
 * store a turn, nor wake anything while home is away. Called by home-line.ts, both-lines.ts and PrincipalObject.
 */
import {
  beginTurnsForHome,
  hasTurnsForHome,
  sendTurnsToHome,
  type TurnsForHome,
} from '../../kernel/features/memory/turns-home.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'

/**
 * Least milliseconds between two batches, and so the longest delay of a turn. An owner who switches from one line to the other
 * needs longer.
 */
const HANDED_WITHIN = 2_000
/**
 * Milliseconds without a retry after home was away. A new connection of home is reported at once; the end of a silent period is
 * not.
 */
const AWAY_FOR = 60_000

export interface HomeTurns {
  /** Call before each run. */
  begin(): void
  /**
   * Called after a run, once its answer is sent: sends the turns, or returns when to (epoch ms); null when nothing can be sent.
   * Never rejects.
   */
  look(): Promise<number | null>
  /**
   * Resolves when all turns are sent, or remain queued. Never rejects. `anyway`: send also while home is away, because a body
   * that needs them follows.
   */
  bring(anyway: boolean): Promise<void>
  /** Home was found to be away. */
  away(): void
  /** Home has connected. */
  greeted(): Promise<void>
}

interface HomeTurnsInput {
  /** Available once the object is built. */
  readonly powers: () => TurnsForHome
  readonly principal: () => string | undefined
  /** True while the edge is locked or an import is incomplete: no row is opened then. */
  readonly closed: () => boolean
}

export function createHomeTurns({ powers, principal, closed }: HomeTurnsInput): HomeTurns {
  let awayUntil = 0
  /** Number of times home has connected: a refusal from before the last one does not count as home being away. */
  let greetings = 0
  /** When turns were last sent, epoch milliseconds. */
  let handedAt = 0
  let last: Promise<void> = Promise.resolve()
  const begin = (): boolean => {
    if (principal() !== OWNER_PRINCIPAL || closed()) return false
    beginTurnsForHome(powers(), OWNER_PRINCIPAL)
    return true
  }
  const hasSome = (): boolean => begin() && hasTurnsForHome(powers(), OWNER_PRINCIPAL)
  const away = (): void => {
    awayUntil = Date.now() + AWAY_FOR
  }
  const hand = async (anyway: boolean): Promise<void> => {
    if (!hasSome()) return
    handedAt = Date.now()
    const before = greetings
    const isDone = await sendTurnsToHome(powers(), OWNER_PRINCIPAL, anyway)
    if (!isDone && before === greetings) away()
  }
  const bring = (anyway: boolean): Promise<void> => {
    // Serialised: two concurrent runs would send the same turns.
    last = last.then(() => hand(anyway)).catch(() => undefined)
    return last
  }
  return {
    begin: () => void begin(),
    async look() {
      const now = Date.now()
      if (now < awayUntil || !hasSome()) return null
      if (now - handedAt < HANDED_WITHIN && now >= handedAt) return handedAt + HANDED_WITHIN
      await bring(false)
      return null
    },
    bring,
    away,
    greeted() {
      greetings += 1
      awayUntil = 0
      return bring(false)
    },
  }
}
