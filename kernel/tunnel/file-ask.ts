/**
 * A file that the owner sent to the edge's bot, for home to read, and its text, that comes back (B-27, H-15): frames that may be lost and touch
 * no disk, as a reading that is cut off is asked for again by who sent the file. Data and its bounds; both ends check on arrival.
 * Must not say what the bytes are: whoever reads them looks. Called by body.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'

/** What home may be asked to read. A closed list: a kind more is another protocol. */
const ASKED_KINDS = ['pdf', 'sound'] as const
export type AskedKind = (typeof ASKED_KINDS)[number]

export interface FileAsk {
  readonly id: string
  /** The edge's number of the connection that it goes by: on another one it is nobody's. */
  readonly epoch: number
  /** What the edge took it for. */
  readonly kind: AskedKind
  /** Base64. */
  readonly bytes: string
}

export type FileTold = { readonly id: string; readonly epoch: number } & (
  | { readonly ok: true; readonly text: string; readonly pages?: number }
  | { readonly ok: false; readonly reason: string }
)

/** Bytes of such a file: as base64, with what is said of it, they are within one frame (`MAX_FRAME_BYTES`). */
export const MOST_CARRIED = 768_000
/** Characters of them as base64, four for three. */
const MOST_BASE64 = 1_024_000
/** UTF-16 units of a text that are taken: no writer is shown more of all files together. */
export const MOST_READ = 20_000
/** Pages that a PDF may say it has: they are shown as a figure. */
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
