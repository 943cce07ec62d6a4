/**
 * The port by which one tool call gets its credential (E-06, E-07): asked for with the tool, the action and the token
 * of that call, and told afterwards how the service took it. Must not know where secrets lie: home's vault does.
 * Called by port.ts.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { CapabilityToken } from '../../kernel/task/capability.ts'
import type { Credential, ToolManifest } from '../../kernel/tool/manifest.ts'

export interface CredentialRequest {
  /** As the tool's own manifest names it. */
  readonly credential: string
  readonly tool: string
  readonly action: string
  /** As the call names it; null: the one that is used when none is named. */
  readonly account: string | null
  readonly token: CapabilityToken
}

/** How the service took it: `rejected` is a 401; `unclear` says nothing about the credential. */
export type CredentialUse = 'accepted' | 'rejected' | 'unclear'

export interface IssuedCredential {
  readonly credential: Credential
  /** Hosts (with a port that is not the usual one) that may get it: the call reaches no others. */
  readonly hosts: readonly string[]
  /** Called once, when the call is over. */
  settle(use: CredentialUse): void
}

export interface CredentialSource {
  /**
   * Unseals for exactly this call. Refusals: credential_missing, credential_mismatch (another tool, action, kind, or an account that is none),
   * token_wrong_tool, token_expired, token_used_up, and those of the vault.
   */
  issue(request: CredentialRequest): Promise<Result<IssuedCredential>>
  /** Whether there is one that this tool may get, without unsealing. */
  has(tool: Pick<ToolManifest, 'name' | 'credential'>): boolean
}

export interface Reach {
  readonly hosts: readonly string[]
  /** Exact origins that may be plain http and private. */
  readonly exemptOrigins: readonly string[]
}

/** The credential decides further where its call may go: what its scope does not name is closed. */
export function reachOf({ hosts, exemptOrigins }: Reach, scope: readonly string[]): Reach {
  const named = (host: string): boolean => scope.includes(host)
  const open = exemptOrigins.filter((origin) => named(URL.parse(origin)?.host ?? ''))
  return { hosts: hosts.filter(named), exemptOrigins: open }
}

/** For a place that holds none. */
export const NO_CREDENTIALS: CredentialSource = Object.freeze({
  issue: async ({ credential }: CredentialRequest) => err('credential_missing', { credential }),
  has: () => false,
})
