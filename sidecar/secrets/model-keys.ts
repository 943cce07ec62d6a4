/**
 * Issues the key for one call of a model (D-20, invariant 4): unsealed for that call, only for the host in its scope;
 * audits which version went where. Must not keep a value, or put one into a reason or an audit row. Called by the
 * adapters of models, once per call.
 */
import type { KeyCall } from '../../integrations/models/connection.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { Redactor } from './redactor.ts'
import { isBearer } from './secret.ts'
import type { SecretStore } from './secret-store.ts'

export interface ModelKeysInput {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal'>
  readonly redactor: Pick<Redactor, 'learn'>
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
}

export interface KeyRequest {
  /** The provider that the key is for. */
  readonly provider: string
  /** Name in the vault. */
  readonly name: string
  /** Host of the provider's address, with a port that is not the default. */
  readonly host: string
}

/** Tool name in the scope of a secret that a model may have. */
export function modelTool(provider: string): string {
  return `model.${provider}`
}

export interface ModelKeys {
  /** Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(request: KeyRequest, call: KeyCall): Promise<Result<string>>
  /**
   * Records whether the service accepted the key: a rotated key is then proven, or the former version is used again.
   */
  readonly settle: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

export interface SettledKeysInput extends ModelKeysInput {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal' | 'accepted' | 'rejected'>
  /** Called when a service rejected this version for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export function createModelKeys(input: SettledKeysInput): ModelKeys {
  const { secrets, rejected } = input
  /**
   * Names and versions only. Per call, because a key may be rotated while another call still uses the former version.
   */
  const used = new WeakMap<KeyCall, { readonly name: string; readonly version: number }>()
  return {
    async issue(request, call) {
      const issued = await issue(input, request)
      if (!issued.ok) return issued
      used.set(call, { name: request.name, version: issued.value.version })
      return ok(issued.value.value)
    },
    settle(call, use) {
      const issued = used.get(call)
      if (issued === undefined) return
      const { name, version } = issued
      if (use === 'accepted') secrets.accepted(name, version)
      else if (secrets.rejected(name, version)) rejected(name, version)
    },
  }
}

/** Issues one key without recording its result. Refusals: as for `ModelKeys.issue`. */
export async function issueModelKey(input: ModelKeysInput, request: KeyRequest): Promise<Result<string>> {
  const issued = await issue(input, request)
  return issued.ok ? ok(issued.value.value) : issued
}

interface Issued {
  readonly value: string
  readonly version: number
}

async function issue(input: ModelKeysInput, request: KeyRequest): Promise<Result<Issued>> {
  const { name, provider } = request
  const issued = await unsealFor(input, request)
  input.audit({
    ...{ kind: 'credential_issued', trace: null, task: null, principal: null },
    facts: {
      ...{ credential: name, version: issued.ok ? issued.value.version : null, tool: modelTool(provider) },
      ...{ ok: issued.ok, code: issued.ok ? null : issued.reason.code },
    },
  })
  return issued
}

async function unsealFor(
  { secrets, redactor }: ModelKeysInput,
  { provider, name, host }: KeyRequest,
): Promise<Result<Issued>> {
  const known = secrets.find(name)
  if (known === null) return err('credential_missing', { credential: name })
  if (!isBearer(known.kind) || known.kind === 'oauth') return mismatch(name, 'kind')
  if (!known.scope.tools.includes(modelTool(provider))) return mismatch(name, 'tool')
  // If the configured address has changed, a key that was stored for the old host is not issued.
  if (!known.scope.hosts.includes(host)) return mismatch(name, 'host')
  const plain = await secrets.unseal(name)
  if (!plain.ok) return plain
  const { version, bytes } = plain.value
  const value = new TextDecoder().decode(bytes)
  // Best effort: the library needs a string, which JavaScript cannot erase.
  bytes.fill(0)
  redactor.learn(name, value)
  return ok({ value, version })
}

function mismatch(name: string, rule: string): Result<never> {
  return err('credential_mismatch', { credential: name, rule })
}
