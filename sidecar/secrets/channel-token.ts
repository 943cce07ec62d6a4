/**
 * Issues the token for one request to a channel's service (invariant 4): unsealed for that request, only for the host
 * and the holder in its scope. Audits each version once when issued, and every failure: auditing each poll would bury
 * other rows. Must not keep a value, or put one into a reason. Called by secret-vault.ts.
 */
import type {
  IssuedToken,
  TokenAsked,
  TokenCustodian,
} from '../../integrations/channels/runtime/home-package.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ModelKeysInput } from './model-keys.ts'
import type { SecretStore } from './secret-store.ts'

export interface TokenInput extends Pick<ModelKeysInput, 'redactor' | 'audit'> {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal' | 'accepted' | 'rejected'>
  /** Called when a version was refused for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export interface TokenKind {
  /** Name of the secret. */
  readonly secret: string
  /** Tool name in the secret's scope. */
  readonly tool: string
}

export function createTokenCustodian(input: TokenInput, kind: TokenKind): TokenCustodian {
  const { secrets, rejected, audit } = input
  const { secret, tool } = kind
  let told: string | null = null
  return {
    async issue(asked) {
      const issued = await unsealFor(input, kind, asked)
      const facts = {
        ...{ credential: secret, version: issued.ok ? issued.value.version : null, tool },
        ...{ ok: issued.ok, code: issued.ok ? null : issued.reason.code },
      }
      const news = JSON.stringify(facts)
      if (news !== told) audit({ kind: 'credential_issued', trace: null, task: null, principal: null, facts })
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
    settle(version, use) {
      if (use === 'accepted') secrets.accepted(secret, version)
      else if (secrets.rejected(secret, version)) rejected(secret, version)
    },
  }
}

async function unsealFor(
  { secrets, redactor }: Pick<TokenInput, 'secrets' | 'redactor'>,
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
  bytes.fill(0)
  if (!fits(value)) return mismatch(rule)
  redactor.learn(secret, value)
  return ok({ value, version })
}
