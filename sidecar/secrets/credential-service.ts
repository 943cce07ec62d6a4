/**
 * Tests a credential that the owner gave with one harmless call of its service, and stores it only if the service
 * accepts it (L-12, L-18); a stored value is replaced only where the owner asked for that (L-07). Must not keep an untested value or put one into a reason.
 * Called by the shell, for an answer in a chat, and by `pfar connect`.
 */
import type { Transport } from '../../integrations/http/transport.ts'
import { checkCredential } from '../../integrations/tools/credential-calls.ts'
import type { Exchanged } from '../../integrations/tools/oauth-token.ts'
import type { CredentialPort, Replaced } from '../../kernel/features/credentials/credential-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { checkValue, grantText, type OAuthGrant, parseGrant, secretParts } from './secret.ts'
import type { SecretService } from './secret-service.ts'
import type { SecretStore } from './secret-store.ts'

export interface CredentialServiceInput {
  /** The current tools. */
  readonly tools: () => readonly Tool[]
  readonly transport: () => Transport
  readonly exemptOrigins: readonly string[]
  /** By tool name: origins on the owner's own network that only this tool may reach. */
  readonly ownOrigins?: Readonly<Record<string, readonly string[]>>
  /** Vault name for the credential name of a manifest. */
  readonly nameOf: (service: string) => string
  readonly exchange: (name: string, grant: OAuthGrant) => Promise<Result<Exchanged>>
  readonly secretService: Pick<SecretService, 'set' | 'rotate'>
  readonly secrets: Pick<SecretStore, 'find' | 'accepted'>
  readonly custody: CustodyKind
  /** From this call on the value is redacted, whether or not it is stored. */
  readonly learn: (name: string, value: string) => void
}

export interface CredentialService extends CredentialPort {
  /** The same at the console, where the owner may allow storage under a development key, which is unencrypted. */
  give(service: string, value: string, allowDevelopmentKey?: boolean): Promise<Result<'stored'>>
  replace(service: string, value: string): Promise<Result<Replaced>>
  /** Only tests a value for a vault name. Refusals: field_malformed, credential_rejected, those of the call. */
  look(name: string, value: string): Promise<Result<Looked>>
}

/** `account`: null if the service does not report it. `tried`: false if no tool can test it. */
export interface Looked {
  readonly tried: boolean
  readonly account: string | null
}

export function createCredentialService(input: CredentialServiceInput): CredentialService {
  const { nameOf, secretService, secrets, custody, learn } = input
  return {
    refusal: () => (custody === 'development' ? 'key_development' : null),
    async give(service, given, allowDevelopmentKey = false) {
      const name = nameOf(service)
      const takers = input.tools().filter(({ manifest }) => takes(manifest, service))
      if (takers.length === 0) return err('tool_unknown', { credential: service })
      if (secrets.find(name) !== null) return err('credential_mismatch', { credential: name })
      if (custody === 'development' && !allowDevelopmentKey) return err('key_development')
      const kind = parseGrant(given) === null ? 'token' : 'oauth'
      const value = checkValue(kind, given)
      if (!value.ok) return value
      for (const part of secretParts(value.value)) learn(name, part)
      const proven = await prove(input, { name, value: value.value, takers })
      if (!proven.ok) return proven
      const scope = { tools: [], actions: [], hosts: [] }
      const stored = await secretService.set({
        name,
        kind,
        value: proven.value.value,
        ...scope,
        allowDevelopmentKey,
      })
      if (!stored.ok) return stored
      if (proven.value.tried) secrets.accepted(name, stored.value.version)
      return ok('stored')
    },
    async replace(service, given) {
      const name = nameOf(service)
      const takers = input.tools().filter(({ manifest }) => takes(manifest, service))
      const known = secrets.find(name)
      if (takers.length === 0) return err('tool_unknown', { credential: service })
      if (known === null) return err('credential_missing', { credential: name })
      if (custody === 'development') return err('key_development')
      // A grant replaces a grant only. Checked before the test, which exchanges the grant and would use it up for nothing.
      const isGrant = parseGrant(given) !== null
      if (isGrant !== (known.kind === 'oauth')) return err('field_malformed', { credential: name })
      const value = checkValue(known.kind, given)
      if (!value.ok) return value
      for (const part of secretParts(value.value)) learn(name, part)
      const proven = await prove(input, { name, value: value.value, takers })
      if (!proven.ok) return proven
      const stored = await secretService.rotate({
        name,
        value: proven.value.value,
        allowDevelopmentKey: false,
      })
      if (!stored.ok) return stored
      if (proven.value.tried) secrets.accepted(name, stored.value.version)
      return ok(proven.value.tried ? 'stored' : 'untried')
    },
    async look(name, given) {
      const takers = input
        .tools()
        .filter(({ manifest: { credential } }) => credential !== null && nameOf(credential) === name)
      const value = checkValue(parseGrant(given) === null ? 'token' : 'oauth', given)
      return value.ok ? prove(input, { name, value: value.value, takers }) : value
    },
  }
}

function takes({ credential, accounts = [] }: ToolManifest, service: string): boolean {
  return (
    credential === service || accounts.some((one) => one.sends !== undefined && one.credential === service)
  )
}

interface Given {
  readonly name: string
  readonly value: string
  readonly takers: readonly Tool[]
}

/** `value`: what is to be stored. The service may have renewed it during the test. */
interface Proven extends Looked {
  readonly value: string
}

async function prove(input: CredentialServiceInput, { name, value, takers }: Given): Promise<Result<Proven>> {
  const token = await tokenOf(input, name, value)
  if (!token.ok) return token
  const { bearer, stored } = token.value
  let no: Result<Proven> = ok({ value: stored, tried: bearer !== value, account: null })
  for (const tool of takers) {
    const credential = { scheme: 'bearer', value: bearer } as const
    const exemptOrigins = [...input.exemptOrigins, ...(input.ownOrigins?.[tool.manifest.name] ?? [])]
    const checked = await checkCredential({ tool, credential, transport: input.transport(), exemptOrigins })
    if (checked === null) continue
    if (checked.ok) return ok({ value: stored, tried: true, account: checked.value })
    no = isRefusal(checked.reason.code) ? err('credential_rejected', { credential: name }) : checked
  }
  return no
}

/** 401 and 403. Other failures say nothing about the credential. */
export function isRefusal(code: string): boolean {
  return code === 'remote_unauthorized' || code === 'remote_rejected' || code === 'remote_scope_missing'
}

/** The bearer value for a call; for an OAuth grant, the access token from an exchange. */
async function tokenOf(
  { exchange, learn }: CredentialServiceInput,
  name: string,
  value: string,
): Promise<Result<{ readonly bearer: string; readonly stored: string }>> {
  const grant = parseGrant(value)
  if (grant === null) return ok({ bearer: value, stored: value })
  const exchanged = await exchange(name, grant)
  if (!exchanged.ok) return exchanged
  const { accessToken, refreshToken } = exchanged.value
  learn(name, accessToken)
  if (refreshToken === null) return ok({ bearer: accessToken, stored: value })
  learn(name, refreshToken)
  return ok({ bearer: accessToken, stored: grantText({ ...grant, refreshToken }) })
}
