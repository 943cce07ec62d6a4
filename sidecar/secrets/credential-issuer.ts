/**
 * Issues the credential for one tool call (E-06, E-07, invariant 4): checks scope and capability token, unseals the
 * value for this call only or exchanges it for a short-lived access token (I-11), and audits which version went where.
 * Must not keep a value, or put one into a reason or an audit row. Called by the tool port.
 */
import type {
  CredentialRequest,
  CredentialSource,
  CredentialUse,
  IssuedCredential,
} from '../../integrations/tools/credentials.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { Credential } from '../../kernel/tool/manifest.ts'
import type { AccessTokens, StoredGrant } from './access-tokens.ts'
import type { Redactor } from './redactor.ts'
import { isBearer, parseGrant, type SecretScope, secretParts } from './secret.ts'
import type { SecretStore } from './secret-store.ts'
import { type SettleInput, settleUse } from './service-tokens.ts'

export interface IssuerInput extends SettleInput {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal' | 'accepted' | 'rejected'>
  /** Vault name for a manifest's credential and an account; null if there is no such account. */
  readonly nameOf: (credential: string, account: string | null) => string | null
  /** Fixed credential for an emulator on this machine if nothing is stored. */
  readonly emulatorCredential: (credential: string, account: string | null) => IssuedCredential | null
  readonly redactor: Pick<Redactor, 'learn'>
  readonly tokens: AccessTokens
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
  readonly now: () => number
}

export function createCredentialIssuer(input: IssuerInput): CredentialSource {
  const { secrets, nameOf, emulatorCredential: stand } = input
  const spend = createTokenCounter(input.now)
  return {
    async issue(request) {
      const name = nameOf(request.credential, request.account)
      const spent = spend(request)
      const known = name === null ? mismatch(request.credential, 'account') : ok(name)
      const may = spent.ok ? known : spent
      const issued = may.ok ? await unsealFor(input, may.value, request) : may
      const told = { name: name ?? request.credential, request }
      report(input, { ...told, issued })
      if (!issued.ok || issued.value.renew === undefined || name === null)
        return issued.ok ? ok(issued.value.issued) : issued
      const renew = async (): Promise<Result<IssuedCredential>> => {
        const again = await unsealFor(input, name, request)
        report(input, { ...told, issued: again })
        return again.ok ? ok(again.value.issued) : again
      }
      return ok({ ...issued.value.issued, renew })
    },
    has({ name: tool, credential }) {
      if (credential === null) return true
      const name = nameOf(credential, null)
      const known = name === null ? null : secrets.find(name)
      return known === null ? stand(credential, null) !== null : known.scope.tools.includes(tool)
    },
  }
}

/**
 * Request for the harmless call that tests a stored credential. It is no action and needs no capability token, because only the
 * owner can ask for it.
 */
export interface TrialRequest extends Pick<CredentialRequest, 'credential' | 'account' | 'tool'> {}

/** Issues a credential for a test call, as for a tool's, and audits it. Refusals: as for `CredentialSource.issue`. */
export function createTrialIssuer(
  input: IssuerInput,
): (request: TrialRequest) => Promise<Result<IssuedCredential>> {
  return async (request) => {
    const { credential, account, tool } = request
    const name = input.nameOf(credential, account)
    const issued =
      name === null
        ? mismatch(credential, 'account')
        : await unsealFor(input, name, { ...request, action: null })
    input.audit({
      ...{ kind: 'credential_issued', trace: null, task: null, principal: null },
      facts: {
        ...{ credential: name ?? credential, version: issued.ok ? issued.value.version : null, tool },
        ...{ action: 'check', ok: issued.ok, code: issued.ok ? null : issued.reason.code },
      },
    })
    return issued.ok ? ok(issued.value.issued) : issued
  }
}

interface Issue {
  readonly issued: IssuedCredential
  /** 0 for the fixed credential of an emulator. */
  readonly version: number
  /** Of a token that was exchanged before this call. */
  readonly renew?: true
}

/** `action`: null for none. */
type Unsealing = TrialRequest & { readonly action: string | null }

