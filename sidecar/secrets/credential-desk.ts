/**
 * Home's side of a question for a credential (L-12, L-18): what the owner gave is tried with its service by one harmless call, and
 * stored only when that took it. A value that is stored already is never replaced here. Must not keep a value that did not
 * prove itself, and must not put one into a reason. Called by the shell, for an answer in a chat, and by `pfar connect`.
 */
import type { Transport } from '../../integrations/http/transport.ts'
import { checkCredential } from '../../integrations/tools/check.ts'
import type { Exchanged } from '../../integrations/tools/oauth-token.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { CredentialPort } from '../../kernel/powers/credential-port.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { grantText, type OAuthGrant, parseGrant, secretParts } from './oauth-grant.ts'
import { checkValue } from './secret.ts'
import type { SecretDesk } from './secret-desk.ts'
import type { SecretStore } from './secret-store.ts'

export interface CredentialDeskInput {
  readonly tools: readonly Tool[]
  readonly transport: () => Transport
  readonly exemptOrigins: readonly string[]
  /** Name in the vault of what a manifest calls its credential. */
  readonly nameOf: (service: string) => string
  readonly exchange: (name: string, grant: OAuthGrant) => Promise<Result<Exchanged>>
  readonly desk: Pick<SecretDesk, 'set'>
  readonly secrets: Pick<SecretStore, 'find' | 'accepted'>
  readonly custody: CustodyKind
  /** What was given is known from then on, and redacted, whatever becomes of it. */
  readonly learn: (name: string, value: string) => void
}

export interface CredentialDesk extends CredentialPort {
  /** The same at the console, where the owner may allow a key that lies in plain. */
  give(service: string, value: string, allowDevelopmentKey?: boolean): Promise<Result<'stored'>>
  /** The trial alone, of what waits under a name of the vault: nothing is stored. Refusals: field_malformed, credential_rejected, those of the call. */
  look(name: string, value: string): Promise<Result<Looked>>
}

/** `account`: null where the service does not say. `tried`: false where no tool has a way to try it. */
export interface Looked {
  readonly tried: boolean
  readonly account: string | null
}

export function createCredentialDesk(input: CredentialDeskInput): CredentialDesk {
  const { tools, nameOf, desk, secrets, custody, learn } = input
  return {
    refusal: () => (custody === 'development' ? 'key_development' : null),
    async give(service, given, allowDevelopmentKey = false) {
      const name = nameOf(service)
      const takers = tools.filter(({ manifest }) => manifest.credential === service)
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
      const stored = await desk.set({ name, kind, value: proven.value.value, ...scope, allowDevelopmentKey })
      if (!stored.ok) return stored
      if (proven.value.tried) secrets.accepted(name, stored.value.version)
      return ok('stored')
    },
    async look(name, given) {
      const takers = tools.filter(
        ({ manifest: { credential } }) => credential !== null && nameOf(credential) === name,
      )
      const value = checkValue(parseGrant(given) === null ? 'token' : 'oauth', given)
      return value.ok ? prove(input, { name, value: value.value, takers }) : value
    },
  }
}

interface Given {
  readonly name: string
  readonly value: string
  readonly takers: readonly Tool[]
}

/** `value`: what is to be stored, which a service may have renewed while it was tried. */
interface Proven extends Looked {
  readonly value: string
}

async function prove(input: CredentialDeskInput, { name, value, takers }: Given): Promise<Result<Proven>> {
  const token = await tokenOf(input, name, value)
  if (!token.ok) return token
  const { bearer, stored } = token.value
  let no: Result<Proven> = ok({ value: stored, tried: bearer !== value, account: null })
  for (const tool of takers) {
    const credential = { scheme: 'bearer', value: bearer } as const
    const { exemptOrigins } = input
    const checked = await checkCredential({ tool, credential, transport: input.transport(), exemptOrigins })
    if (checked === null) continue
    if (checked.ok) return ok({ value: stored, tried: true, account: checked.value })
    no = isNo(checked.reason.code) ? err('credential_rejected', { credential: name }) : checked
  }
  return no
}

/** 401 and 403. Anything else says nothing of the credential. */
function isNo(code: string): boolean {
  return code === 'remote_unauthorized' || code === 'remote_rejected'
}

/** What a call would carry: of a permission, the token that it is exchanged for. */
async function tokenOf(
  { exchange, learn }: CredentialDeskInput,
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
