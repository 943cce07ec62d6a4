/**
 * Wraps home's channel store so that tool outputs and received pieces are stored sealed (DESIGN §6). Synchronous,
 * because an answer, its number and its marker are one transaction. Must not change the numbering. Called by
 * edge-connection.ts.
 */
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import type { Carried } from '../../kernel/tunnel/frame.ts'
import { NONCE_BYTES, openBox, type Random, sealBox } from '../../kernel/vault/cipher.ts'

export interface OutboxKey {
  /** 32 bytes, for the outbox only. */
  readonly key: Uint8Array
  readonly random: Random
}

/** Reading throws if a row was altered or moved. The tunnel then stops, because it can no longer keep its order. */
export function sealOutbox(store: ChannelStore, { key, random }: OutboxKey): ChannelStore {
  const seal = (address: string, output: Json): string => {
    const plain = new TextEncoder().encode(canonicalJson(output))
    const bound = new TextEncoder().encode(address)
    return Buffer.from(sealBox(key, { nonce: random(NONCE_BYTES), bound }, plain)).toString('base64')
  }
  const open = (address: string, sealed: Json): Json => {
    const bytes = new Uint8Array(Buffer.from(String(sealed), 'base64'))
    const plain = openBox(key, new TextEncoder().encode(address), bytes)
    if (plain === null) throw new Error(`tunnel row ${address} does not open`)
    return JSON.parse(new TextDecoder().decode(plain)) as Json
  }
  return {
    ...store,
    putOut: (rows) =>
      store.putOut(
        rows.map((row) => ({
          ...row,
          body: withOutput(row.body, (output) => seal(`out/${row.seq}`, output)),
        })),
      ),
    out: (after, most) =>
      store
        .out(after, most)
        .map(({ seq, body }) => ({ seq, body: withOutput(body, (output) => open(`out/${seq}`, output)) })),
    putPiece: (piece, text) => store.putPiece(piece, seal(`in/${piece.seq}`, text)),
    texts: (first, last) => store.texts(first, last).map((text, n) => String(open(`in/${first + n}`, text))),
  }
}

/** Seals tool outputs, and pieces, which may be parts of one. Everything else is ids, names and labels. */
function withOutput(body: Carried, change: (output: Json) => Json): Carried {
  if (body.type === 'piece') return { ...body, text: String(change(body.text)) }
  if (body.type !== 'home_answer' || !body.answer.ok) return body
  return { ...body, answer: { ...body.answer, output: change(body.answer.output) } }
}
