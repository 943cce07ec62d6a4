/**
 * A lasting OAuth permission as it is stored: client, its secret and the refresh token, in the JSON that Google's own tools
 * write for an authorized user (I-11). Must not exchange anything. Called by secret.ts, secret-desk.ts and
 * credential-issuer.ts.
 */
import * as z from 'zod/mini'

export interface OAuthGrant {
  readonly clientId: string
  /** Null for a client that cannot keep one. */
  readonly clientSecret: string | null
  readonly refreshToken: string
}

const word = z.string().check(z.regex(/^[\x21-\x7e]{8,2048}$/))
/** Loose: what else such a file holds is dropped. */
const grantSchema = z.object({ client_id: word, client_secret: z.optional(word), refresh_token: word })

/** Null for a value that is none, such as a bare token. */
export function parseGrant(value: string): OAuthGrant | null {
  try {
    const { data } = grantSchema.safeParse(JSON.parse(value))
    if (data === undefined) return null
    const { client_id: clientId, client_secret: clientSecret = null, refresh_token: refreshToken } = data
    return { clientId, clientSecret, refreshToken }
  } catch {
    return null
  }
}

/** As it is stored: one line, and nothing that was not asked for. */
export function grantText({ clientId, clientSecret, refreshToken }: OAuthGrant): string {
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return JSON.stringify({ client_id: clientId, ...secret, refresh_token: refreshToken })
}

/** What of a value must leave nowhere: all of it, and what it is made of. */
export function secretParts(value: string): readonly string[] {
  const grant = parseGrant(value)
  if (grant === null) return [value]
  return [value, grant.refreshToken, ...(grant.clientSecret === null ? [] : [grant.clientSecret])]
}
