/**
 * Linked chats of one person (F-15): what this person wrote in one chat may be shown in the other, because the same person
 * reads both. Nothing else may pass. Must not decide that two chats belong to one person: the owner approved the link and both
 * ends proved it (task/identity-link.ts). Called by policy.ts.
 */
import { type Clearance, clears } from './clearance.ts'
import type { Atom } from './label.ts'
import { ownWordsOrigin, type Sink } from './sink.ts'

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
