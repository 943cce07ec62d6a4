/**
 * Sealed manifest of one generation of copies: ordered files with sizes and schemas, and the public key of the edge, so
 * that a new home knows which edge to trust. The edge cannot read it. Must not touch files. Called by make-copy.ts and
 * fetch-copy.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CHUNK_BYTES, type CopyGeneration } from '../../kernel/tunnel/copies.ts'
import { isBackedUp } from '../backup/stores.ts'
import { type CopyKeys, manifestPlace } from './copy-keys.ts'

const MAX_FILES = 64

const count = z.int().check(z.nonnegative())
const file = z
  .strictObject({
    name: z.string().check(z.minLength(1), z.maxLength(100)),
    kind: z.enum(['sqlite', 'file']),
    /** Bytes. */
    size: count,
  })
  .check(z.refine(isBackedUp))

const schema = z.strictObject({
  format: z.literal(1),
  /** Version of the program. */
  version: z.string().check(z.maxLength(100)),
  at: count,
  /** Raw Ed25519 public key of the edge, base64url; null if home had not pinned it. */
  edgeKey: z.nullable(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
  /** In the order of the generation's chunks. */
  files: z.array(file).check(z.maxLength(MAX_FILES)),
})

export type CopyManifest = z.output<typeof schema>
export type CopyFile = CopyManifest['files'][number]

/** Number of chunks of a file of this size. */
export function chunksOf(size: number): number {
  return Math.ceil(size / CHUNK_BYTES)
}

export function sealManifest(
  keys: CopyKeys,
  manifest: CopyManifest,
  at: { readonly number: number; readonly chunks: readonly string[] },
): string {
  const plain = Buffer.from(JSON.stringify(manifest))
  return Buffer.from(keys.seal(manifestPlace(at.number, at.chunks), plain)).toString('base64url')
}

/** Refusals: record_unreadable (another master key, or altered), record_malformed, version_incompatible. */
export function openManifest(
  keys: CopyKeys,
  { number, chunks, manifest }: Pick<CopyGeneration, 'number' | 'chunks' | 'manifest'>,
): Result<CopyManifest> {
  const opened = keys.open(manifestPlace(number, chunks), Buffer.from(manifest, 'base64url'))
  if (opened === null)
    return problem('record_unreadable', 'it was sealed under another master key, or was altered')
  const document = decode(opened)
  const { data } = z.looseObject({ format: z.int() }).safeParse(document)
  if (data !== undefined && data.format > 1)
    return problem('version_incompatible', 'a newer PFAR wrote it; update PFAR first')
  const parsed = schema.safeParse(document)
  if (!parsed.success) return problem('record_malformed', 'it is damaged')
  const named = parsed.data.files.reduce((sum, { size }) => sum + chunksOf(size), 0)
  return named === chunks.length ? ok(parsed.data) : problem('record_malformed', 'it is damaged')
}

/** Undefined if it is not JSON; the schema refuses that. */
function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function problem(code: 'record_unreadable' | 'record_malformed' | 'version_incompatible', what: string) {
  return err(code, { file: 'the copy at the edge', problem: what })
}
