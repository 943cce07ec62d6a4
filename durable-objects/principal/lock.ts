/**
 * The lock of one principal's object (T-08, T-10): a durable flag, and the object's entry in the register through which it is set.
 * Must not decide who may lock. Called by PrincipalObject.
 */
import type { KernelCalls } from '../../worker/env.ts'
import { KERNEL_NAME } from '../names.ts'

const LOCKED = 'locked'
const JOINED = 'joined'

export interface EdgeLock {
  isLocked(): boolean
  set(locked: boolean): void
  /** Registers once per object, so that it receives every lock. Throws when KernelObject cannot be reached. */
  join(): Promise<void>
}

export interface EdgeLockInput {
  readonly kv: SyncKvStorage
  readonly kernel: KernelCalls<'join'>
  /** Name of this object. */
  readonly name: () => string
}

export function createEdgeLock({ kv, kernel, name }: EdgeLockInput): EdgeLock {
  let locked = kv.get<boolean>(LOCKED) === true
  let joined = kv.get<boolean>(JOINED) === true
  const set = (to: boolean): void => {
    kv.put(LOCKED, to)
    locked = to
  }
  return {
    isLocked: () => locked,
    set,
    async join() {
      if (joined) return
      if (await kernel.getByName(KERNEL_NAME).join(name())) set(true)
      kv.put(JOINED, true)
      joined = true
    },
  }
}
