/**
 * Home's outbox with what tools answered lying sealed: everything that is stored is (DESIGN §6). Synchronous, since
 * an answer, its number and its marker are one transaction. Must not change the numbering. Called by powers.ts.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { canonicalJson, type Json } from '../kernel/flow/json.ts'
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { Body } from '../kernel/tunnel/frame.ts'
import type { SealerKeys } from './dev-sealer.ts'
import { deriveKey } from './development-key.ts'

const NONCE_BYTES = 24

/** Reading throws on a row that was altered or moved: the tunnel then stops, because its order cannot be kept. */
export function sealOutbox(store: ChannelStore, { master, random }: SealerKeys): ChannelStore {
  const key = deriveKey(master, 'tunnel-outbox')
  const cipher = (seq: number, nonce: Uint8Array) =>
    xchacha20poly1305(key, nonce, new TextEncoder().encode(`out/${seq}`))

  const seal = (seq: number, output: Json): Json => {
    const nonce = random(NONCE_BYTES)
    const sealed = cipher(seq, nonce).encrypt(new TextEncoder().encode(canonicalJson(output)))
    return Buffer.concat([nonce, sealed]).toString('base64')
  }
  const open = (seq: number, sealed: Json): Json => {
    const bytes = new Uint8Array(Buffer.from(String(sealed), 'base64'))
    const plain = cipher(seq, bytes.slice(0, NONCE_BYTES)).decrypt(bytes.slice(NONCE_BYTES))
    return JSON.parse(new TextDecoder().decode(plain)) as Json
  }
  return {
    ...store,
    putOut: (seq, body) =>
      store.putOut(
        seq,
        withOutput(body, (output) => seal(seq, output)),
      ),
    out: (after) =>
      store
        .out(after)
        .map(({ seq, body }) => ({ seq, body: withOutput(body, (output) => open(seq, output)) })),
  }
}

/** Only the output of an answer is data; the rest is ids, names and labels. */
function withOutput(body: Body, change: (output: Json) => Json): Body {
  if (body.type !== 'home_answer' || !body.answer.ok) return body
  return { ...body, answer: { ...body.answer, output: change(body.answer.output) } }
}
