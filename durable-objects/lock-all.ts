/**
 * Locks the edge, or unlocks it, everywhere (T-10): the tunnel, then every object of the register. Must not decide who may. Called by
 * KernelObject, which has made it durable first, so that whoever joins meanwhile learns it.
 */
import type { EdgeEnv } from '../worker/env.ts'
import { TUNNEL_NAME } from './names.ts'

/** Throws when an object could not be told: who asked then asks again, and telling twice is telling once. */
export async function lockAll(
  env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>,
  names: readonly string[],
  locked: boolean,
): Promise<void> {
  await env.TUNNEL.getByName(TUNNEL_NAME).setLocked(locked)
  for (const name of names) {
    // A locked object restarts, which its caller sees as an error: what counts is what the next instance says.
    await env.PRINCIPALS.getByName(name)
      .setLocked(locked)
      .catch(() => undefined)
    if ((await env.PRINCIPALS.getByName(name).locked()) !== locked)
      throw new Error('an object could not be told')
  }
}
