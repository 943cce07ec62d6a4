/**
 * The names of all objects of principals, and whether the edge is locked (T-10): whoever joins learns it, and whoever has
 * joined is told. Must not decide who may lock. Called by KernelObject.
 */
import type { EdgeEnv } from '../worker/env.ts'
import { lockAll } from './lock-all.ts'

const LOCKED = 'locked'
const OBJECT = 'object:'

export interface ObjectRegister {
  /** Notes an object, by its name, which is a keyed hash; answers whether the edge is locked. */
  join(name: string): boolean
  names(): readonly string[]
  has(name: string): boolean
  isLocked(): boolean
  /** Durable here first, then at every object. Throws when one could not be told. */
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
