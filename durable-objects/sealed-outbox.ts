/**
 * A channel store that seals bodies at rest (B-13), queued ones and received pieces: call arguments, turns, messages for home and
 * home's answers contain the owner's words. Synchronous, because a body and its number are one write; so it cannot use WebCrypto.
 * Must not change the numbering. Called by TunnelObject.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToUtf8, concatBytes, hexToBytes, utf8ToBytes } from '@noble/ciphers/utils.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Json } from '../kernel/flow/json.ts'
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { Carried } from '../kernel/tunnel/frame.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 24

/** Rows from versions before pieces: hex has twice the size, and a whole piece would exceed a Durable Object's row limit of 2 MB. */
const HEX = /^[0-9a-f]+$/

/**
 * `sealKey`: 32 bytes, the Worker secret, from which a separate key is derived. Reading throws on altered rows. While `locked`,
 * bodies stay sealed: they can be counted but not sent (T-10); pieces are neither stored nor found.
 */
export function sealOutbox(
  store: ChannelStore,
  sealKey: Uint8Array,
  locked: () => boolean = () => false,
): ChannelStore {
  const { seal, open } = createBox(sealKey, 'pfar:tunnel-outbox')
  return {
    ...store,
    putOut: (rows) =>
      store.putOut(
        rows.map((row) => ({
          ...row,
          body: mapContent(row.body, (content) => seal(String(row.seq), content)),
        })),
      ),
    out: (after, most) =>
      locked()
        ? store.out(after, most)
        : store.out(after, most).map(({ seq, body }) => ({
            seq,
            body: mapContent(body, (content) => open(String(seq), content)),
          })),
    putPiece(piece, text) {
      if (!locked()) store.putPiece(piece, seal(`in:${piece.seq}`, text))
    },
    pieces: () => (locked() ? [] : store.pieces()),
    texts: (first, last) => store.texts(first, last).map((text, n) => String(open(`in:${first + n}`, text))),
  }
}

/** Maps the secret part of a body that leaves the edge; the rest is ids, names and labels. Messages of the owner are in boxes already. */
function mapContent(body: Carried, map: (content: Json) => Json): Carried {
  switch (body.type) {
    case 'home_call':
      return { ...body, call: { ...body.call, args: map(body.call.args) } }
    case 'memory':
      return { ...body, memory: { ...body.memory, content: map(body.memory.content) } }
    case 'link_code':
      return { ...body, said: { ...body.said, code: String(map(body.said.code)) } }
    case 'piece':
      return { ...body, text: String(map(body.text)) }
    default:
      return body
  }
}

/** Synchronous cipher of one place for one purpose. `open` throws on altered input. */
export function createBox(sealKey: Uint8Array, purpose: string) {
  const key = hkdf(sha256, sealKey, undefined, utf8ToBytes(purpose), KEY_BYTES)
  return {
    seal: (bound: string, content: Json): string => seal(key, bound, content),
    open: (bound: string, sealed: Json): Json => open(key, bound, sealed),
  }
}

function seal(key: Uint8Array, bound: string, content: Json): string {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = xchacha20poly1305(key, nonce, utf8ToBytes(bound)).encrypt(
    utf8ToBytes(JSON.stringify(content)),
  )
  return concatBytes(nonce, sealed).toBase64()
}

function open(key: Uint8Array, bound: string, sealed: Json): Json {
  if (typeof sealed !== 'string') throw new TypeError('an outbox row is not sealed')
  const bytes = HEX.test(sealed) ? hexToBytes(sealed) : Uint8Array.fromBase64(sealed)
  const cipher = xchacha20poly1305(key, bytes.subarray(0, NONCE_BYTES), utf8ToBytes(bound))
  return JSON.parse(bytesToUtf8(cipher.decrypt(bytes.subarray(NONCE_BYTES)))) as Json
}
