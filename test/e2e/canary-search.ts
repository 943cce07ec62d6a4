/**
 * Looks for values in bytes, in every form in which a program could have written them: as they are, as UTF-16, base64 in
 * each of its alignments, hex, URL- and JSON-escaped. What is looked for are short windows of a value, so that it is
 * found too where only a piece of it lies in one row, page or frame. Must not know what the bytes are of. Called by the
 * canary test.
 */
import { randomBytes } from 'node:crypto'

/** Bytes of a window: a value that was cut into pieces of twice this, less one, is still found in each of them. */
export const WINDOW = 8
/** Windows of a value that `canaryText` makes. */
const WINDOWS = 4
/** Lower-case, so that what lowers or cleans text keeps them. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

export interface Canary {
  readonly name: string
  readonly value: Uint8Array
}

export interface Hit {
  readonly canary: string
  readonly form: string
}

/** 160 random bits as letters that no address, title or sentence minds. */
export function canaryText(): string {
  return [...randomBytes(WINDOW * WINDOWS)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

export function canaryOf(name: string, value: string | Uint8Array): Canary {
  return { name, value: typeof value === 'string' ? new TextEncoder().encode(value) : value }
}

export type Searcher = (bytes: Uint8Array) => readonly Hit[]

interface Needle {
  readonly bytes: Buffer
  readonly hit: Hit
}

/** All of the canaries at once: one pass over what is searched, whatever their number. */
export function createSearcher(canaries: readonly Canary[]): Searcher {
  const byStart = new Map<number, Needle[]>()
  for (const needle of canaries.flatMap(needlesOf)) {
    const start = needle.bytes.readInt32BE(0)
    byStart.set(start, [...(byStart.get(start) ?? []), needle])
  }
  return (input) => {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
    const hits = new Map<string, Hit>()
    let start = 0
    for (let at = 0; at < bytes.length; at += 1) {
      start = (start << 8) | (bytes[at] ?? 0)
      if (at < 3) continue
      for (const { bytes: wanted, hit } of byStart.get(start) ?? [])
        if (
          bytes.compare(wanted, 0, wanted.length, at - 3, Math.min(at - 3 + wanted.length, bytes.length)) ===
          0
        )
          hits.set(`${hit.canary} ${hit.form}`, hit)
    }
    return [...hits.values()]
  }
}

function needlesOf({ name, value }: Canary): readonly Needle[] {
  if (value.length < WINDOW) throw new RangeError(`${name} is too short to be looked for`)
  const windows = Array.from({ length: Math.floor(value.length / WINDOW) }, (_, n) =>
    Buffer.from(value.subarray(n * WINDOW, (n + 1) * WINDOW)),
  )
  return windows.flatMap((window) =>
    Object.entries(formsOf(window)).map(([form, bytes]) => ({
      bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'),
      hit: { canary: name, form },
    })),
  )
}

function formsOf(window: Buffer): Readonly<Record<string, Buffer | string>> {
  const hex = window.toString('hex')
  const each = (prefix: string, of: string): string => of.replace(/../g, (pair) => prefix + pair)
  return {
    raw: window,
    'upper case': Buffer.from(window.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte))),
    'UTF-16LE': Buffer.from([...window].flatMap((byte) => [byte, 0])),
    'UTF-16BE': Buffer.from([...window].flatMap((byte) => [0, byte])),
    ...Object.fromEntries(
      [0, 1, 2].flatMap((offset) => [
        [`base64 +${offset}`, base64At(window, offset)],
        [`base64url +${offset}`, base64At(window, offset).replaceAll('+', '-').replaceAll('/', '_')],
      ]),
    ),
    hex,
    'hex, upper case': hex.toUpperCase(),
    'URL-encoded': encoded(window),
    'URL-encoded, every byte': each('%', hex),
    'URL-encoded, every byte, upper case': each('%', hex.toUpperCase()),
    'JSON-escaped': JSON.stringify(window.toString('latin1')).slice(1, -1),
    'JSON-escaped, every letter': each('\\u00', hex),
  }
}

/** The letters that these bytes alone decide, where `offset` bytes of something else stand before them in their group. */
function base64At(window: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), window]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + window.length) * 8) / 6))
}

/** As `encodeURIComponent` does, byte by byte, so that a window may begin inside a character. */
function encoded(window: Buffer): string {
  return [...window]
    .map((byte) => {
      const plain = /[\w.!~*'()-]/.test(String.fromCharCode(byte)) && byte < 0x80
      return plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
