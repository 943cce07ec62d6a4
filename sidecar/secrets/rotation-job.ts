/**
 * Renews a secret with the tool that can, and unseals the present value only for that exchange (E-11). Must not store
 * the new value: rotation-job.ts does. Called by secret-vault.ts.
 */

import type { Transport } from '../../integrations/http/transport.ts'
import { renewCredential } from '../../integrations/tools/credential-calls.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { type Scheduler, startScheduler } from '../scheduler.ts'
import type { Redactor } from './redactor.ts'
import type { SecretStore } from './secret-store.ts'

interface RenewerInput {
  readonly tools: readonly Tool[]
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
  readonly secrets: Pick<SecretStore, 'unseal'>
  /** Vault name for the credential name of a manifest. */
  readonly nameOf: (credential: string) => string
  readonly redactor: Pick<Redactor, 'learn'>
}

/** Null if no tool can renew this secret. */
export function createRenewer(input: RenewerInput): (name: string) => Promise<Result<string> | null> {
  const { tools, transport, exemptOrigins, secrets, nameOf, redactor } = input
  return async (name) => {
    const tool = tools.find(
      ({ manifest, renew }) =>
        renew !== undefined && manifest.credential !== null && nameOf(manifest.credential) === name,
    )
    if (tool === undefined) return null
    const plain = await secrets.unseal(name)
    if (!plain.ok || !plain.value.scope.tools.includes(tool.manifest.name)) return null
    const { bytes, scope } = plain.value
    const credential = { scheme: 'bearer', value: new TextDecoder().decode(bytes) } as const
    bytes.fill(0)
    redactor.learn(name, credential.value)
    const renewed = await renewCredential({ tool, credential, hosts: scope.hosts, transport, exemptOrigins })
    if (renewed?.ok === true) redactor.learn(name, renewed.value)
    return renewed
  }
}

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
