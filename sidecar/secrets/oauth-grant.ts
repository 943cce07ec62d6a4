/**
 * Stored form of an OAuth grant: client id, client secret and refresh token, in the JSON format of Google's tools for
 * an authorized user (I-11). Must not exchange anything. Called by secret.ts, secret-desk.ts and credential-issuer.ts.
 */
import * as z from 'zod/mini'

export interface OAuthGrant {
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly refreshToken: string
}

const word = z.string().check(z.regex(/^[\x21-\x7e]{8,2048}$/))
/** Loose: other fields of such a file are dropped. */
const grantSchema = z.object({ client_id: word, client_secret: z.optional(word), refresh_token: word })

/** Null if the value is not a grant, such as a bare token. */
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

/** Stored form: one line, required fields only. */
export function grantText({ clientId, clientSecret, refreshToken }: OAuthGrant): string {
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return JSON.stringify({ client_id: clientId, ...secret, refresh_token: refreshToken })
}

/** The strings to redact: the whole value and its secret fields. */
export function secretParts(value: string): readonly string[] {
  const grant = parseGrant(value)
  if (grant === null) return [value]
  return [value, grant.refreshToken, ...(grant.clientSecret === null ? [] : [grant.clientSecret])]
}
