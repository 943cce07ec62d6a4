/**
 * Chats that the assistant may be reached in, as data (H-13): what each needs of its owner and what he is told, and how he names one. An
 * adapter is one entry of a place's list. Pure; must not know whether one is active. Called by the pipeline, the runtime and both places.
 */
import type { ConnectSpec } from './manifest.ts'

/** One credential of a channel: what the vault calls it, and what its owner is told. */
export interface ChannelNeed extends ConnectSpec {
  readonly service: string
}

export interface ChannelAdapter {
  /** As he says it, in lower case. */
  readonly name: string
  readonly title: string
  /** What he gives, one after the other; the account that they open is the channel's. */
  readonly needs: readonly ChannelNeed[]
  /** How he shows there that it is his: a sentence that `account` and the code follow. */
  readonly prove: string
}

/** What the kernel knows of a service that a chat may be at: how people call it, and whether files that come by it can be fetched. */
export interface ChatFacts {
  readonly title: string
  readonly fetches: boolean
}

/** By the name of its adapter. A name may stand here without an adapter: it is understood, and the owner is told that there is none. */
export type Chats = Readonly<Record<string, ChatFacts>>

/** As its owner calls it; null for one that is not listed. */
export function chatTitleOf(chats: Chats, adapter: string): string | null {
  return (Object.hasOwn(chats, adapter) ? chats[adapter]?.title : undefined) ?? null
}

const MENTION = '(?:my |the )?([a-z0-9_-]{1,32})(?: (?:bot|channel|chat|line))?'
const ON = new RegExp(
  `^(?:/connect|(?:please )?(?:connect|activate|enable|turn on|switch on|set up)) +${MENTION}$`,
)
const OFF = new RegExp(
  `^(?:/disconnect|(?:please )?(?:disconnect|deactivate|disable|turn off|switch off)) +${MENTION}$`,
)
const TURNED = new RegExp(`^(?:please )?(?:turn|switch) ${MENTION} (on|off)$`)

/** The whole message, about one of these chats: anything else is a request like any other. */
export function channelSaid(
  words: string,
  chats: Chats,
): { readonly name: string; readonly on: boolean } | null {
  const said = channelIn(words)
  return said !== null && Object.hasOwn(chats, said.name) ? said : null
}

function channelIn(words: string): { readonly name: string; readonly on: boolean } | null {
  const text = words
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
  const [, turned, way] = TURNED.exec(text) ?? []
  const name = ON.exec(text)?.[1] ?? (way === 'on' ? turned : undefined)
  if (name !== undefined) return { name, on: true }
  const left = OFF.exec(text)?.[1] ?? turned
  return left === undefined ? null : { name: left, on: false }
}
