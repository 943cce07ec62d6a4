/**
 * Access tokens for OAuth grants (I-11): exchanged on demand when the last one has expired, one exchange at a time per
 * secret, kept in memory only. If the service rotates the refresh token, it becomes the secret's next value. Must not
 * put a token into a reason. Called by credential-issuer.ts.
 */
import type { Exchanged } from '../../integrations/tools/oauth-token.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { grantText, type OAuthGrant } from './secret.ts'
import type { SecretStore } from './secret-store.ts'

/** Milliseconds of remaining lifetime below which a token is not issued: a call may take half a minute. */
const LEAST_LEFT = 60_000

export interface AccessToken {
  readonly value: string
  /** Just exchanged: a service that refuses this token refuses the grant itself. */
  readonly fresh: boolean
}

export interface StoredGrant {
  readonly name: string
  readonly version: number
  readonly grant: OAuthGrant
}

export interface AccessTokens {
  /** Refusals: those of the exchange. */
  get(stored: StoredGrant): Promise<Result<AccessToken>>
  /** The service refused the token; the next call exchanges a new one. */
  drop(name: string): void
}

export interface AccessTokensInput {
  readonly exchange: (name: string, grant: OAuthGrant) => Promise<Result<Exchanged>>
  readonly secrets: Pick<SecretStore, 'rotate'>
  readonly learn: (name: string, value: string) => void
  readonly now: () => number
}

interface Kept {
  readonly refreshToken: string
  readonly value: string
  /** Epoch milliseconds. */
  readonly until: number
}

export function createAccessTokens({ exchange, secrets, learn, now }: AccessTokensInput): AccessTokens {
  const kept = new Map<string, Kept>()
  const flying = new Map<string, Promise<Result<AccessToken>>>()

  const renew = async ({ name, grant }: StoredGrant): Promise<Result<AccessToken>> => {
    const exchanged = await exchange(name, grant)
    if (!exchanged.ok) return exchanged
    const { accessToken: value, lifetime, refreshToken } = exchanged.value
    learn(name, value)
    const until = now() + lifetime
    if (refreshToken !== null && refreshToken !== grant.refreshToken) {
      learn(name, refreshToken)
      // Stored before the token is used: the old refresh token may already be invalid.
      const next = await secrets.rotate(name, grantText({ ...grant, refreshToken }))
      if (!next.ok) return next
    }
    kept.set(name, { refreshToken: refreshToken ?? grant.refreshToken, value, until })
    return ok({ value, fresh: true })
  }

  return {
    async get(stored) {
      const { name, version, grant } = stored
      const known = kept.get(name)
      if (known?.refreshToken === grant.refreshToken && known.until - now() >= LEAST_LEFT)
        return ok({ value: known.value, fresh: false })
      const flight = `${name} ${version}`
      const running = flying.get(flight) ?? renew(stored).finally(() => flying.delete(flight))
      flying.set(flight, running)
      return running
    },
    drop: (name) => void kept.delete(name),
  }
}
