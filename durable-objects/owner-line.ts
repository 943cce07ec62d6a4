/** Tells the owner something on his open line, by his own object. Must not decide what is news. Called by KernelObject. */
import { err } from '../kernel/flow/verdict.ts'
import type { Notice } from '../kernel/pipeline/deliver.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { objectName } from './names.ts'

export interface OwnerLine {
  /** False when that cannot be done now. Never throws. */
  tell(notice: Omit<Notice, 'sink' | 'principal'>): Promise<boolean>
}

/** `nameKey`: 32 bytes, by which objects are named. */
export function createOwnerLine(env: Pick<EdgeEnv, 'PRINCIPALS'>, nameKey: Uint8Array): OwnerLine {
  const name = objectName(nameKey, OWNER_PRINCIPAL)
  return {
    async tell(notice) {
      const told = await env.PRINCIPALS.getByName(name)
        .notify(OWNER_PRINCIPAL, notice)
        .catch(() => err('storage_failed'))
      return told.ok
    },
  }
}
