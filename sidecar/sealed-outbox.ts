/**
 * Home's outbox with what tools answered lying sealed: everything that is stored is (DESIGN §6). Synchronous, since
 * an answer, its number and its marker are one transaction. Must not change the numbering. Called by powers.ts.
 */
import { canonicalJson, type Json } from '../kernel/flow/json.ts'
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { Body } from '../kernel/tunnel/frame.ts'
import { NONCE_BYTES, openBox, type Random, sealBox } from '../kernel/vault/cipher.ts'

export interface OutboxKey {
  /** 32 bytes, for the outbox alone. */
  readonly key: Uint8Array
  readonly random: Random
}

/** Reading throws on a row that was altered or moved: the tunnel then stops, because its order cannot be kept. */
export function sealOutbox(store: ChannelStore, { key, random }: OutboxKey): ChannelStore {
  const bound = (seq: number) => new TextEncoder().encode(`out/${seq}`)

  const seal = (seq: number, output: Json): Json => {
    const plain = new TextEncoder().encode(canonicalJson(output))
    return Buffer.from(sealBox(key, { nonce: random(NONCE_BYTES), bound: bound(seq) }, plain)).toString(
      'base64',
    )
  }
  const open = (seq: number, sealed: Json): Json => {
    const plain = openBox(key, bound(seq), new Uint8Array(Buffer.from(String(sealed), 'base64')))
    if (plain === null) throw new Error(`outbox row ${seq} does not open`)
    return JSON.parse(new TextDecoder().decode(plain)) as Json
  }
  return {
    ...store,
    putOut: (seq, body) =>
      store.putOut(
        seq,
        withOutput(body, (output) => seal(seq, output)),
      ),
    out: (after, most) =>
      store
        .out(after, most)
        .map(({ seq, body }) => ({ seq, body: withOutput(body, (output) => open(seq, output)) })),
  }
}

/** Only the output of an answer is data; the rest is ids, names and labels. */
function withOutput(body: Body, change: (output: Json) => Json): Body {
  if (body.type !== 'home_answer' || !body.answer.ok) return body
  return { ...body, answer: { ...body.answer, output: change(body.answer.output) } }
}
