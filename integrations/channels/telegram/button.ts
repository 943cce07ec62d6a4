/**
 * Buttons of a card (F-02): what stands behind one is an opaque id with a proof that it was made for this chat, so that a tap in
 * another chat, or one that somebody made up, is refused before anything wakes. What an id means lies where the question is. Must not
 * decide anything. Called by the place that holds the bot's token.
 */
import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'

/** Hex digits of an id and of its proof, 64 and 96 bits: with the point 41 of the 64 bytes that Telegram takes. */
const ID = /^[0-9a-f]{16}$/
const PROOF_BYTES = 12
const DATA = /^([0-9a-f]{16})\.([0-9a-f]{24})$/

/** What is sent with a button. `id`: 16 hex digits, unguessable. Throws on another. */
export function buttonData(key: Uint8Array, chat: number, id: string): string {
  if (!ID.test(id)) throw new TypeError('no id of a button')
  return `${id}.${bytesToHex(proofOf(key, chat, id))}`
}

/** The id behind a tap in this chat; null for one that was not made for it. */
export function buttonId(key: Uint8Array, chat: number, data: string): string | null {
  const [, id = '', proof = ''] = DATA.exec(data) ?? []
  return id !== '' && equalBytes(hexToBytes(proof), proofOf(key, chat, id)) ? id : null
}

function proofOf(key: Uint8Array, chat: number, id: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(`telegram-button|${chat}|${id}`)).slice(0, PROOF_BYTES)
}

/** Somebody's tap on a button, as Telegram authenticated it. */
export interface Tap {
  readonly query: string
  readonly user: number
  readonly chat: number
  readonly message: number
  readonly data: string
  /** False where the message with the button is a copy of the bot's. */
  readonly original: boolean
}

const QUERY = z.object({
  callback_query: z.object({
    id: z.string().check(z.maxLength(64)),
    from: z.object({ id: z.int() }),
    data: z.string().check(z.maxLength(64)),
    message: z.object({
      message_id: z.int(),
      chat: z.object({ id: z.int() }),
      forward_origin: z.optional(z.unknown()),
    }),
  }),
})

/** Null for every other update. */
export function tapIn(input: unknown): Tap | null {
  const parsed = QUERY.safeParse(input)
  if (!parsed.success) return null
  const { id, from, data, message } = parsed.data.callback_query
  return {
    ...{ query: id, user: from.id, data },
    ...{ chat: message.chat.id, message: message.message_id },
    original: message.forward_origin === undefined,
  }
}
