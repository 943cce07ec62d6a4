/**
 * Loaded before home in an evaluation: random bytes are a counted sequence, so that the same request makes the same prompt, byte for
 * byte, and a recorded answer keeps fitting. Must never be loaded by anything that holds real data.
 */
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** One sequence for each length: what runs beside the request, such as a job, draws others. */
const drawn = new Map<number, number>()

function steadyBytes(length: number): Buffer {
  const count = (drawn.get(length) ?? 0) + 1
  drawn.set(length, count)
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${length} ${count} ${block}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

Object.assign(crypto, { randomBytes: steadyBytes })
syncBuiltinESMExports()
