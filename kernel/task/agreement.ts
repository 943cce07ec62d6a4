/**
 * Pairing agreements: which templates one other person may start, in one chat (B-04). Offered with a one-time code, accepted by
 * entering it in one's own chat, ended by the owner or by time. Pure transitions on records of ids and digests. Must not hold a
 * code or decide what a template may read. Called by the files of features/people.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { codeKey, sameMac } from '../tunnel/pairing.ts'
import { encodeText } from '../vault/text.ts'
import { parsePrincipalId } from './principal.ts'

/**
 * `asked`: waits for the owner's approval. `open`: the code is valid. `live`: a person entered it. `ended`:
 * it expired, before or after it was live. `revoked`: the owner withdrew it.
 */
export type AgreementState = 'asked' | 'open' | 'live' | 'ended' | 'revoked'

export interface Agreement {
  readonly id: string
  /** Ids of the templates of class `paired` that the person may start, sorted. */
  readonly templates: readonly string[]
  /** Digest of the code, hex. */
  readonly code: string
  readonly state: AgreementState
  /** Principal that entered the code; null before. */
  readonly principal: string | null
  /** The chat in which the code was entered. The agreement holds only there. */
  readonly sink: string | null
  /** Place of that chat, if it is not home. */
  readonly at?: 'edge'
  /** Whether the owner was notified who accepted. */
  readonly told: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** When the code expires. */
  readonly openUntil: number
  /** When the agreement expires. */
  readonly expiresAt: number
}

/** The only form of message that counts as a code. A sentence or a telephone number never matches. */
const CODE_MESSAGE =
  /^\s*(?:pair\s+|\/(?:start|pair)(?:@\w{1,64})?\s+|(?=[^a-z]*[a-z]))([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})\s*$/i

/** The code in a message that is nothing else; null for every other message. */
export function invitationInMessage(text: string): string | null {
  return CODE_MESSAGE.exec(text)?.[1] ?? null
}

export interface NewAgreement
  extends Pick<Agreement, 'id' | 'templates' | 'createdAt' | 'openUntil' | 'expiresAt'> {
  readonly code: string
}

/**
 * A new agreement that waits for the owner's approval. Refusal: pairing_refused for a text that cannot be a
 * code.
 */
export function offer({ code, templates, ...rest }: NewAgreement): Result<Agreement> {
  const digest = codeDigest(rest.id, code)
  if (digest === null) return err('pairing_refused', { why: 'malformed' })
  const nobody = { principal: null, sink: null, told: false, state: 'asked' } as const
  return ok({ ...rest, ...nobody, templates: [...templates].sort(), code: digest })
}

/** A code that was entered: by which principal, in which chat, when (epoch milliseconds). */
export interface InvitationMessage {
  readonly principal: string
  readonly sink: string
  readonly code: string
  readonly now: number
  readonly at?: 'edge'
}

/** Whether this is the agreement's code. Takes constant time. */
export function isCodeOf({ id, code: kept }: Pick<Agreement, 'id' | 'code'>, code: string): boolean {
  const digest = codeDigest(id, code)
  return digest !== null && sameMac(encodeText(digest), encodeText(kept))
}

/**
 * The agreement with the person who entered its code. Refusal: pairing_refused; its `why` is for the audit
 * only: `not_agreed`, `used`, `revoked`, `expired`, or `not_a_person` for a group, a job, a webhook or the
 * owner.
 */
export function takeUp(agreement: Agreement, said: InvitationMessage): Result<Agreement> {
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

/**
 * One person in a chat of their own. A group is several people, a job or a webhook none, and the owner needs
 * no pairing.
 */
function isPerson(principal: string): boolean {
  const name = parsePrincipalId(principal)
  return name.ok && ['peer', 'member', 'number'].includes(name.value.kind)
}

/** Id of a further agreement on the same card: `<first>_2`, `<first>_3`. */
export function idBeside(first: string, nth: number): string {
  return nth === 1 ? first : `${first}_${nth}`
}

/** Id that stands for all agreements of one card. */
export function wholeCard(id: string): string {
  return `${firstOf(id)}_all`
}

/** Id of the first agreement on the card. */
function firstOf(id: string): string {
  return id.replace(/_(?:\d+|all)$/, '')
}

/** Whether an id, or an id that stands for a whole card, names this agreement. */
export function isMeant(id: string, said: string): boolean {
  return id === said || (said.endsWith('_all') && firstOf(id) === firstOf(said))
}

/** Id of the approval that the owner must give before the code is valid; one approval covers a whole card. */
export function questionOf({ id }: Pick<Agreement, 'id'>): string {
  return `${firstOf(id)}p`
}

export function isLive({ state, expiresAt }: Agreement, now: number): boolean {
  return state === 'live' && now < expiresAt
}

/** True when the agreement has expired and its state does not show it yet. */
export function isPast({ state, openUntil, expiresAt }: Agreement, now: number): boolean {
  if (state === 'live') return now >= expiresAt
  return (state === 'asked' || state === 'open') && now >= openUntil
}

/** Time at which the agreement expires, epoch milliseconds; null if it is already over. */
export function endOf({ state, openUntil, expiresAt }: Agreement): number | null {
  if (state === 'live') return expiresAt
  return state === 'asked' || state === 'open' ? openUntil : null
}

/**
 * Digest of the code, bound to the agreement's id so that it is useless for another
 * agreement. Null for a text that cannot be a code.
 */
function codeDigest(id: string, code: string): string | null {
  const key = codeKey(code)
  return key === null ? null : bytesToHex(hmac(sha256, key, encodeText(canonicalJson(['agreement', id]))))
}
