/**
 * The port that supplies a credential for one tool call (E-06, E-07): requested with the tool, the action and the token of that
 * call; learns afterwards whether the service accepted it. Must not know where secrets are stored: home's vault does. Called by
 * port.ts.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { CapabilityToken } from '../../kernel/task/capability.ts'
import type { Credential, ToolManifest } from '../../kernel/tool/manifest.ts'

export interface CredentialRequest {
  /** The name in the tool's own manifest. */
  readonly credential: string
  readonly tool: string
  readonly action: string
  /** The account that the call names; null: the default account. */
  readonly account: string | null
  readonly token: CapabilityToken
}

/** Response of the service: `rejected` is a 401; `unclear` says nothing about the credential. */
export type CredentialUse = 'accepted' | 'rejected' | 'unclear'

export interface IssuedCredential {
  readonly credential: Credential
  /** Hosts (with a non-default port) that may receive it. The call can reach no others. */
  readonly hosts: readonly string[]
  /** Call once, after the tool call. */
  settle(use: CredentialUse): void
  /**
   * For a short-lived token that was obtained before: another one for the same call, once this one was settled as rejected. Absent where a rejection
   * says something about the credential itself. Refusals: as for `issue`.
   */
  renew?(): Promise<Result<IssuedCredential>>
}

export interface CredentialSource {
  /**
   * Unseals for exactly this call. Refusals: credential_missing, credential_mismatch (another tool, action or kind, or an
   * unknown account), token_wrong_tool, token_expired, token_used_up, and those of the vault.
   */
  issue(request: CredentialRequest): Promise<Result<IssuedCredential>>
  /** Whether a credential for this tool exists, without unsealing it. */
  has(tool: Pick<ToolManifest, 'name' | 'credential'>): boolean
}

export interface Reach {
  readonly hosts: readonly string[]
  /** Exact origins that may use plain http and private addresses. */
  readonly exemptOrigins: readonly string[]
}

/** Limits the call to hosts that the credential's scope names. */
export function reachOf({ hosts, exemptOrigins }: Reach, scope: readonly string[]): Reach {
  const named = (host: string): boolean => scope.includes(host)
  const open = exemptOrigins.filter((origin) => named(URL.parse(origin)?.host ?? ''))
  return { hosts: hosts.filter(named), exemptOrigins: open }
}

/** For a place without credentials. */
export const NO_CREDENTIALS: CredentialSource = Object.freeze({
  issue: async ({ credential }: CredentialRequest) => err('credential_missing', { credential }),
  has: () => false,
})
