/**
 * Monthly rotation (E-11): a secret that is a month old is renewed by its tool, where the tool can, and otherwise the
 * owner is asked, once a month. Lets go of replaced versions whose week is over. Must not see a value: the tool's new
 * one goes from its service into the store. Called by runtime.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Scheduler, startScheduler } from '../scheduler.ts'
import type { SecretStore } from './secret-store.ts'

/** Milliseconds after which a secret is due, and after which its owner is asked again. */
export const ROTATE_AFTER = 30 * 86_400_000
/** Milliseconds between looks. */
const LOOK_AGAIN = 3_600_000

export interface RotationInput {
  readonly secrets: Pick<SecretStore, 'list' | 'rotate' | 'reminded' | 'remindedAt' | 'expire'>
  /** A new value from the service; null where no tool can get one. */
  readonly renew: (name: string) => Promise<Result<string> | null>
  /** Tells the owner; `id` is the same for one secret in one month. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => Promise<unknown>
  /** Lets go of what else has had its time. */
  readonly expire?: () => void
  readonly now: () => number
  readonly fault: () => void
}

export function startRotationJob(input: RotationInput): Pick<Scheduler, 'stop'> {
  return startScheduler({ tick: () => lookAtSecrets(input), now: input.now, fault: input.fault })
}

/** One look, apart from the timer; returns when to look again. */
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
