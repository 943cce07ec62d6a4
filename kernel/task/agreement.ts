/**
 * Pairing agreements: what the owner lets one other person have (B-04). Offered with a one-time code, taken up by whoever says it
 * in a chat of his own, ended by the owner or by time. Pure transitions on plain records of ids and digests. An agreement names
 * templates and one chat; what these may read is decided where it always is. Must not hold a code. Called by
 * runtime/people.ts, powers/people.ts and told-people.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { codeKey, sameMac } from '../tunnel/pairing.ts'
import { encodeText } from '../vault/text.ts'
import { parsePrincipalId } from './principal-id.ts'

/**
 * `asked`: the owner has not said yes. `open`: its code is good. `live`: somebody said it. `ended`: it never came to that, or its
 * time is over. `revoked`: the owner took it back.
 */
export type AgreementState = 'asked' | 'open' | 'live' | 'ended' | 'revoked'

export interface Agreement {
  readonly id: string
  /** What of the class `paired` he may start, by id, sorted. */
  readonly templates: readonly string[]
  /** What is left of the code, hex. */
  readonly code: string
  readonly state: AgreementState
  /** Who said the code; null before. */
  readonly principal: string | null
  /** The one chat that it counts in: where the code was said. */
  readonly sink: string | null
  /** Where that chat is, if it is not home's own. */
  readonly at?: 'edge'
  /** Whether the owner was told who took it up. */
  readonly told: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Until when its code is good. */
  readonly openUntil: number
  /** Until when it counts at all. */
  readonly expiresAt: number
}

/** What a message must be, and nothing besides, to count as a code: a sentence is never one, nor is a number of a phone. */
const CODE_MESSAGE =
  /^\s*(?:pair\s+|\/(?:start|pair)(?:@\w{1,64})?\s+|(?=[^a-z]*[a-z]))([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})\s*$/i

/** The code that a message is; null for every other message. */
export function invitationSaid(text: string): string | null {
  return CODE_MESSAGE.exec(text)?.[1] ?? null
}

export interface NewAgreement
  extends Pick<Agreement, 'id' | 'templates' | 'createdAt' | 'openUntil' | 'expiresAt'> {
  readonly code: string
}

/** Refusal: pairing_refused for what cannot be a code. */
export function offer({ code, templates, ...rest }: NewAgreement): Result<Agreement> {
  const digest = codeDigest(rest.id, code)
  if (digest === null) return err('pairing_refused', { why: 'malformed' })
  const nobody = { principal: null, sink: null, told: false, state: 'asked' } as const
  return ok({ ...rest, ...nobody, templates: [...templates].sort(), code: digest })
}

/** A code that was said: by whom, in which chat, when (epoch milliseconds). */
export interface SaidInvitation {
  readonly principal: string
  readonly sink: string
  readonly code: string
  readonly now: number
  readonly at?: 'edge'
}

/** Whether this is its code. In constant time for each. */
export function isCodeOf({ id, code: kept }: Pick<Agreement, 'id' | 'code'>, code: string): boolean {
  const digest = codeDigest(id, code)
  return digest !== null && sameMac(encodeText(digest), encodeText(kept))
}

/**
 * The agreement with who said its code in it. Refusal: pairing_refused, whose `why` is for the audit alone: `not_agreed`, `used`,
 * `revoked`, `expired`, or `not_a_person` for a group, a job and the owner.
 */
export function takeUp(agreement: Agreement, said: SaidInvitation): Result<Agreement> {
  const { id, state, openUntil } = agreement
  const no = (why: string) => err('pairing_refused', { why, agreement: id })
  const { principal, sink, now, at } = said
  if (state === 'live') return no('used')
  if (state === 'revoked') return no('revoked')
  if (state === 'asked') return no('not_agreed')
  if (state === 'ended' || now >= openUntil) return no('expired')
  if (!isPerson(principal)) return no('not_a_person')
  return ok({ ...agreement, state: 'live', principal, sink, ...(at !== undefined && { at }) })
}

/** Somebody of his own, in a chat of his own: a group is many, a job or a webhook nobody, the owner himself. */
function isPerson(principal: string): boolean {
  const name = parsePrincipalId(principal)
  return name.ok && ['peer', 'member', 'number'].includes(name.value.kind)
}

/** The question that is put to the owner before its code is good. */
export function questionOf({ id }: Pick<Agreement, 'id'>): string {
  return `${id}p`
}

/** Whether it counts at this moment. */
export function isLive({ state, expiresAt }: Agreement, now: number): boolean {
  return state === 'live' && now < expiresAt
}

/** Its time is over, and its record does not say so yet. */
export function isPast({ state, openUntil, expiresAt }: Agreement, now: number): boolean {
  if (state === 'live') return now >= expiresAt
  return (state === 'asked' || state === 'open') && now >= openUntil
}

/** When its record must say something else; null for one that is over. */
export function endOf({ state, openUntil, expiresAt }: Agreement): number | null {
  if (state === 'live') return expiresAt
  return state === 'asked' || state === 'open' ? openUntil : null
}

/** Null for what cannot be a code. Bound to the agreement: no digest is of use to another. */
function codeDigest(id: string, code: string): string | null {
  const key = codeKey(code)
  return key === null ? null : bytesToHex(hmac(sha256, key, encodeText(canonicalJson(['agreement', id]))))
}
