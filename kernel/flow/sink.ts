/**
 * Sinks: where an answer or a write may go, with clearance and audience (A-40 – A-43, DESIGN §1). Must not send anything.
 * Called by policy.ts and by the places that build their sink table.
 */
import { type Clearance, clears } from './clearance.ts'
import type { Atom } from './label.ts'
import type { Compartment, Level } from './level.ts'
import type { Place } from './place.ts'

export interface Sink extends Clearance {
  /** `sink:<namespace>:<name>`, such as `sink:terminal:owner`. */
  readonly id: string
  readonly compartments: readonly Compartment[]
  /** The place that holds this sink's token. Only this place can send to it. */
  readonly place: Place
  /** Principal that owns this namespace. Wildcards never cross it. */
  readonly principal: string
  /** `sole`: one person reads it, so this person's words from this chat may return to it. */
  readonly audience: 'sole' | 'many'
  /**
   * Template whose tasks home answers here, although the other place holds the token. Set by the
   * owner's acknowledgement (`withBothLines`), never by anything that the other place reports.
   */
  readonly carries?: string
  /**
   * Templates of jobs that home may also send here: those whose ceiling this chat is cleared for. Each job has a card of its own.
   */
  readonly jobs?: readonly string[]
}

/** Restricts which sinks may carry this guard at all. Key: `sensitive` or `regulated:health`. */
export interface AllowList {
  readonly guard: string
  readonly patterns: readonly string[]
}

/** Atom origin of words that this sink's only reader typed in this very chat. */
export function ownWordsOrigin(sinkId: string): string {
  return `chat:${sinkId}`
}

/** `sink:notion:*` matches one namespace of one principal; every other pattern is an exact id. */
export function matchesPattern(pattern: string, sink: Sink, owner: string): boolean {
  if (!pattern.endsWith(':*')) return pattern === sink.id
  const namespace = pattern.slice(0, -1)
  return (
    /^sink:[a-z][a-z0-9_]*:$/.test(namespace) && sink.id.startsWith(namespace) && sink.principal === owner
  )
}

export function guardOf(level: Level, compartment: Compartment | null): string {
  return compartment === null ? level : `${level}:${compartment}`
}

/** The allow lists that apply to an atom: those of its compartment, otherwise those of its level. */
export function listsFor(allowLists: readonly AllowList[], atom: Atom): readonly AllowList[] {
  const exact = allowLists.filter((list) => list.guard === guardOf(atom.level, atom.compartment))
  return exact.length > 0 ? exact : allowLists.filter((list) => list.guard === atom.level)
}

/** One chat, and the only person who reads it. */
export interface LinkedChat {
  readonly sink: string
  readonly principal: string
}

export interface LinkedChats {
  /** Id of the identity link. */
  readonly link: string
  readonly chats: readonly [LinkedChat, LinkedChat]
}

/**
 * The highest clearance that a link gives: what a person types to a bot. The owner's words on a private line are above it. A
 * link never raises the clearance of the chat that shows the words.
 */
const LINKED_CLEARANCE: Clearance = Object.freeze({ level: 'internal', compartments: [] })

/** The link that lets words of one chat be shown in this chat; undefined if there is none. */
export function findLinkedChats(
  linked: readonly LinkedChats[],
  atom: Atom,
  sink: Sink,
): LinkedChats | undefined {
  if (sink.audience !== 'sole' || !clears(LINKED_CLEARANCE, atom)) return undefined
  return linked.find(({ chats: [a, b] }) => leads(a, b, { atom, sink }) || leads(b, a, { atom, sink }))
}

function leads(
  from: LinkedChat,
  to: LinkedChat,
  { atom, sink }: { readonly atom: Atom; readonly sink: Sink },
): boolean {
  return atom.origin === ownWordsOrigin(from.sink) && to.sink === sink.id && to.principal === sink.principal
}
