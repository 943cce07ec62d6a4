/** Opens the box of an owner message for home, as a scripted home (DESIGN §1). For the worker tests. */
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import {
  QUEUE_PURPOSE,
  type QueuedMessage,
  queuedBound,
  unpackMessage,
} from '../../kernel/tunnel/queued-message.ts'

const SECRET = new Uint8Array(32).fill(9)
const { publicKey } = await keyFrom(SECRET)

/** The scripted home's public key, as it syncs it. */
export const KEPT_KEY = {
  type: 'seal_key',
  key: publicKey.toBase64({ alphabet: 'base64url', omitPadding: true }),
} as const

/** Content of the box. Refusals: record_unreadable, frame_malformed. */
export async function openKept({ box, ...bare }: QueuedMessage, purpose = QUEUE_PURPOSE) {
  if (box === null) throw new Error('it is empty')
  const bytes = Uint8Array.fromBase64(box, { alphabet: 'base64url' })
  const plain = await openClosedBox(SECRET, { purpose, bound: queuedBound(bare) }, bytes)
  return plain.ok ? unpackMessage(bare.id, plain.value) : plain
}
