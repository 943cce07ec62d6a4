/**
 * Issues the token for one request to a channel's service, or the key for one call of a model (D-20, invariant 4):
 * unsealed for that request, only for the host and the holder in its scope; audits which version went where. Must not
 * keep a value, or put one into a reason or an audit row. Called by secret-vault.ts.
 */
import type {
  IssuedToken,
  TokenAsked,
  TokenCustodian,
} from '../../integrations/channels/runtime/home-package.ts'
import type { KeyCall } from '../../integrations/models/connection.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { Redactor } from './redactor.ts'
import type { SecretStore } from './secret-store.ts'

export interface IssueInput {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal'>
  readonly redactor: Pick<Redactor, 'learn'>
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
}

export interface SettleInput {
  readonly secrets: Pick<SecretStore, 'accepted' | 'rejected'>
  /** Called when a service rejected this version for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export interface TokenKind {
  readonly secret: string
  /** Tool name in the secret's scope. */
  readonly tool: string
}

/** For a channel. Audits each version once, and every failure: auditing each poll would bury other rows. */
export function createTokenCustodian(
  input: IssueInput & SettleInput & { readonly secrets: IssueInput['secrets'] & SettleInput['secrets'] },
  kind: TokenKind,
): TokenCustodian {
  const { secrets, audit } = input
  const { secret } = kind
  let told: string | null = null
  return {
    async issue(asked) {
      const issued = await unsealToken(input, kind, asked)
      const row = rowOf(kind, issued)
      const news = JSON.stringify(row.facts)
      if (news !== told) audit(row)
      told = news
      return issued
    },
    async whose(of, rule) {
      const plain = await secrets.unseal(secret)
      if (!plain.ok) return plain
      const found = of(new TextDecoder().decode(plain.value.bytes))
      plain.value.bytes.fill(0)
      return found === null ? err('credential_mismatch', { credential: secret, rule }) : ok(found)
    },
    settle: (version, use) => settleUse(input, { name: secret, version }, use),
  }
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
  /** Records whether the service accepted the key: it is then proven, or the former version is used again. */
  readonly settle: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

export function createModelKeys(input: Parameters<typeof createTokenCustodian>[0]): ModelKeys {
  /** Names and versions only, per call: a key may be rotated while another call still uses the former version. */
  const used = new WeakMap<KeyCall, { readonly name: string; readonly version: number }>()
  return {
    async issue(request, call) {
      const issued = await issueModelKey(input, request)
      if (!issued.ok) return issued
      used.set(call, { name: request.name, version: issued.value.version })
      return ok(issued.value.value)
    },
    settle(call, use) {
      const issued = used.get(call)
      if (issued !== undefined) settleUse(input, issued, use)
    },
  }
}

/** Issues one key without recording its result. Refusals: as for `ModelKeys.issue`. */
export async function issueModelKey(
  input: IssueInput,
  { provider, name: secret, host }: KeyRequest,
): Promise<Result<IssuedToken>> {
  const kind = { secret, tool: modelTool(provider) }
  const issued = await unsealToken(input, kind, { host, fits: () => true, rule: 'kind' })
  input.audit(rowOf(kind, issued))
  return issued
}

async function unsealToken(
  { secrets, redactor }: IssueInput,
  { secret, tool }: TokenKind,
  { host, fits, rule }: TokenAsked,
): Promise<Result<IssuedToken>> {
  const mismatch = (broken: string): Result<never> =>
    err('credential_mismatch', { credential: secret, rule: broken })
  const known = secrets.find(secret)
  if (known === null) return err('credential_missing', { credential: secret })
  const { scope, kind } = known
  if (kind !== 'token') return mismatch('kind')
  if (!scope.tools.includes(tool)) return mismatch('tool')
  // If the configured address has changed, a token that was stored for the old host is not issued.
  if (!scope.hosts.includes(host)) return mismatch('host')
  const plain = await secrets.unseal(secret)
  if (!plain.ok) return plain
  const { version, bytes } = plain.value
  const value = new TextDecoder().decode(bytes)
  // Best effort: the caller needs a string, which JavaScript cannot erase.
  bytes.fill(0)
  if (!fits(value)) return mismatch(rule)
  redactor.learn(secret, value)
  return ok({ value, version })
}

function rowOf({ secret, tool }: TokenKind, issued: Result<IssuedToken>) {
  const facts = {
    credential: secret,
    version: issued.ok ? issued.value.version : null,
    tool,
    ok: issued.ok,
    code: issued.ok ? null : issued.reason.code,
  }
  return { kind: 'credential_issued', trace: null, task: null, principal: null, facts } as const
}

/** Records what the service said of this version; other uses say nothing about it. */
export function settleUse(
  { secrets, rejected }: SettleInput,
  { name, version }: { readonly name: string; readonly version: number },
  use: string,
): void {
  if (use === 'accepted') secrets.accepted(name, version)
  if (use === 'rejected' && secrets.rejected(name, version)) rejected(name, version)
}
