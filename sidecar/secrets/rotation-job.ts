/**
 * Monthly rotation (E-11): a secret that is a month old is renewed by its tool if the tool can; otherwise the owner is
 * asked, once a month. Deletes replaced versions after a week. Must not see a value: the new one goes from the service
 * into the store. Called by secret-vault.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Scheduler, startScheduler } from '../scheduler.ts'
import type { SecretStore } from './secret-store.ts'

/** Milliseconds until a secret is due, and until the owner is asked again. */
export const ROTATE_AFTER = 30 * 86_400_000
/** Milliseconds between two checks. */
const LOOK_AGAIN = 3_600_000

export interface RotationInput {
  readonly secrets: Pick<SecretStore, 'list' | 'rotate' | 'reminded' | 'remindedAt' | 'expire'>
  /** Returns a new value from the service; null if no tool can get one. */
  readonly renew: (name: string) => Promise<Result<string> | null>
  /** Notifies the owner. One `id` per secret and month, so that it is delivered once. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => Promise<unknown>
  /** Deletes other expired data. */
  readonly expire?: () => void
  readonly now: () => number
  readonly fault: () => void
}

export function startRotationJob(input: RotationInput): Pick<Scheduler, 'stop'> {
  return startScheduler({ tick: () => lookAtSecrets(input), now: input.now, fault: input.fault })
}

/** One check, without the timer. Returns the time of the next check. */
export async function lookAtSecrets(input: RotationInput): Promise<number> {
  const { secrets, now } = input
  secrets.expire()
  input.expire?.()
  for (const { name, storedAt } of secrets.list()) {
    const asked = secrets.remindedAt(name)
    const since = Math.max(storedAt, asked ?? 0)
    if (now() - since >= ROTATE_AFTER) await renewOrAsk(input, name)
  }
  return now() + LOOK_AGAIN
}

async function renewOrAsk({ secrets, renew, tell, now }: RotationInput, name: string): Promise<void> {
  const renewed = await renew(name)
  const stored = renewed?.ok === true ? await secrets.rotate(name, renewed.value) : null
  if (stored?.ok === true) return
  secrets.reminded(name)
  await tell({ id: `credential-due:${name}:${now()}`, code: 'credential_due' })
}
