/**
 * When the owner's object hands its turns to home: soon after the last, when home connects, and before anything is forwarded to home.
 * They lie in the session until then, so an eviction loses none; the alarm of a message looks again. Must not keep a turn itself, and
 * wakes nobody while home is away. Called by PrincipalObject and powers.ts.
 */
import {
  beginTurnsForHome,
  handTurnsToHome,
  haveTurnsForHome,
  type TurnsForHome,
} from '../../kernel/features/memory/turns-home.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { RECOVERY_DELAY } from './driver.ts'

/**
 * Milliseconds from a turn until home has it, and so between two batches. The platform keeps the object for ten seconds after a
 * message in any case, so this wait costs nothing; and who walks from one line to the other needs longer.
 */
export const HANDED_WITHIN = 2_000
/** Milliseconds without another try after home was not there. Home's next connection is told at once; only its silence is not. */
const AWAY_FOR = 60_000

export interface HomeTurns {
  /** Call before each run. */
  begin(): void
  /** After a run: hands over what it left, soon. Returns when to look again (epoch ms), should this object be evicted; or null. */
  look(): number | null
  /** Resolves when all turns are handed over, or stay. Never rejects. `always`: also while home is away, for what is sent after them. */
  bring(when: 'there' | 'always'): Promise<void>
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
  let timer: ReturnType<typeof setTimeout> | null = null
  let last: Promise<void> = Promise.resolve()
  const begin = (): boolean => {
    if (principal() !== OWNER_PRINCIPAL || closed()) return false
    beginTurnsForHome(powers(), OWNER_PRINCIPAL)
    return true
  }
  const hasSome = (): boolean => begin() && haveTurnsForHome(powers(), OWNER_PRINCIPAL)
  const hand = async (when: 'there' | 'always'): Promise<void> => {
    if (!hasSome()) return
    const before = greetings
    const isDone = await handTurnsToHome(powers(), OWNER_PRINCIPAL, when)
    if (!isDone && before === greetings) awayUntil = Date.now() + AWAY_FOR
  }
  const bring = (when: 'there' | 'always'): Promise<void> => {
    // One after the other: two at once would hand over the same turns.
    last = last.then(() => hand(when)).catch(() => undefined)
    return last
  }
  return {
    begin: () => void begin(),
    look() {
      if (timer !== null || Date.now() < awayUntil || !hasSome()) return null
      timer = setTimeout(() => {
        timer = null
        void bring('there')
      }, HANDED_WITHIN)
      return Date.now() + RECOVERY_DELAY
    },
    bring,
    greeted() {
      greetings += 1
      awayUntil = 0
      return bring('there')
    },
  }
}
