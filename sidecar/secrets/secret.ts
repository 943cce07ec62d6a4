/**
 * A secret without its value: name, kind, the scope that determines who may get it (E-06, E-07), and the stored form of an
 * OAuth grant, the JSON of Google's tools for an authorized user (I-11). Must not hold or print a value. Called by
 * everything that stores, lists or issues one.
 */

import * as z from 'zod/mini'
import { ROTATING_SERVICES } from '../../integrations/tools/rotating-services.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { MAX_SECRET } from '../../kernel/vault/secret-offer.ts'
import { readJson } from '../store/json.ts'

export interface OAuthGrant {
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly refreshToken: string
}

const word = z.string().check(z.regex(/^[\x21-\x7e]{8,2048}$/))
/** Loose: other fields of such a file are dropped. */
const grantSchema = z.object({ client_id: word, client_secret: z.optional(word), refresh_token: word })

/** Null if the value is not a grant, such as a bare token. A service whose tokens rotate has a form in which people type it. */
export function parseGrant(value: string): OAuthGrant | null {
  const grant = readJson(grantSchema, value)
  if (grant === null) return typedGrant(value)
  const { client_id: clientId, client_secret: clientSecret = null, refresh_token: refreshToken } = grant
  return { clientId, clientSecret, refreshToken }
}

function typedGrant(value: string): OAuthGrant | null {
  for (const { typed } of ROTATING_SERVICES) {
    const { id, secret, refresh } = typed.exec(value)?.groups ?? {}
    if (id !== undefined && secret !== undefined && refresh !== undefined)
      return { clientId: id, clientSecret: secret, refreshToken: refresh }
  }
  return null
}

/** Stored form: one line, required fields only. */
export function grantText({ clientId, clientSecret, refreshToken }: OAuthGrant): string {
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return JSON.stringify({ client_id: clientId, ...secret, refresh_token: refreshToken })
}

/**
 * An account and its password in one value, such as `ada.example:abcd-efgh-ijkl-mnop`. The password alone is redacted as well.
 */
const PAIR = /^[\x21-\x7e]{1,256}:([^:\s]{12,512})$/

/** The strings to redact: the whole value and its secret fields. */
export function secretParts(value: string): readonly string[] {
  const grant = parseGrant(value)
  const password = PAIR.exec(value)?.[1]
  if (grant === null) return password === undefined ? [value] : [value, password]
  return [value, grant.refreshToken, ...(grant.clientSecret === null ? [] : [grant.clientSecret])]
}

export const SECRET_KINDS = ['token', 'password', 'key', 'oauth'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** `former`: kept until the current version was accepted, or for `FORMER_LIFETIME`. */
export type SecretStatus = 'current' | 'former'

/** Who may get the value. Empty `actions`: every action of the tools. Hosts are exact, with a port that is no default. */
export interface SecretScope {
  readonly tools: readonly string[]
  readonly actions: readonly string[]
  readonly hosts: readonly string[]
}

/** Metadata of a secret that may be shown (E-08). */
export interface SecretInfo {
  readonly name: string
  readonly version: number
  readonly kind: SecretKind
  readonly scope: SecretScope
  readonly createdAt: number
  readonly storedAt: number
  readonly lastUsedAt: number | null
  /** `trial`: no service has accepted this version yet. `rejected`: a service refused it. */
  readonly state: 'proven' | 'trial' | 'rejected'
  /** Whether the former version still exists. */
  readonly former: boolean
  /** When its service ends the permission, epoch milliseconds; null: unknown, or the owner was notified. */
  readonly endsAt: number | null
}

/** Placeholder for a value (E-08). */
export const REDACTED = '[redacted]'

/** Prefix of a reference in the configuration: `vault:google` (S-14). */
export const VAULT_SCHEME = 'vault:'

/** UTF-16 units. A shorter value would occur in ordinary text by chance, and redaction would destroy that text. */
const LEAST_VALUE = 8
/** Most entries of a scope: a longer one cannot be reviewed. */
const MAX_SCOPE = 32

const entry = z.string().check(z.minLength(1), z.maxLength(200))
const entries = z.array(entry).check(z.maxLength(MAX_SCOPE))

export const secretKind = z.enum(SECRET_KINDS)
export const scopeSchema = z.strictObject({
  tools: entries.check(z.minLength(1)),
  actions: entries,
  hosts: entries.check(z.minLength(1)),
})

/** Kinds that are sent as a bearer token go into a header, where spaces and line breaks are not allowed. */
const HEADER_SAFE = /^[\x21-\x7e]+$/

/**
 * Validates a value without a trailing newline, which a pipe adds; normalises an OAuth grant. Refusal: field_malformed; no reason
 * contains the value.
 */
export function checkValue(kind: SecretKind, input: string): Result<string> {
  const value = input.replace(/\r?\n$/, '')
  if (value.length < LEAST_VALUE || value.length > MAX_SECRET)
    return err('field_malformed', { field: 'value', rule: 'length' })
  const grant = kind === 'oauth' ? parseGrant(value) : null
  if (grant !== null) return ok(grantText(grant))
  if (kind === 'oauth' && value.trimStart().startsWith('{'))
    return err('field_malformed', { field: 'value', rule: 'grant' })
  return !isBearer(kind) || HEADER_SAFE.test(value)
    ? ok(value)
    : err('field_malformed', { field: 'value', rule: 'one_word' })
}

/** Whether a tool may get it, or its access token, as a bearer token. */
export function isBearer(kind: SecretKind): boolean {
  return kind === 'token' || kind === 'oauth'
}
