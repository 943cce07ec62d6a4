/**
 * Finds entries of a ZIP file and inflates them piece by piece. Reads the directory at the end and the
 * requested entries; must not write or unpack a file. Called by export-file.ts and office-parts.ts. Format:
 * PKWARE APPNOTE 6.3, with its 64-bit fields.
 */
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const END = 0x06054b50
const END_64_LOCATOR = 0x07064b50
const END_64 = 0x06064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** Bytes of the end record with the longest possible comment. */
const TAIL = 22 + 65_535
/** Maximum bytes of the directory: an export with ten thousand workout routes has 2 MB. */
const MOST_DIRECTORY = 33_554_432
const FULL = 0xffffffff
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
const PIECE = 1_048_576

/** An open file, or bytes in memory. */
export interface ZipSource {
  stat(): Promise<{ readonly size: number }>
  read(buffer: Buffer, offset: number, length: number, at: number): Promise<{ readonly bytesRead: number }>
}

export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/**
 * The largest entry that `isWanted` accepts. Refusals: health_malformed for a file that is no ZIP;
 * nothing_found.
 */
export async function findEntry(
  handle: ZipSource,
  isWanted: (name: string) => boolean,
): Promise<Result<ZipEntry>> {
  const entries = await entriesOf(handle)
  if (!entries.ok) return entries
  const [best] = entries.value.filter(({ name }) => isWanted(name)).sort((a, b) => b.size - a.size)
  if (best === undefined) return err('nothing_found')
  const { size } = await handle.stat()
  return isReadable(best, size) ? ok(best) : err('health_malformed')
}

/** All entries of the directory. Refusal: health_malformed for a file that is no ZIP. */
export async function entriesOf(handle: ZipSource): Promise<Result<readonly ZipEntry[]>> {
  const directory = await directoryOf(handle, (await handle.stat()).size)
  if (!directory.ok) return directory
  const entries = entriesIn(directory.value)
  return entries === null ? err('health_malformed') : ok(entries)
}

/** Whether the entry lies within the file and uses a supported compression method. */
export function isReadable({ encrypted, method, at, packed }: ZipEntry, size: number): boolean {
  return !encrypted && [STORED, DEFLATED].includes(method) && at + packed <= size
}

async function directoryOf(handle: ZipSource, size: number): Promise<Result<Buffer>> {
  const from = Math.max(0, size - TAIL)
  const tail = await readAt(handle, from, size - from)
  const end = tail === null ? -1 : tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (tail === null || end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END)
    return err('health_malformed')
  let length = tail.readUInt32LE(end + 12)
  let at = tail.readUInt32LE(end + 16)
  if (length === FULL || at === FULL) {
    const wide = await wideEnd(handle, tail.subarray(Math.max(0, end - 20), end))
    if (wide === null) return err('health_malformed')
    ;({ length, at } = wide)
  }
  const bytes = length <= MOST_DIRECTORY && at + length <= size ? await readAt(handle, at, length) : null
  return bytes === null ? err('health_malformed') : ok(bytes)
}

async function wideEnd(
  handle: ZipSource,
  locator: Buffer,
): Promise<{ readonly length: number; readonly at: number } | null> {
  if (locator.length < 20 || locator.readUInt32LE(0) !== END_64_LOCATOR) return null
  const record = await readAt(handle, numberAt(locator, 8), 56)
  if (record === null || record.readUInt32LE(0) !== END_64) return null
  return { length: numberAt(record, 40), at: numberAt(record, 48) }
}

/** Null if the records do not follow each other as declared. */
function entriesIn(directory: Buffer): readonly ZipEntry[] | null {
  const entries: ZipEntry[] = []
  let at = 0
  while (at + 46 <= directory.length) {
    if (directory.readUInt32LE(at) !== ENTRY) return null
    const [names, extras, comments] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
    const next = at + 46 + (names ?? 0) + (extras ?? 0) + (comments ?? 0)
    if (next > directory.length) return null
    const nameEnd = at + 46 + (names ?? 0)
    const narrow = { size: 24, packed: 20, at: 42 } as const
    const wide = wideFields(directory.subarray(nameEnd, nameEnd + (extras ?? 0)))
    const field = (name: keyof typeof narrow): number => {
      const value = directory.readUInt32LE(at + narrow[name])
      return value === FULL ? (wide.shift() ?? Number.NaN) : value
    }
    const [size, packed, start] = [field('size'), field('packed'), field('at')]
    if (![size, packed, start].every(Number.isSafeInteger)) return null
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      encrypted: (directory.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      crc: directory.readUInt32LE(at + 16),
      ...{ size, packed, at: start },
    })
    at = next
  }
  return entries
}

/** 64-bit values of the extra field 1, in this order: size, compressed size, position. */
function wideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length)
      return Array.from({ length: Math.floor(field.length / 8) }, (_, index) => numberAt(field, index * 8))
    }
    at += 4 + length
  }
  return []
}

/** NaN above the largest safe integer. */
function numberAt(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.NaN
}

/** Inflated bytes of the entry. Throws if they differ from the directory in length or checksum. */
export async function* bytesOf(handle: ZipSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const head = await readAt(handle, entry.at, 30)
  if (head === null || head.readUInt32LE(0) !== LOCAL) throw new Error('no entry there')
  const from = entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = piecesOf(handle, from, entry.packed)
  let sum = 0
  let length = 0
  for await (const piece of entry.method === STORED ? packed : inflated(packed)) {
    sum = crc32(piece, sum)
    length += piece.length
    // Stops an entry that declares a small size and inflates without end.
    if (length > entry.size) throw new Error('longer than declared')
    yield piece
  }
  if (length !== entry.size || sum !== entry.crc) throw new Error('damaged')
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE })
  // An error of the inflater ends the reading below, which reports it.
  pipeline(packed, inflate).catch(() => undefined)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } finally {
    inflate.destroy()
  }
}

/** A part of a file. Shorter at the end of the file. */
export async function* piecesOf(handle: ZipSource, from: number, length: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE, length - at), from + at)
    if (bytesRead === 0) return
    at += bytesRead
    yield Buffer.from(buffer.subarray(0, bytesRead))
  }
}

async function readAt(handle: ZipSource, at: number, length: number): Promise<Buffer | null> {
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(length) || at < 0 || length < 0) return null
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, at)
  return bytesRead === length ? bytes : null
}
