/**
 * The owner's operations on secrets: set, rotate, delete, list (E-05, E-08). None returns a value. The caller has
 * authenticated the owner, through the private line's socket or by holding home's lock. Called by secret-methods.ts
 * and, while home is not running, by `pfar secret`.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { secretName } from '../../kernel/vault/secret-offer.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { deleteCheckOf, isDeleteCheck } from './check-word.ts'
import {
  checkValue,
  REDACTED,
  type SecretInfo,
  type SecretKind,
  type SecretScope,
  secretKind,
  secretParts,
} from './secret.ts'
import type { SecretStore } from './secret-store.ts'

/** UTF-16 units of a value as received; `checkValue` has the exact bound. */
const MAX_INPUT = 20_000

const value = z.string().check(z.maxLength(MAX_INPUT))
const list = z._default(
  z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(32)),
  [],
)
const allowDevelopmentKey = z._default(z.boolean(), false)

export const setSchema = z.strictObject({
  name: secretName,
  value,
  kind: z._default(secretKind, 'token'),
  /** Empty lists: use what the tools that need this name declare. */
  tools: list,
  actions: list,
  hosts: list,
  allowDevelopmentKey,
  /** When its service ends the permission, epoch milliseconds. */
  endsAt: z.optional(z.int().check(z.positive())),
})
export const rotateSchema = z.strictObject({ name: secretName, value, allowDevelopmentKey })
export const nameSchema = z.strictObject({ name: secretName })
export const deleteSchema = z.strictObject({
  name: secretName,
  check: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})

/** One secret as it may be shown, with a placeholder for the value. */
export interface SecretView extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly value: typeof REDACTED
  readonly kind: SecretKind
  readonly version: number
  readonly state: SecretInfo['state']
  readonly tools: readonly string[]
  readonly actions: readonly string[]
  readonly hosts: readonly string[]
  /** ISO times. */
  readonly stored: string
  readonly lastUsed: string | null
  /** Whether the former version still exists. */
  readonly former: boolean
}

/** Either the secret was deleted, or `check` is the word that deletes it. */
export interface Deletion {
  readonly name: string
  readonly deleted: boolean
  readonly check?: string
  /** For a permission at a service: whether it was revoked there as well. */
  readonly revoked?: boolean
}

export interface SecretService {
  /** Refusals: key_development, field_malformed, tool_unknown (no tool uses this name, and none was given). */
  set(input: z.output<typeof setSchema>): Promise<Result<SecretView>>
  /** Refusals: key_development, credential_missing, field_malformed. */
  rotate(input: z.output<typeof rotateSchema>): Promise<Result<SecretView>>
  /**
   * Without a check word it deletes nothing and returns one; with it, it deletes (F-17). Refusals: credential_missing;
   * approval_step_up for a check word that is of another version or expired.
   */
  delete(input: z.output<typeof deleteSchema>): Promise<Result<Deletion>>
  list(): readonly SecretView[]
}

export interface SecretServiceInput {
  readonly secrets: SecretStore
  readonly manifests: readonly ToolManifest[]
  /** Vault names for the credential of a manifest. */
  readonly namesOf: (manifest: ToolManifest) => readonly string[]
  readonly custody: CustodyKind
  /** Home's key for `confirm`. */
  readonly confirmKey: Uint8Array
  readonly now: () => number
  /** From then on the value is redacted. */
  readonly learn: (name: string, value: string) => void
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
  /**
   * Revokes a permission at its service before the stored secret is deleted; null for a secret that is no permission. Absent: no
   * service can be reached from here.
   */
  readonly revoke?: (name: string) => Promise<Result<true> | null>
}

