/**
 * Ephemeral frames by which the edge asks home to read a file of the owner's, and the resulting text (B-27, H-15). If a reading
 * is cut off, the sender of the file asks again. Data and limits; both ends validate on arrival. Must not trust the stated
 * kind: the reader inspects the bytes. Called by body.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'

/** Kinds that home may be asked to read. A closed list: adding one changes the protocol. */
const ASKED_KINDS = ['pdf', 'sound'] as const
export type AskedKind = (typeof ASKED_KINDS)[number]

export interface FileAsk {
  readonly id: string
  /** The edge's number of the connection. On another connection the request is ignored. */
  readonly epoch: number
  /** Kind that the edge detected. */
  readonly kind: AskedKind
  /** Base64. */
  readonly bytes: string
}

export type FileTold = { readonly id: string; readonly epoch: number } & (
  | { readonly ok: true; readonly text: string; readonly pages?: number }
  | { readonly ok: false; readonly reason: string }
)

/** Maximum bytes of such a file: as base64, with its metadata, it fits one frame (`MAX_FRAME_BYTES`). */
export const MOST_CARRIED = 768_000
/** The same limit in base64 characters (four for three bytes). */
const MOST_BASE64 = 1_024_000
/** Maximum UTF-16 units of text that are accepted. No writer is shown more from all files together. */
export const MOST_READ = 20_000
/** Maximum page count that a PDF may report. It is only displayed. */
const MOST_PAGES = 1_000_000

const count = z.int().check(z.nonnegative())

export const fileAskSchema = (name: z.ZodMiniType<string>) =>
  z.strictObject({
    ...{ id: name, epoch: count, kind: z.enum(ASKED_KINDS) },
    bytes: z.string().check(z.minLength(1), z.maxLength(MOST_BASE64), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  })

export const fileToldSchema = (name: z.ZodMiniType<string>) =>
  z.discriminatedUnion('ok', [
    z.strictObject({
      ...{ id: name, epoch: count, ok: z.literal(true) },
      text: z.string().check(z.maxLength(MOST_READ)),
      pages: z.exactOptional(count.check(z.maximum(MOST_PAGES))),
    }),
    z.strictObject({ id: name, epoch: count, ok: z.literal(false), reason: name }),
  ])
