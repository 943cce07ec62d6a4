/**
 * Identity links: two principals that are one person, by his proof from both chats and the owner's yes (F-15, F-16, E-21).
 * Pure transitions on plain records of ids and digests. A link joins no sessions and raises nobody: it lets each read the
 * other's, and lowers both to the lower class. Must not hold a code. Called by runtime/identity-links.ts and route.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'
import type { LinkedChat, LinkedChats } from '../flow/linked-chat.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { codeKey, sameMac } from '../tunnel/pairing.ts'
import { encodeText } from '../vault/text.ts'
import {
  classOf,
  type Directory,
  PRINCIPAL_CLASSES,
  type Principal,
  type PrincipalClass,
} from './principal.ts'
import { parsePrincipalId } from './principal-id.ts'

export interface LinkEnd {
  readonly principal: string
  /** What is left of the code that this end must say: a digest that binds it to link and principal, hex. */
  readonly code: string
  /** Wrong codes that came from this very principal. */
  readonly wrong: number
  /** Chat in which it was said; null before. */
  readonly sink: string | null
  /** Where that chat is, if it is not home's own. */
  readonly at?: 'edge'
}

/**
 * `asked`: codes are out. `proven`: both were said; the owner is asked. `live`: he said yes. `ended`: it never came to
 * that. `removed`: it was live.
 */
export type LinkState = 'asked' | 'proven' | 'live' | 'ended' | 'removed'

export interface IdentityLink {
  readonly id: string
  readonly ends: readonly [LinkEnd, LinkEnd]
  readonly state: LinkState
  /** Message in which the owner asked for it: his yes must come in another (F-17). */
  readonly message: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Until when its codes are good. */
  readonly expiresAt: number
}

/** Milliseconds that codes are good for: long enough to reach for another phone. */
export const LINK_CODE_LIFE = 900_000
/** Wrong codes of one end, after which a link is given up: five of 2^60. */
export const MAX_WRONG_CODES = 5

/** What a message must be, and nothing besides, to count as a code: a sentence is never one. */
const CODE_MESSAGE = /^\s*link\s+([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})\s*$/i

/** The code that a message is; null for every other message. */
export function codeSaid(text: string): string | null {
  return CODE_MESSAGE.exec(text)?.[1] ?? null
}

/** Whether two principals may be asked about at all. Refusals: principal_malformed; principal_not_allowed. */
export function checkEnds(principals: readonly [string, string]): Result<true> {
  for (const principal of principals) {
    const name = parsePrincipalId(principal)
    if (!name.ok) return name
    // A group is many people, a job or a webhook is none: neither can prove that it is somebody (B-11).
    if (['group', 'cron', 'webhook'].includes(name.value.kind)) return err('principal_not_allowed')
  }
  const [one, other] = principals
  return one === other ? err('principal_not_allowed') : ok(true)
}

export interface NewLink extends Pick<IdentityLink, 'id' | 'message'> {
  readonly ends: readonly { readonly principal: string; readonly code: string }[]
  readonly now: number
}

/** Refusals: those of `checkEnds`; pairing_refused for what cannot be a code. */
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

/** A code that was said: by whom, in which chat of his own, when (epoch milliseconds). */
export interface Said {
  readonly principal: string
  readonly sink: string
  readonly code: string
  readonly now: number
  readonly at?: 'edge'
}

/**
 * What a code does to a link: proves the end that it was made for; counts against an end that says another; nothing at
 * all to a link of other people, to an end that has said its own, or to one whose time is over.
 */
export function sayCode(link: IdentityLink, said: Said): IdentityLink {
  if (link.state !== 'asked' || said.now >= link.expiresAt) return link
  const [one, other] = link.ends
  const ends = [sayAt(link.id, one, said), sayAt(link.id, other, said)] as const
  if (ends[0] === one && ends[1] === other) return link
  const state = ends.some(({ wrong }) => wrong >= MAX_WRONG_CODES)
    ? 'ended'
    : ends.every(({ sink }) => sink !== null)
      ? 'proven'
      : 'asked'
  return { ...link, ends, state }
}

function sayAt(link: string, end: LinkEnd, { principal, sink, code, at }: Said): LinkEnd {
  if (end.principal !== principal || end.sink !== null) return end
  const digest = codeDigest({ link, principal, code })
  const isRight = digest !== null && sameMac(encodeText(digest), encodeText(end.code))
  return isRight ? { ...end, sink, ...(at !== undefined && { at }) } : { ...end, wrong: end.wrong + 1 }
}

/** Null for what cannot be a code. */
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

/** The question that is put to the owner once both are proven: one name for it, however often a crash has it put. */
export function approvalOf({ id }: Pick<IdentityLink, 'id'>): string {
  return `${id}l`
}

/** Its codes have run out. */
export function isOver(link: IdentityLink, now: number): boolean {
  return link.state === 'asked' && now >= link.expiresAt
}

/** Principals that are linked with this one now. Not of theirs in turn: a link is between two. */
export function partnersOf(links: readonly IdentityLink[], principal: string): readonly string[] {
  return links.flatMap(({ state, ends: [one, other] }) => {
    if (state !== 'live') return []
    if (one.principal === principal) return [other.principal]
    return other.principal === principal ? [one.principal] : []
  })
}

/** The chats in which both proved themselves, of links that are live. */
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
 * The lower class of the two, for both (F-16): who can speak as the less trusted one has proven to be the other. The owner
 * stays the owner, as he is known by his configured accounts alone (B-08); nothing makes anybody else one.
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

/** The table of classes goes from the most trusted down; of those in links, this order is the whole of it. */
function rankOf(one: PrincipalClass): number {
  return PRINCIPAL_CLASSES.indexOf(one)
}