export function createSecretService(input: SecretServiceInput): SecretService {
  const { secrets, custody, learn } = input
  const developing = (allow: boolean): boolean => custody === 'development' && !allow
  return {
    async set({ name, value: given, kind, allowDevelopmentKey: allow, endsAt, ...named }) {
      if (developing(allow)) return err('key_development')
      const scope = scopeFor(input, name, named)
      if (!scope.ok) return scope
      const checked = checkValue(kind, given)
      if (!checked.ok) return checked
      for (const part of secretParts(checked.value)) learn(name, part)
      return changed(
        input,
        'set',
        await secrets.set({ name, kind, scope: scope.value, value: checked.value, endsAt }),
      )
    },
    async rotate({ name, value: given, allowDevelopmentKey: allow }) {
      if (developing(allow)) return err('key_development')
      const known = secrets.find(name)
      if (known === null) return err('credential_missing', { credential: name })
      const checked = checkValue(known.kind, given)
      if (!checked.ok) return checked
      for (const part of secretParts(checked.value)) learn(name, part)
      return changed(input, 'rotate', await secrets.rotate(name, checked.value))
    },
    async delete({ name, check }) {
      const asked = askToDelete(input, name, check)
      if (asked !== null) return asked
      const isPermission = secrets.find(name)?.kind === 'oauth'
      const ended = (await input.revoke?.(name)) ?? null
      // The stored secret is deleted whatever the service answers.
      const gone = await secrets.delete(name)
      if (!gone.ok) return gone
      report(input, { credential: name, change: 'delete' })
      const revoked = ended === null ? (isPermission ? { revoked: false } : {}) : { revoked: ended.ok }
      return ok({ name, deleted: true, ...revoked })
    },
    list: () => secrets.list().map(viewOf),
  }
}

/** The question or a refusal; null if it was answered. */
function askToDelete(
  input: SecretServiceInput,
  name: string,
  given: string | undefined,
): Result<Deletion> | null {
  const known = input.secrets.find(name)
  if (known === null) return err('credential_missing', { credential: name })
  const now = input.now()
  if (given !== undefined)
    return isDeleteCheck(input.confirmKey, known, { given, now })
      ? null
      : err('approval_step_up', { credential: name })
  report(input, { credential: name, version: known.version, change: 'delete_asked' })
  return ok({ name, deleted: false, check: deleteCheckOf(input.confirmKey, known, now) })
}

/** The given scope, or the tools that use this name and the hosts that they declare. */
function scopeFor(
  { manifests, namesOf }: Pick<SecretServiceInput, 'manifests' | 'namesOf'>,
  name: string,
  named: SecretScope,
): Result<SecretScope> {
  const asking = manifests.filter((manifest) => namesOf(manifest).includes(name))
  const tools = named.tools.length > 0 ? named.tools : asking.map((tool) => tool.name)
  const chosen = manifests.filter((tool) => tools.includes(tool.name))
  const unknown = tools.find((tool) => !chosen.some((manifest) => manifest.name === tool))
  if (chosen.length === 0 || unknown !== undefined) return err('tool_unknown', { credential: name })
  const hosts = named.hosts.length > 0 ? named.hosts : chosen.flatMap((tool) => hostsFor(tool, name))
  const ids = chosen.flatMap(({ actions }) => actions.map(({ id }) => id))
  if (named.actions.some((action) => !ids.includes(action))) return err('tool_unknown', { credential: name })
  return ok({ tools: unique(tools), actions: unique(named.actions), hosts: unique(hosts) })
}

/** The key of a single host may go to that host only, whatever else its tool may reach. */
function hostsFor({ network, accounts = [] }: ToolManifest, name: string): readonly string[] {
  const own = accounts.filter(({ sends, credential }) => sends !== undefined && credential === name)
  return own.length === 0 ? network : own.flatMap((account) => account.network)
}

function changed(input: SecretServiceInput, change: string, result: Result<SecretInfo>): Result<SecretView> {
  if (!result.ok) return result
  const { name, version } = result.value
  report(input, { credential: name, version, change })
  return ok(viewOf(result.value))
}

function report({ audit }: SecretServiceInput, facts: AuditEvent['facts']): void {
  audit({ kind: 'secret_changed', trace: null, task: null, principal: null, facts })
}

export function viewOf({
  name,
  kind,
  version,
  state,
  scope,
  storedAt,
  lastUsedAt,
  former,
}: SecretInfo): SecretView {
  return {
    ...{ name, value: REDACTED, kind, version, state, ...scope },
    stored: new Date(storedAt).toISOString(),
    lastUsed: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
    former,
  }
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}
