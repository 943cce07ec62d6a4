/**
 * The owner's pause at the edge. The owner's object forwards a pause that is set here to KernelObject, which also receives home's
 * pause and pushes both to all objects and to the tunnel. Holds only ids and times, so a locked edge accepts it. Must not decide
 * whether a pause is in force: `pauseIn` does. Called by PrincipalObject and KernelObject.
 */
import type { PausePort } from '../kernel/features/pause/pause-port.ts'
import type { Holding } from '../kernel/runtime/shell-port.ts'
import {
  adopt,
  applySynced,
  NEVER_PAUSED,
  type PauseCommand,
  type PauseCommands,
  type PauseState,
  type PauseSync,
  pauseIn,
  wordsOf,
} from '../kernel/task/pause.ts'
import { KERNEL_NAME, TUNNEL_NAME } from './names.ts'
import type { EdgeEnv, KernelCalls } from './platform/env.ts'

const KEPT = 'pause'
/** In an object: its pause has not reached KernelObject yet. In KernelObject: the stored state has not reached every object. */
const OWED = 'pause-owed'
/** Milliseconds until a failed push is retried. */
const AGAIN = 5_000

function keptIn(kv: SyncKvStorage): PauseState {
  return kv.get<PauseState>(KEPT) ?? NEVER_PAUSED
}

/** Work that is delayed now, for the status. */
export interface HeldUp {
  readonly waiting: ReturnType<Holding['waiting']>
  readonly paused: ReturnType<Holding['paused']>
}

export function heldUp(shell: Holding): HeldUp {
  return { waiting: shell.waiting(), paused: shell.paused() }
}

export interface ObjectPause extends PausePort {
  /**
   * Stores KernelObject's state; returns true if that changed something. A pause set here that KernelObject does not have yet
   * stays.
   */
  take(words: PauseCommands): boolean
  /** Retries what has not been pushed. Returns when to try again (epoch milliseconds), or null. Never throws. */
  bring(): Promise<number | null>
}

export function createObjectPause(
  kv: SyncKvStorage,
  env: { readonly KERNEL: KernelCalls<'setEdgePause'> },
): ObjectPause {
  const isOwed = (): boolean => kv.get<boolean>(OWED) === true
  const bring = async (): Promise<number | null> => {
    if (!isOwed()) return null
    try {
      const { edge } = keptIn(kv)
      await env.KERNEL.getByName(KERNEL_NAME).setEdgePause(edge)
      // If the owner changed it during the push, it is pushed again.
      if (keptIn(kv).edge?.at === edge?.at) kv.delete(OWED)
      return isOwed() ? Date.now() : null
    } catch {
      return Date.now() + AGAIN
    }
  }
  return {
    read: () => keptIn(kv),
    write(state) {
      kv.put(KEPT, state)
      kv.put(OWED, true)
      // After the transaction in which the pause is set.
      queueMicrotask(() => void bring())
    },
    take(words) {
      const before = keptIn(kv)
      const after = adopt(before, isOwed() ? { ...words, edge: before.edge } : words, Date.now())
      kv.put(KEPT, after)
      return (pauseIn(before) === null) !== (pauseIn(after) === null)
    },
    bring,
  }
}

export interface EdgePause {
  words(): PauseCommands
  holds(): boolean
  /**
   * Takes a pause that was set in the owner's object. Stored here first. Throws when an object could not be reached; the caller
   * retries.
   */
  setByEdge(edge: PauseCommand | null): Promise<void>
  /** Takes the pause of home's hello. Resolves when all objects have it. Throws as above. */
  setByHome(told: PauseSync): Promise<void>
}

export function createEdgePause(
  kv: SyncKvStorage,
  env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>,
  names: () => readonly string[],
): EdgePause {
  const pushToAll = async (): Promise<void> => {
    const words = wordsOf(keptIn(kv))
    kv.put(OWED, true)
    const objects = names().map((name) => env.PRINCIPALS.getByName(name).setPause(words))
    const pushes = await Promise.allSettled([
      ...objects,
      env.TUNNEL.getByName(TUNNEL_NAME).setPause(words.edge),
    ])
    if (pushes.some(({ status }) => status === 'rejected')) throw new Error('an object could not be told')
    if (JSON.stringify(wordsOf(keptIn(kv))) === JSON.stringify(words)) kv.delete(OWED)
  }
  const keep = async (after: PauseState): Promise<void> => {
    const before = keptIn(kv)
    if (after === before && kv.get<boolean>(OWED) !== true) return
    kv.put(KEPT, after)
    await pushToAll()
  }
  return {
    words: () => wordsOf(keptIn(kv)),
    holds: () => pauseIn(keptIn(kv)) !== null,
    setByEdge: (edge) => keep(adopt(keptIn(kv), { edge }, Date.now())),
    setByHome: (told) => keep(applySynced(keptIn(kv), { from: 'home', synced: told, now: Date.now() })),
  }
}
