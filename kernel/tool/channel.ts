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

/** Names that are understood, with an adapter or without: of one without it is said that there is none. */
export const CHANNEL_TITLES: Readonly<Record<string, string>> = Object.freeze({
  telegram: 'Telegram',
  slack: 'Slack',
  whatsapp: 'WhatsApp',
})

const NAME = `(${Object.keys(CHANNEL_TITLES).join('|')})`
const AGAIN = `(?:my |the )?${NAME}(?: (?:bot|channel|chat|line))?`
const ON = new RegExp(
  `^(?:/connect|(?:please )?(?:connect|activate|enable|turn on|switch on|set up)) +${AGAIN}$`,
)
const OFF = new RegExp(
  `^(?:/disconnect|(?:please )?(?:disconnect|deactivate|disable|turn off|switch off)) +${AGAIN}$`,
)
const TURNED = new RegExp(`^(?:please )?(?:turn|switch) ${AGAIN} (on|off)$`)

/** The whole message: more than that is a request like any other. */
export function channelSaid(words: string): { readonly name: string; readonly on: boolean } | null {
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
