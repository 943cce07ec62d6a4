/**
 * Access check of one principal's object. It serves one principal for its whole life: the one its name is derived from (B-02, B-10,
 * R-01), and only while the edge is not locked (T-08, T-10) and no import is incomplete. Must not decide who may lock, nor what the
 * principal may do. Called by PrincipalObject and object-part.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { KernelCalls } from '../platform/env.ts'

const PRINCIPAL = 'principal'
const LOCKED = 'locked'
const JOINED = 'joined'
/** Id of an import that has begun and not ended. */
export const IMPORTING = 'import:half'

interface GateInput {
  readonly kv: SyncKvStorage
  readonly kernel: KernelCalls<'join'>
  readonly nameKey: Uint8Array
  /** The object name that the platform reports. */
  readonly calledBy: string | undefined
}

export type Gate = ReturnType<typeof createGate>

export function createGate({ kv, kernel, nameKey, calledBy }: GateInput) {
  let held: string | undefined
  let locked = kv.get<boolean>(LOCKED) === true
  let joined = kv.get<boolean>(JOINED) === true
  const known = (): string | undefined => {
    held ??= kv.get<string>(PRINCIPAL)
    return held
  }
  const name = (): string => objectName(nameKey, known() ?? '')
  const isHalf = (): boolean => kv.get(IMPORTING) !== undefined
  const setLocked = (to: boolean): void => {
    kv.put(LOCKED, to)
    locked = to
  }
  const own = (principal: string): Result<true> => {
    const owner = known()
    if (owner !== undefined) return owner === principal ? ok(true) : err('principal_not_allowed')
    if (calledBy !== objectName(nameKey, principal)) return err('principal_not_allowed')
    kv.put(PRINCIPAL, principal)
    return ok(true)
  }
  const join = async (): Promise<void> => {
    if (joined) return
    if (await kernel.getByName(KERNEL_NAME).join(name())) setLocked(true)
    kv.put(JOINED, true)
    joined = true
  }
  const open = async (principal: string): Promise<Result<true>> => {
    const allowed = own(principal)
    if (!allowed.ok) return allowed
    await join()
    // No answer comes from an incomplete import; the caller may retry.
    if (isHalf()) return err('storage_failed', { why: 'import' })
    return locked ? err('edge_locked') : allowed
  }
  return {
    /** Checks that `principal` is the object's own; the first successful call records it. Refusal: principal_not_allowed. */
    own,
    /** The recorded principal; undefined before the first call. */
    known,
    /** The name of this object. */
    name,
    isLocked: () => locked,
    setLocked,
    /** While true nothing runs here. */
    isClosed: () => locked || isHalf(),
    /** Registers once per object, so that it receives every lock. Throws when KernelObject cannot be reached. */
    join,
    /**
     * Call before anything that reads or writes sealed rows. Refusals: principal_not_allowed, storage_failed (an import is
     * incomplete), edge_locked.
     */
    open,
    /** `open`, then the result of `answer`. */
    async opened<T>(principal: string, answer: () => T | Promise<T>): Promise<Result<T>> {
      const allowed = await open(principal)
      return allowed.ok ? ok(await answer()) : allowed
    },
  }
}
