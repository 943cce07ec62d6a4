/**
 * When the owner's object hands its turns to home: behind the answer or soon after, when home connects, and before anything is
 * forwarded to home. They lie in the session until then, and the alarm survives an eviction, so none is lost. Must not keep a turn
 * itself, nor wake anything while home is away. Called by home-line.ts, both-lines.ts and PrincipalObject.
 */
import {
  beginTurnsForHome,
  hasTurnsForHome,
  sendTurnsToHome,
  type TurnsForHome,
} from '../../kernel/features/memory/turns-home.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'

/** Milliseconds between two batches, and so until home has a turn: who walks from one line to the other needs longer. */
const HANDED_WITHIN = 2_000
/** Milliseconds without another try after home was away. Its next connection is told at once; a silence that ends is not. */
const AWAY_FOR = 60_000

export interface HomeTurns {
  /** Call before each run. */
  begin(): void
  /** After a run, its answer sent: hands over, or returns when to (epoch ms); null when nothing can go. Never rejects. */
  look(): Promise<number | null>
  /** Resolves when all are handed over, or stay. Never rejects. `anyway`: also while home is away, for what comes after. */
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
  /** Locked, or an import is incomplete: nothing is opened. */
  readonly closed: () => boolean
}

export function createHomeTurns({ powers, principal, closed }: HomeTurnsInput): HomeTurns {
  let awayUntil = 0
  /** Counted, so that a refusal from before home connected is not believed after it. */
  let greetings = 0
  /** When some were last handed over, epoch milliseconds. */
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
    // One after the other: two at once would hand over the same turns.
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
