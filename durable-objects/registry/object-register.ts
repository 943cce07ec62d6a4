/**
 * Register of all principals' objects by name, and the edge's lock (T-10): an object that registers learns the lock, and registered
 * ones receive changes. Must not decide who may lock. Called by KernelObject.
 */

import { TUNNEL_NAME } from '../names.ts'
import type { EdgeEnv } from '../platform/env.ts'

const LOCKED = 'locked'
const OBJECT = 'object:'

export interface ObjectRegister {
  /** Registers an object by its name, which is a keyed hash. Returns whether the edge is locked. */
  join(name: string): boolean
  names(): readonly string[]
  has(name: string): boolean
  isLocked(): boolean
  /** Stored here first, then pushed to every object. Throws when one could not be reached. */
  setLocked(locked: boolean): Promise<void>
}

export function createObjectRegister(
  kv: SyncKvStorage,
  env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>,
): ObjectRegister {
  const isLocked = (): boolean => kv.get<boolean>(LOCKED) === true
  const names = (): readonly string[] =>
    [...kv.list({ prefix: OBJECT })].map(([key]) => key.slice(OBJECT.length))
  return {
    join(name) {
      kv.put(OBJECT + name, true)
      return isLocked()
    },
    names,
    has: (name) => kv.get(OBJECT + name) !== undefined,
    isLocked,
    async setLocked(locked) {
      kv.put(LOCKED, locked)
      await lockAll(env, names(), locked)
    },
  }
}

/** Throws when an object could not be reached: the caller retries, and a repeated call is harmless. */
async function lockAll(
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
