/**
 * Gives one call of a model its key (D-20, invariant 4): unsealed for that call, for the address that it was stored for,
 * and the audit says which version went where. Must not keep a value, and must not put one into a reason or an audit line.
 * Called by the adapters of models, once a call.
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
  /** Host of its address, with its port where that is not the usual one. */
  readonly host: string
}

/** What a secret's scope names as its tool where a model may have it. */
export function modelTool(provider: string): string {
  return `model.${provider}`
}

export interface ModelKeys {
  /** Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(request: KeyRequest, call: KeyCall): Promise<Result<string>>
  /** How the service took the key of that call: a rotated one is proven, or the one before it is in force. */
  readonly settle: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

export interface SettledKeysInput extends ModelKeysInput {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal' | 'accepted' | 'rejected'>
  /** A service said no to this version for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export function createModelKeys(input: SettledKeysInput): ModelKeys {
  const { secrets, rejected } = input
  /** Names and versions only: by call, as a key may be rotated while another call is still under way with the one before. */
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

/** One key, for who asks once and hears nothing of it later. Refusals as of `ModelKeys.issue`. */
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
  // A configuration that was changed to another address gets no key that was stored for the one before.
  if (!known.scope.hosts.includes(host)) return mismatch(name, 'host')
  const plain = await secrets.unseal(name)
  if (!plain.ok) return plain
  const { version, bytes } = plain.value
  const value = new TextDecoder().decode(bytes)
  // Best effort: the library needs a string, and the language does not let that be erased.
  bytes.fill(0)
  redactor.learn(name, value)
  return ok({ value, version })
}

function mismatch(name: string, rule: string): Result<never> {
  return err('credential_mismatch', { credential: name, rule })
}
