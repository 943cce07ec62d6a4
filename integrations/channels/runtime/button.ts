/**
 * Buttons of a card (F-02): what stands behind one is an opaque id with a proof that it was made for this chat, so that a tap in
 * another chat, or one that somebody made up, is refused before anything wakes. What an id means lies where the question is. Must not
 * decide anything. Called by the place that holds the bot's token.
 */
import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Called } from './kept.ts'

/** Hex digits of an id and of its proof, 64 and 96 bits: with the point 41 of the 64 bytes that the strictest service takes. */
const ID = /^[0-9a-f]{16}$/
const PROOF_BYTES = 12
const DATA = /^([0-9a-f]{16})\.([0-9a-f]{24})$/

export interface ButtonChat {
  /** Its name. */
  readonly channel: string
  readonly chat: Called
}

/** What is sent with a button. `id`: 16 hex digits, unguessable. Throws on another. */
export function buttonData(key: Uint8Array, place: ButtonChat, id: string): string {
  if (!ID.test(id)) throw new TypeError('no id of a button')
  return `${id}.${bytesToHex(proofOf(key, place, id))}`
}

/** The id behind a tap in this chat; null for one that was not made for it. */
export function buttonIdIn(key: Uint8Array, place: ButtonChat, data: string): string | null {
  const [, id = '', proof = ''] = DATA.exec(data) ?? []
  return id !== '' && equalBytes(hexToBytes(proof), proofOf(key, place, id)) ? id : null
}

function proofOf(key: Uint8Array, { channel, chat }: ButtonChat, id: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(`${channel}-button|${chat}|${id}`)).slice(0, PROOF_BYTES)
}
