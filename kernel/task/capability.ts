/**
 * Capability tokens: designation, permission and provenance in one signed, single-use statement. Each place
 * signs its own; home never accepts the edge's. Tools receive a token and cannot make one, because they never hold the key.
 * Must not count uses; storage does. Called by authorize (issue) and invoke (check).
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { digestOf } from '../flow/digest.ts'
import { canonicalJson, type DeepReadonly, type Json } from '../flow/json.ts'
import type { Place } from '../flow/place.ts'
import { TAINT_LEVELS } from '../flow/taint.ts'
import { deny, denyOnThrow, permit, type Verdict } from '../flow/verdict.ts'

/** The exact use that a token is checked against. */
export interface CapabilityUse {
  readonly place: Place
  readonly task: string
  readonly step: string
  readonly tool: string
  readonly args: Json
  readonly scope: string
  readonly now: number
  /** Uses already counted for this id, read from storage. */
  readonly used: number
}

/** Maximum time between authorisation and start of a call, milliseconds. Limits the value of a stolen token. */
export const TOKEN_LIFETIME = 120_000
/** Tolerated clock difference for `issuedAt`, milliseconds. The clock is the place's own and may be stepped back. */
const CLOCK_SKEW = 2_000
/** Bytes. */
const KEY_BYTES = 32
/** Domain separation from every other HMAC-SHA-256 over JSON. */
const DOMAIN = 'pfar capability 1\n'
/** Maximum length of a claim, UTF-16 units: a token cannot fill a row. */
const MAX_CLAIM = 400
/** Maximum number of names in a taint trail. */
const MAX_TRAIL = 32

const claim = z.string().check(z.maxLength(MAX_CLAIM))
const moment = z.number().check(z.int(), z.nonnegative())
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const trail = z.array(claim).check(z.maxLength(MAX_TRAIL))

const TOKEN = z.strictObject({
  claims: z.strictObject({
    id: claim,
    place: z.enum(['edge', 'home']),
    task: claim,
    template: claim,
    principal: claim,
    step: claim,
    tool: claim,
    /** For example `account=personal`; empty when the action declares no scope argument. */
    scope: claim,
    /** SHA-256 of the canonical arguments, hex, so that exactly what was authorised runs (invariant 6). */
    argsDigest: digest,
    /** Digest of the form of the owner's key that is sent with the call (call/along.ts); absent if no key is sent. */
    along: z.optional(digest),
    argsTaint: z.strictObject({ level: z.enum(TAINT_LEVELS), origins: trail, touchedBy: trail }),
    /** Id of the approval that this call spends; null if it needs none. */
    approval: z.nullable(claim),
    /** Epoch milliseconds. */
    issuedAt: moment,
    expiresAt: moment,
    maxInvocations: z.number().check(z.int(), z.positive()),
  }),
  /** HMAC-SHA-256 over the canonical claims, hex. */
  mac: digest,
})
export type CapabilityToken = DeepReadonly<z.output<typeof TOKEN>>
export type Capability = CapabilityToken['claims']

/**
 * Signs claims that the kernel has decided. `key` is this place's 32 token bytes; throws on another length. The caller sets
 * `expiresAt` to `issuedAt + TOKEN_LIFETIME`.
 */
export function issueCapability(claims: Capability, key: Uint8Array): CapabilityToken {
  return Object.freeze({ claims: Object.freeze({ ...claims }), mac: macOf(claims, key) })
}

/**
 * Whether this token is valid for this very use. Every claim that can differ has its own refusal code. A forged or
 * altered token is reported first, because none of its claims can be believed. A lifetime longer than `TOKEN_LIFETIME` is
 * malformed, whoever signed it.
 */
export function checkCapability(token: unknown, use: CapabilityUse, key: Uint8Array): Verdict {
  return denyOnThrow(() => {
    if (token === null || token === undefined) return deny('token_missing')
    const parsed = TOKEN.safeParse(token)
    if (!parsed.success) return deny('token_malformed')
    const { claims, mac } = parsed.data
    if (!isSame(mac, macOf(claims, key))) return deny('token_forged')
    return checkClaims(claims, use)
  })
}

/** Hex digits of a task id: 96 bits, so that two events never share one. */
const TASK_ID_DIGITS = 24

/** A task id derived from the ids of an event. A second delivery of the same event has the same id and creates no second task. */
export function taskIdOf(...of: readonly string[]): string {
  return `t${digestOf([...of]).slice(0, TASK_ID_DIGITS)}`
}

function checkClaims(claims: Capability, use: CapabilityUse): Verdict {
  if (claims.expiresAt - claims.issuedAt > TOKEN_LIFETIME) return deny('token_malformed')
  if (claims.place !== use.place) return deny('token_wrong_place', { place: use.place })
  if (use.now < claims.issuedAt - CLOCK_SKEW) return deny('token_not_yet_valid')
  if (use.now >= claims.expiresAt) return deny('token_expired')
  if (claims.task !== use.task) return deny('token_wrong_task', { task: use.task })
  if (claims.step !== use.step) return deny('token_wrong_step', { step: use.step })
  if (claims.tool !== use.tool) return deny('token_wrong_tool', { tool: use.tool })
  if (claims.scope !== use.scope) return deny('token_wrong_scope')
  if (claims.argsDigest !== digestOf(use.args)) return deny('token_wrong_arguments')
  if (!(use.used < claims.maxInvocations)) return deny('token_used_up', { uses: claims.maxInvocations })
  return permit('capability')
}

function macOf(claims: Capability, key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new TypeError('a token key has 32 bytes')
  const text = DOMAIN + canonicalJson(claims as unknown as Json)
  return bytesToHex(hmac(sha256, key, utf8ToBytes(text)))
}

/** Constant time for equal lengths, so that a MAC cannot be guessed digit by digit. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
