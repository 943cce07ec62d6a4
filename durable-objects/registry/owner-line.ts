/** Delivers a notice on the owner's open line, through the owner's object. Must not decide what to report. Called by KernelObject. */
import { err } from '../../kernel/flow/verdict.ts'
import type { Notice } from '../../kernel/pipeline/deliver.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { EdgeEnv } from '../../worker/env.ts'
import { objectName } from '../names.ts'

export interface OwnerLine {
  /** False when it cannot be delivered now. Never throws. */
  tell(notice: Omit<Notice, 'sink' | 'principal'>): Promise<boolean>
}

/** `nameKey`: 32 bytes, the key that derives object names. */
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
