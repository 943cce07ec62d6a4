/**
 * Scheduled work on secrets: rotation by the tool that can renew one, which unseals the present value only for that exchange
 * (E-11); expiry of former versions; and notices before a permission ends. Must not put a value into a notice or a reason. Called
 * by secret-vault.ts and home-jobs.ts.
 */

import type { Transport } from '../../integrations/http/transport.ts'
import { renewCredential } from '../../integrations/tools/credential-calls.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { type Scheduler, startScheduler } from '../jobs/scheduler.ts'
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

/** Milliseconds. A secret younger than this at a rotation waits for the next one, a month later. */
export const ROTATE_AFTER = 15 * 86_400_000
/** Milliseconds between two checks for what has expired. */
const LOOK_AGAIN = 3_600_000

export interface RotationInput {
  readonly secrets: Pick<SecretStore, 'list' | 'rotate' | 'reminded' | 'remindedAt'>
  /** Whether the owner switched the secret's service off: it is then neither called nor mentioned in a notice. */
  readonly isOff: (name: string) => boolean
  /** Returns a new value from the service; null if no tool can get one. */
  readonly renew: (name: string) => Promise<Result<string> | null>
  /** Notifies the owner. One `id` per secret and month, so that it is delivered once. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => Promise<unknown>
  readonly now: () => number
}

/** Runs one rotation. If one secret fails, the owner is notified and the others continue. */
export async function rotateSecrets(input: RotationInput): Promise<Result<true>> {
  const { secrets, isOff, now } = input
  for (const { name, storedAt } of secrets.list()) {
    if (isOff(name)) continue
    const asked = secrets.remindedAt(name)
    const since = Math.max(storedAt, asked ?? 0)
    if (now() - since >= ROTATE_AFTER) await renewOrAsk(input, name)
  }
  return ok(true)
}

/**
 * Milliseconds before a permission ends at which the owner is notified: early enough to renew it in a browser, late enough not to
 * be forgotten.
 */
export const TOLD_BEFORE = 86_400_000

export interface EndingInput {
  readonly secrets: Pick<SecretStore, 'list' | 'endTold'>
  readonly isOff: RotationInput['isOff']
  readonly tell: (notice: {
    readonly id: string
    readonly code: ReasonCode
    readonly words: string
  }) => Promise<unknown>
  /** Words for the owner: which permission ends when, and what to do. */
  readonly wordsOf: (name: string, endsAt: number) => string
  readonly now: () => number
}

/**
 * Notifies the owner once of each permission that its service ends within a day. One that has already ended is reported by its
 * next use.
 */
export async function tellEnding({ secrets, isOff, tell, wordsOf, now }: EndingInput): Promise<void> {
  for (const { name, endsAt } of secrets.list()) {
    if (endsAt === null || endsAt - now() > TOLD_BEFORE || isOff(name)) continue
    const id = `credential-ends:${name}:${endsAt}`
    if (endsAt > now()) await tell({ id, code: 'credential_due', words: wordsOf(name, endsAt) })
    secrets.endTold(name)
  }
}

interface ExpiryInput {
  readonly secrets: Pick<SecretStore, 'expire'>
  /** Deletes other expired data. */
  readonly expire: () => void
  /** Notifies the owner of permissions that end soon. */
  readonly ending: () => Promise<void>
  readonly now: () => number
  readonly fault: () => void
}

/**
 * Deletes expired data and sends notices of what ends soon, at once and then hourly, because neither may wait for the monthly
 * rotation.
 */
export function startExpiry({ secrets, expire, ending, now, fault }: ExpiryInput): Pick<Scheduler, 'stop'> {
  const tick = async (): Promise<number> => {
    secrets.expire()
    expire()
    await ending()
    return now() + LOOK_AGAIN
  }
  return startScheduler({ tick, now, fault })
}

async function renewOrAsk({ secrets, renew, tell, now }: RotationInput, name: string): Promise<void> {
  const renewed = await renew(name)
  const stored = renewed?.ok === true ? await secrets.rotate(name, renewed.value) : null
  if (stored?.ok === true) return
  secrets.reminded(name)
  await tell({ id: `credential-due:${name}:${now()}`, code: 'credential_due' })
}