async function unsealFor(input: IssuerInput, name: string, request: Unsealing): Promise<Result<Issue>> {
  const known = input.secrets.find(name)
  if (known === null) {
    const issued = input.emulatorCredential(request.credential, request.account)
    return issued === null ? err('credential_missing', { credential: name }) : ok({ issued, version: 0 })
  }
  if (!isBearer(known.kind)) return mismatch(name, 'kind')
  const fits = checkScope(name, known.scope, request)
  if (!fits.ok) return fits
  const plain = await input.secrets.unseal(name)
  if (!plain.ok) return plain
  const { version, bytes, scope } = plain.value
  const value = new TextDecoder().decode(bytes)
  // Best effort: the tool needs a string, which JavaScript cannot erase.
  bytes.fill(0)
  for (const part of secretParts(value)) input.redactor.learn(name, part)
  const grant = known.kind === 'oauth' ? parseGrant(value) : null
  if (grant !== null) return exchanged(input, { name, version, grant }, scope)
  const settle = (use: CredentialUse): void => settleUse(input, { name, version }, use)
  return ok({ issued: { credential: bearer(value), hosts: scope.hosts, settle }, version })
}

/** The tool gets the access token, never the grant itself. */
async function exchanged(
  input: IssuerInput,
  stored: StoredGrant,
  { hosts }: SecretScope,
): Promise<Result<Issue>> {
  const { tokens } = input
  const { name, version } = stored
  const token = await tokens.get(stored)
  if (!token.ok) {
    if (token.reason.code === 'credential_rejected') settleUse(input, stored, 'rejected')
    return err(token.reason.code, { ...token.reason.facts, credential: name })
  }
  const settle = (use: CredentialUse): void => {
    if (use === 'rejected') tokens.drop(name)
    // A cached token may have been revoked; only the rejection of a fresh one says something about the grant.
    if (use !== 'rejected' || token.value.fresh) settleUse(input, stored, use)
  }
  const issued = { credential: bearer(token.value.value), hosts, settle }
  return ok({ issued, version, ...(!token.value.fresh && { renew: true as const }) })
}

function bearer(value: string): Credential {
  return Object.freeze({ scheme: 'bearer', value } as const)
}

function checkScope(name: string, scope: SecretScope, { tool, action }: Unsealing): Result<true> {
  if (!scope.tools.includes(tool)) return mismatch(name, 'tool')
  const isLess = action !== null && scope.actions.length > 0
  if (isLess && !scope.actions.includes(action)) return mismatch(name, 'action')
  return ok(true)
}

function mismatch(name: string, rule: string): Result<never> {
  return err('credential_mismatch', { credential: name, rule })
}

/**
 * A capability token allows as many credentials of each account as calls, and only for its own action. The kernel has verified its MAC
 * and counted its use; this check is independent of that.
 */
function createTokenCounter(now: () => number): (request: CredentialRequest) => Result<true> {
  const issued = new Map<string, { readonly count: number; readonly until: number }>()
  return ({ token: { claims }, action, credential, account }) => {
    for (const [id, { until }] of issued) if (until <= now()) issued.delete(id)
    if (claims.tool !== action) return err('token_wrong_tool', { tool: action })
    if (claims.expiresAt <= now()) return err('token_expired')
    const of = JSON.stringify([claims.id, credential, account])
    const count = issued.get(of)?.count ?? 0
    if (count >= claims.maxInvocations) return err('token_used_up', { uses: claims.maxInvocations })
    issued.set(of, { count: count + 1, until: claims.expiresAt })
    return ok(true)
  }
}

interface Reported {
  readonly name: string
  readonly request: CredentialRequest
  readonly issued: Result<Issue>
}

/** Audits by reference: secret, version and call. */
function report({ audit }: IssuerInput, { name, request, issued }: Reported): void {
  const { tool, action, token } = request
  const { task, principal, id } = token.claims
  audit({
    ...{ kind: 'credential_issued', trace: null, task, principal },
    facts: {
      ...{ credential: name, version: issued.ok ? issued.value.version : null, tool, action, capability: id },
      ...{ ok: issued.ok, code: issued.ok ? null : issued.reason.code },
    },
  })
}
