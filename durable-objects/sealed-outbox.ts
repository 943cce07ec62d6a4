/**
 * A channel store whose waiting bodies lie sealed: the arguments of a call to home and what is told
 * of a turn are the owner's words (B-13).
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

/**
 * `sealKey`: 32 bytes, the Worker secret; a key of its own is derived from it. Reading throws on altered rows. While
 * `locked` bodies stay sealed: they may be counted, and must not be sent (T-10).
 */
export function sealOutbox(
  store: ChannelStore,
  sealKey: Uint8Array,
  locked: () => boolean = () => false,
): ChannelStore {
  const key = hkdf(sha256, sealKey, undefined, utf8ToBytes('pfar:tunnel-outbox'), KEY_BYTES)
  return {
    ...store,
    putOut: (seq, body) =>
      store.putOut(
        seq,
        mapContent(body, (content) => seal(key, seq, content)),
      ),
    out: (after, most) =>
      locked()
        ? store.out(after, most)
        : store
            .out(after, most)
            .map(({ seq, body }) => ({ seq, body: mapContent(body, (content) => open(key, seq, content)) })),
  }
}

/** Calls and memories leave the edge; everything of these but this is ids, names and labels. */
function mapContent(body: Body, map: (content: Json) => Json): Body {
  switch (body.type) {
    case 'home_call':
      return { ...body, call: { ...body.call, args: map(body.call.args) } }
    case 'memory':
      return { ...body, memory: { ...body.memory, content: map(body.memory.content) } }
    default:
      return body
  }
}

function seal(key: Uint8Array, seq: number, content: Json): Json {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = xchacha20poly1305(key, nonce, utf8ToBytes(String(seq))).encrypt(
    utf8ToBytes(JSON.stringify(content)),
  )
  return bytesToHex(concatBytes(nonce, sealed))
}

function open(key: Uint8Array, seq: number, sealed: Json): Json {
  if (typeof sealed !== 'string') throw new TypeError('an outbox row is not sealed')
  const bytes = hexToBytes(sealed)
  const cipher = xchacha20poly1305(key, bytes.subarray(0, NONCE_BYTES), utf8ToBytes(String(seq)))
  return JSON.parse(bytesToUtf8(cipher.decrypt(bytes.subarray(NONCE_BYTES)))) as Json
}
