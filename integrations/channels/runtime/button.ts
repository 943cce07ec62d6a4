/**
 * Buttons of a card (F-02). A button carries an opaque id and a MAC for its chat, so that a tap from another chat or an invented id
 * is refused before anything wakes. The id's meaning is stored with the question. Must not decide anything. Called by the place
 * that holds the bot's token.
 */
import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Called } from './kept.ts'

/** Hex digits of an id (64 bits) and of its MAC (96 bits): 41 characters with the dot, within the strictest service's 64 bytes. */
const ID = /^[0-9a-f]{16}$/
const PROOF_BYTES = 12
const DATA = /^([0-9a-f]{16})\.([0-9a-f]{24})$/

export interface ButtonChat {
  /** Name of the channel. */
  readonly channel: string
  readonly chat: Called
}

/** Callback data of a button. `id`: 16 hex digits, unguessable. Throws on any other. */
export function buttonData(key: Uint8Array, place: ButtonChat, id: string): string {
  if (!ID.test(id)) throw new TypeError('no id of a button')
  return `${id}.${bytesToHex(proofOf(key, place, id))}`
}

/** The id of a tapped button in this chat; null when the button was not made for this chat. */
export function buttonIdIn(key: Uint8Array, place: ButtonChat, data: string): string | null {
  const [, id = '', proof = ''] = DATA.exec(data) ?? []
  return id !== '' && equalBytes(hexToBytes(proof), proofOf(key, place, id)) ? id : null
}

function proofOf(key: Uint8Array, { channel, chat }: ButtonChat, id: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(`${channel}-button|${chat}|${id}`)).slice(0, PROOF_BYTES)
}
