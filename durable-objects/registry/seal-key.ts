/**
 * Home's public key as last synced, and a limit on how many secrets a minute may be sealed with it; each use is audited. The edge
 * can seal with it and open nothing (DESIGN §6). Must not see what is sealed. Called by KernelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { countOne, type RateWindow } from '../rate-window.ts'
import type { Denials } from './denials.ts'
import type { KernelAudit } from './kernel-audit.ts'

/** Secrets a minute: enough for a person typing; a stolen device must not fill home's queue. */
export const MAX_SECRETS = 10

const KEY = 'seal-key'
const WINDOW = 'seal-rate'

/** Name of the secret, and the device that asks. */
export interface KeyRequest {
  readonly name: string
  readonly device: string
}

export interface SealKey {
  /** Base64url of 32 bytes. The former key is dropped; home can still open waiting boxes sealed with it. */
  set(key: string): void
  /** Home's public key, for the backup; null before the first sync from home. */
  current(): string | null
  /** The key, to seal one more secret. Refusals: remote_rate_limited, seal_key_missing. */
  take(of: KeyRequest): Result<string>
}

export interface SealKeyInput extends Pick<KernelAudit, 'note'>, Pick<Denials, 'deny'> {
  readonly kv: SyncKvStorage
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createSealKey({ kv, now, note, deny }: SealKeyInput): SealKey {
  const take = (): Result<string> => {
    const { window, within } = countOne(kv.get<RateWindow>(WINDOW) ?? null, now(), MAX_SECRETS)
    kv.put(WINDOW, window)
    if (!within) return err('remote_rate_limited', { most: MAX_SECRETS })
    const key = kv.get<string>(KEY)
    return key === undefined ? err('seal_key_missing') : ok(key)
  }
  return {
    set: (key) => kv.put(KEY, key),
    current: () => kv.get<string>(KEY) ?? null,
    take({ name: credential, device }) {
      const key = take()
      if (key.ok) note('secret_changed', { credential, change: 'typed', device })
      else deny('link', { code: key.reason.code, device })
      return key
    },
  }
}
