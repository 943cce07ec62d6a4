/**
 * Identity links: two principals are one person, proved from both chats and approved by the owner (F-15, F-16, E-21). Pure
 * transitions on records of ids and digests. A link merges no sessions and raises no one: each may read the other's words, and
 * both get the lower class. Must not hold a code. Called by features/identities and route.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'
import type { LinkedChat, LinkedChats } from '../flow/sink.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { codeKey, sameMac } from '../tunnel/pairing.ts'
import { encodeText } from '../vault/text.ts'
import {
  classOf,
  type Directory,
  PRINCIPAL_CLASSES,
  type Principal,
  type PrincipalClass,
  parsePrincipalId,
} from './principal.ts'

export interface LinkEnd {
  readonly principal: string
  /** Digest of the code that this end must enter, bound to link and principal, hex. */
  readonly code: string
  /** Wrong codes that this principal entered. */
  readonly wrong: number
  /** Chat in which the code was entered; null before. */
  readonly sink: string | null
  /** Place of that chat, if it is not home. */
  readonly at?: 'edge'
}

/**
 * `asked`: codes are issued. `proven`: both were entered; the owner is asked. `live`: the owner approved.
 * `ended`: expired or given up before it was live. `removed`: ended after it was live.
 */
export type LinkState = 'asked' | 'proven' | 'live' | 'ended' | 'removed'

export interface IdentityLink {
  readonly id: string
  readonly ends: readonly [LinkEnd, LinkEnd]
  readonly state: LinkState
  /** Message in which the owner asked for it. The approval must come in another message (F-17). */
  readonly message: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** When the codes expire. */
  readonly expiresAt: number
}

/** Lifetime of the codes, milliseconds: long enough to fetch another phone. */
export const LINK_CODE_LIFE = 900_000
/** Wrong codes from one end after which a link is given up: five guesses of 2^60. */
export const MAX_WRONG_CODES = 5

/** The only form of message that counts as a code. A sentence never matches. */
const CODE_MESSAGE = /^\s*link\s+([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})\s*$/i

/** The code in a message that is nothing else; null for every other message. */
export function codeInMessage(text: string): string | null {
  return CODE_MESSAGE.exec(text)?.[1] ?? null
}

/**
 * Whether a link between these two principals may be requested. Refusals: principal_malformed;
 * principal_not_allowed.
 */
export function checkEnds(principals: readonly [string, string]): Result<true> {
  for (const principal of principals) {
    const name = parsePrincipalId(principal)
    if (!name.ok) return name
    // A group is several people, a job or a webhook none: neither can prove an identity (B-11).
    if (['group', 'cron', 'webhook'].includes(name.value.kind)) return err('principal_not_allowed')
  }
  const [one, other] = principals
  return one === other ? err('principal_not_allowed') : ok(true)
}

export interface NewLink extends Pick<IdentityLink, 'id' | 'message'> {
  readonly ends: readonly { readonly principal: string; readonly code: string }[]
  readonly now: number
}

/**
 * A new link in state `asked`. Refusals: those of `checkEnds`; pairing_refused for a text that cannot be a
 * code.
 */
export function startLink({ id, message, ends, now }: NewLink): Result<IdentityLink> {
  const [one, other] = ends.map(({ principal, code }) => {
    const digest = codeDigest({ link: id, principal, code })
    return { principal, code: digest ?? '', wrong: 0, sink: null }
  })
  if (one === undefined || other === undefined || one.code === '' || other.code === '')
    return err('pairing_refused')
  const lawful = checkEnds([one.principal, other.principal])
  if (!lawful.ok) return lawful
  const times = { createdAt: now, expiresAt: now + LINK_CODE_LIFE }
  return ok({ id, message, ends: [one, other], state: 'asked', ...times })
}

/** A code that was entered: by which principal, in which of their chats, when (epoch milliseconds). */
export interface EnteredCode {
  readonly principal: string
  readonly sink: string
  readonly code: string
  readonly now: number
  readonly at?: 'edge'
}

/**
 * Applies an entered code to a link. The right code proves its end; a wrong one counts against that end.
 * Nothing changes for a link of other principals, an end that is already proven, or an expired link.
 */
export function enterCode(link: IdentityLink, entered: EnteredCode): IdentityLink {
  if (link.state !== 'asked' || entered.now >= link.expiresAt) return link
  const [one, other] = link.ends
  const ends = [enterCodeAt(link.id, one, entered), enterCodeAt(link.id, other, entered)] as const
  if (ends[0] === one && ends[1] === other) return link
  const state = ends.some(({ wrong }) => wrong >= MAX_WRONG_CODES)
    ? 'ended'
    : ends.every(({ sink }) => sink !== null)
      ? 'proven'
      : 'asked'
  return { ...link, ends, state }
}

function enterCodeAt(link: string, end: LinkEnd, { principal, sink, code, at }: EnteredCode): LinkEnd {
  if (end.principal !== principal || end.sink !== null) return end
  const digest = codeDigest({ link, principal, code })
  const isRight = digest !== null && sameMac(encodeText(digest), encodeText(end.code))
  return isRight ? { ...end, sink, ...(at !== undefined && { at }) } : { ...end, wrong: end.wrong + 1 }
}

/** Null for a text that cannot be a code. */
function codeDigest(of: {
  readonly link: string
  readonly principal: string
  readonly code: string
}): string | null {
  const key = codeKey(of.code)
  const { link, principal } = of
  return key === null
    ? null
    : bytesToHex(hmac(sha256, key, encodeText(canonicalJson(['identity', link, principal]))))
}

/**
 * Id of the approval that is asked once both ends are proven. Always the same for a link, so that a retry
 * after a crash asks only once.
 */
export function approvalOf({ id }: Pick<IdentityLink, 'id'>): string {
  return `${id}l`
}

/** True when the codes have expired. */
export function isOver(link: IdentityLink, now: number): boolean {
  return link.state === 'asked' && now >= link.expiresAt
}

/** Principals linked with this one now. Not transitive: a link is between two. */
export function partnersOf(links: readonly IdentityLink[], principal: string): readonly string[] {
  return links.flatMap(({ state, ends: [one, other] }) => {
    if (state !== 'live') return []
    if (one.principal === principal) return [other.principal]
    return other.principal === principal ? [one.principal] : []
  })
}

/** Pairs of chats in which both ends of live links proved themselves. */
export function linkedChatsOf(links: readonly IdentityLink[]): readonly LinkedChats[] {
  return links.flatMap(({ id, state, ends: [one, other] }) => {
    const chats = [chatOf(one), chatOf(other)] as const
    const [a, b] = chats
    return state === 'live' && a !== null && b !== null ? [{ link: id, chats: [a, b] }] : []
  })
}

function chatOf({ principal, sink }: LinkEnd): LinkedChat | null {
  return sink === null ? null : { principal, sink }
}

/**
 * The lower class of the two, for both (F-16), because whoever can write as the less trusted one has proven
 * to be the other. The owner stays the owner, who is known by configured accounts only (B-08); nothing makes
 * another principal the owner.
 */
export function classInLinks(
  { id, class: own }: Principal,
  links: readonly IdentityLink[],
  directory: Pick<Directory, 'paired'>,
): PrincipalClass {
  if (own === 'owner') return own
  return partnersOf(links, id)
    .map((partner) => classOf(partner, directory))
    .reduce((lowest, one) => (rankOf(one) > rankOf(lowest) ? one : lowest), own)
}

/** The table of classes is ordered from most to least trusted; links need no other order. */
function rankOf(one: PrincipalClass): number {
  return PRINCIPAL_CLASSES.indexOf(one)
}
