/**
 * What the parts of KernelObject share: storage, clock, the object's one alarm, audit lines, and notices on the owner's open line,
 * which go through the owner's object. Must not run any work, nor judge what is a fault. Called by KernelObject.
 */

import type { Notice } from '../../kernel/features/deliveries/deliver.ts'
import { err, type ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { AuditKind } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { objectName } from '../names.ts'
import type { EdgeEnv } from '../platform/env.ts'

export interface KernelPorts {
  readonly kv: SyncKvStorage
  readonly env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>
  /** 32 bytes: the key that derives object names. */
  readonly nameKey: Uint8Array
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Notifies the owner. Idempotent by id. False when it cannot be delivered now. Never throws. */
  readonly tell: (notice: Omit<Notice, 'sink' | 'principal'>) => Promise<boolean>
  /** Appends an audit line that belongs to no task: ids and codes only. */
  readonly note: (kind: AuditKind, facts: ReasonFacts) => void
  /** Requests a wake-up of this part, epoch milliseconds. Replaces its former request, also by a later time. */
  readonly wakeAt: (at: number) => void
}

export function ownerLine({ env, nameKey }: Pick<KernelPorts, 'env' | 'nameKey'>): KernelPorts['tell'] {
  const name = objectName(nameKey, OWNER_PRINCIPAL)
  return async (notice) => {
    const sent = await env.PRINCIPALS.getByName(name)
      .notify(OWNER_PRINCIPAL, notice)
      .catch(() => err('storage_failed'))
    return sent.ok
  }
}

export interface EdgeFaults {
  /** A fault of home. False when the owner could not be notified now. */
  home(notice: { readonly id: string; readonly code: ReasonCode }): Promise<boolean>
  /** A setting with an invalid value, by its name. */
  setting(name: string): Promise<boolean>
  /** A model's breaker opened or closed. `at`: epoch milliseconds. */
  model(model: string, code: ReasonCode, at: number): Promise<boolean>
}

/** Writes an audit line for a fault that concerns the owner, and notifies them. */
export function createEdgeFaults({ note, tell }: Pick<KernelPorts, 'note' | 'tell'>): EdgeFaults {
  return {
    async home(notice) {
      const isSent = await tell(notice)
      note('fault', { code: notice.code, told: Number(isSent) })
      return isSent
    },
    setting(name) {
      note('fault', { code: 'config_malformed', setting: name })
      return tell({ id: `models:${Date.now()}`, code: 'config_malformed', about: name })
    },
    model(model, code, at) {
      note('fault', { code, model })
      return tell({ id: `${code}:${model}:${at}`, code, about: model })
    },
  }
}

export type Alarms = ReturnType<typeof createAlarms>

const PART = 'alarm:'

/** Shares an object's single alarm between its parts: the earliest time is set. A part that needs another wake-up asks again. */
export function createAlarms(storage: Pick<DurableObjectStorage, 'kv' | 'setAlarm'>) {
  const { kv } = storage
  return {
    wakeAt(part: string, at: number): void {
      kv.put(PART + part, at)
      const wanted = [...kv.list<number>({ prefix: PART })].map(([, moment]) => moment)
      void storage.setAlarm(Math.min(...wanted))
    },
    /** The alarm fired: all requests are cleared. */
    rang(): void {
      for (const [key] of [...kv.list({ prefix: PART })]) kv.delete(key)
    },
  }
}
