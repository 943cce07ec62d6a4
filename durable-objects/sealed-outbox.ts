/**
 * A channel store whose waiting bodies lie sealed: the arguments of a call to home are the owner's words (B-13).
 * Synchronous, because a body and its number are one write; so the cipher is not WebCrypto's. Must not change the
 * numbering. Called by TunnelObject.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, bytesToUtf8, concatBytes, hexToBytes, utf8ToBytes } from '@noble/ciphers/utils.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Json } from '../kernel/flow/json.ts'
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { Body } from '../kernel/tunnel/frame.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 24

/** `sealKey`: 32 bytes, the Worker secret; a key of its own is derived from it. Reading throws on altered rows. */
export function sealOutbox(store: ChannelStore, sealKey: Uint8Array): ChannelStore {
  const key = hkdf(sha256, sealKey, undefined, utf8ToBytes('pfar:tunnel-outbox'), KEY_BYTES)
  return {
    ...store,
    putOut: (seq, body) =>
      store.putOut(
        seq,
        mapArgs(body, (args) => seal(key, seq, args)),
      ),
    out: (after) =>
      store.out(after).map(({ seq, body }) => ({ seq, body: mapArgs(body, (args) => open(key, seq, args)) })),
  }
}

/** Only calls leave the edge; of these everything but the arguments is ids, names and labels. */
function mapArgs(body: Body, map: (args: Json) => Json): Body {
  if (body.type !== 'home_call') return body
  return { ...body, call: { ...body.call, args: map(body.call.args) } }
}

function seal(key: Uint8Array, seq: number, args: Json): Json {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = xchacha20poly1305(key, nonce, utf8ToBytes(String(seq))).encrypt(
    utf8ToBytes(JSON.stringify(args)),
  )
  return bytesToHex(concatBytes(nonce, sealed))
}

function open(key: Uint8Array, seq: number, sealed: Json): Json {
  if (typeof sealed !== 'string') throw new TypeError('an outbox row is not sealed')
  const bytes = hexToBytes(sealed)
  const cipher = xchacha20poly1305(key, bytes.subarray(0, NONCE_BYTES), utf8ToBytes(String(seq)))
  return JSON.parse(bytesToUtf8(cipher.decrypt(bytes.subarray(NONCE_BYTES)))) as Json
}
