/**
 * Locks or unlocks the edge everywhere (T-10): the tunnel, then every registered object. Must not decide who may. Called by
 * KernelObject, which has stored the lock first, so that an object that registers meanwhile learns it.
 */
import type { EdgeEnv } from '../../worker/env.ts'
import { TUNNEL_NAME } from '../names.ts'

/** Throws when an object could not be reached: the caller retries, and a repeated call is harmless. */
export async function lockAll(
  env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>,
  names: readonly string[],
  locked: boolean,
): Promise<void> {
  await env.TUNNEL.getByName(TUNNEL_NAME).setLocked(locked)
  for (const name of names) {
    // A locked object restarts, which its caller sees as an error. So the result is read from the next instance.
    await env.PRINCIPALS.getByName(name)
      .setLocked(locked)
      .catch(() => undefined)
    if ((await env.PRINCIPALS.getByName(name).locked()) !== locked)
      throw new Error('an object could not be told')
  }
}
