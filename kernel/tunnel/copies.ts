/**
 * Copies of home at the edge (DESIGN §6, T-12): what is said over HTTP about chunks and generations, and how much of
 * both there may be. The edge sees ciphertext, names that only home can make, sizes and dates. Pure; must not open or
 * seal anything. Called by the Worker's routes and by home's copy job.
 */
import * as z from 'zod/mini'

/** Bytes of plaintext in a chunk, but the last of a file: far below a D1 row's 2 MB and a request's limit. */
export const CHUNK_BYTES = 65_536
/** Bytes of a sealed chunk: nonce and tag on top. */
export const MAX_SEALED_BYTES = CHUNK_BYTES + 40
/** Chunks of one generation: 200 MiB. Two of them fit into a free D1 database of 500 MB; a larger home is told. */
export const MAX_CHUNKS = 3_200
/** Chunks that lie at the edge at once: room for the newest generation and one on its way that shares nothing with it. */
export const MAX_KEPT_CHUNKS = 2 * MAX_CHUNKS
/** Whole generations that are kept: one that cannot be used must not be the only one. */
export const MAX_GENERATIONS = 3
/** Base64url characters of a sealed manifest: a page. */
const MAX_MANIFEST = 32_768

/** Who signs with the recovery key: no device has this name. */
export const RECOVERY_ID = 'recovery'

/** HMAC of the plaintext under a key of home's, hex: equal chunks are sent once, and the name tells nothing else. */
const chunkName = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const count = z.int().check(z.nonnegative())
const manifest = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(MAX_MANIFEST))

/** Names of chunks; one may stand several times. */
export const chunkListSchema = z.array(chunkName).check(z.maxLength(MAX_CHUNKS))

export const announcementSchema = z.strictObject({ chunks: chunkListSchema })
/** Those of an announcement that the edge does not hold yet. */
export const missingSchema = z.strictObject({ missing: chunkListSchema })

/** What makes a set of chunks a generation; sent last. */
export const generationSchema = z.strictObject({
  /** One more than the newest that the edge held. */
  number: z.int().check(z.positive()),
  /** When the copy began, by home's clock (epoch milliseconds). */
  at: count,
  /** In the order in which they are put together again. */
  chunks: chunkListSchema,
  /** Sealed; base64url. */
  manifest,
  /** Ed25519 public key whose signature may read these copies and enrol a new home; base64url. */
  recoveryKey: key,
})
export type CopyGeneration = z.output<typeof generationSchema>

/** What of a generation is told without its contents. */
const summarySchema = z.strictObject({ number: count, at: count, chunks: count })
export type CopySummary = z.output<typeof summarySchema>

/** Newest first. */
export const shelfSchema = z.strictObject({
  generations: z.array(summarySchema).check(z.maxLength(MAX_GENERATIONS)),
  recoveryKey: z.nullable(key),
})
export type CopyShelfState = z.output<typeof shelfSchema>

/** A new home asks to be enrolled, with the recovery key's signature. */
export const newHomeSchema = z.strictObject({ publicKey: key })
/** `newest`: the newest generation now that no former home can add one; `revoked`: the former home. */
export const enrolledSchema = z.strictObject({
  device: z.string(),
  revoked: z.nullable(z.string()),
  newest: count,
})

export function isChunkName(text: string): boolean {
  return z.safeParse(chunkName, text).success
}
