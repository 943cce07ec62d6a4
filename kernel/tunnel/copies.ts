/**
 * HTTP messages and limits for encrypted copies of home at the edge, in chunks and generations (DESIGN §6, T-12). The edge sees
 * ciphertext, chunk names that only home can compute, sizes and dates. Pure; must not open or seal anything. Called by the
 * Worker's routes and by home's copy job.
 */
import * as z from 'zod/mini'

/** Plaintext bytes of a chunk, except the last of a file. Well below the 2 MB of a D1 row and the limit of a request. */
export const CHUNK_BYTES = 65_536
/** Maximum bytes of a sealed chunk, with nonce and tag. */
export const MAX_SEALED_BYTES = CHUNK_BYTES + 40
/**
 * Maximum chunks of one generation: 200 MiB. Two generations fit into a free D1 database of 500 MB. A larger home gets an
 * error.
 */
export const MAX_CHUNKS = 3_200
/** Maximum chunks stored at the edge: the newest generation, and one being uploaded that shares no chunk with it. */
export const MAX_STORED_CHUNKS = 2 * MAX_CHUNKS
/** Complete generations that are stored: more than one, in case the newest is unusable. */
export const MAX_GENERATIONS = 3
/** Maximum length of a sealed manifest, base64url characters. */
const MAX_MANIFEST = 32_768

/** Signer id of the recovery key. No device has this name. */
export const RECOVERY_ID = 'recovery'

/** HMAC of the plaintext under a key of home's, hex. Equal chunks are uploaded once; the name reveals nothing else. */
const chunkName = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const count = z.int().check(z.nonnegative())
const manifest = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(MAX_MANIFEST))

/** Chunk names; a name may occur several times. */
export const chunkListSchema = z.array(chunkName).check(z.maxLength(MAX_CHUNKS))

export const announcementSchema = z.strictObject({ chunks: chunkListSchema })
/** The announced chunks that the edge does not have yet. */
export const missingSchema = z.strictObject({ missing: chunkListSchema })

/** Turns uploaded chunks into a generation. Sent last. */
export const generationSchema = z.strictObject({
  /** One more than the newest generation that the edge had. */
  number: z.int().check(z.positive()),
  /** When the copy began, by home's clock (epoch milliseconds). */
  at: count,
  /** In the order in which they are reassembled. */
  chunks: chunkListSchema,
  /** Sealed; base64url. */
  manifest,
  /** Ed25519 public key, base64url. Its signature may read these copies and enrol a new home. */
  recoveryKey: key,
})
export type CopyGeneration = z.output<typeof generationSchema>

/** Summary of a generation, without its contents. */
const summarySchema = z.strictObject({ number: count, at: count, chunks: count })
export type CopySummary = z.output<typeof summarySchema>

/** Newest first. */
export const archiveSchema = z.strictObject({
  generations: z.array(summarySchema).check(z.maxLength(MAX_GENERATIONS)),
  recoveryKey: z.nullable(key),
})
export type CopyArchiveState = z.output<typeof archiveSchema>

/** Request of a new home to be enrolled, signed with the recovery key. */
export const newHomeSchema = z.strictObject({ publicKey: key })
/** `newest`: the newest generation, now that no former home can add one. `revoked`: device id of the former home. */
export const enrolledSchema = z.strictObject({
  device: z.string(),
  revoked: z.nullable(z.string()),
  newest: count,
})

export function isChunkName(text: string): boolean {
  return z.safeParse(chunkName, text).success
}
