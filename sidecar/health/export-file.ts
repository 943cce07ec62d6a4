/**
 * Reads a health export from a file in pieces, so that its size does not matter: Apple's export.zip, or the
 * export.xml in it. Must not write, or keep a sample. Its input is hostile, so it runs only in the confined
 * process of export-child.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type AppleExport, createAppleReader } from './apple-export.ts'
import { bytesOf, findEntry, piecesOf, type ZipSource } from './zip-entry.ts'

/** `PK\3\4` */
const ZIP = Buffer.from([0x50, 0x4b, 3, 4])
/**
 * Path of the XML in the archive. Its name is in the phone's language; export_cda.xml has the same data for
 * hospitals.
 */
const EXPORT = /^(?:[^/]{1,100}\/)?(?!export_cda)[^/]{1,100}\.xml$/i
/** Maximum bytes of XML: thirty years of several devices. Stops an endless archive. */
const MOST_XML = 32 * 1024 ** 3

export interface ReadOptions {
  /** Epoch milliseconds. */
  readonly now: number
  /** Bytes of the XML that were read, and their total. */
  readonly progress: (read: number, of: number) => void
}

/**
 * Refusals: health_malformed for a file that is no export or is damaged; nothing_found for an archive without
 * an export.
 */
export async function readHealthExport(
  source: ZipSource,
  options: ReadOptions,
): Promise<Result<AppleExport>> {
  try {
    const bytes = await xmlIn(source)
    return bytes.ok ? await readAll(bytes.value, options) : bytes
  } catch {
    return err('health_malformed')
  }
}

interface Xml {
  readonly pieces: AsyncIterable<Uint8Array>
  readonly size: number
}

async function xmlIn(source: ZipSource): Promise<Result<Xml>> {
  const { size } = await source.stat()
  const head = Buffer.alloc(ZIP.length)
  await source.read(head, 0, head.length, 0)
  if (!head.equals(ZIP)) return ok({ pieces: piecesOf(source, 0, size), size })
  const entry = await findEntry(source, (name) => EXPORT.test(name))
  return entry.ok ? ok({ pieces: bytesOf(source, entry.value), size: entry.value.size }) : entry
}

async function readAll({ pieces, size }: Xml, { now, progress }: ReadOptions): Promise<Result<AppleExport>> {
  if (size > MOST_XML) return err('health_malformed')
  const decoder = new TextDecoder('utf-8')
  const reader = createAppleReader(now)
  let read = 0
  for await (const piece of pieces) {
    const pushed = reader.push(decoder.decode(piece, { stream: true }))
    if (!pushed.ok) return pushed
    read += piece.length
    progress(read, size)
  }
  const last = reader.push(decoder.decode())
  return last.ok ? reader.end() : last
}
