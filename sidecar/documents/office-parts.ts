/**
 * The parts of an office document by their names: a ZIP file of XML (ISO/IEC 29500-2, OASIS OpenDocument 1.3 part 2). Bounds what unpacks, whatever the
 * file says of itself. Must not write a file. Called by office-text.ts, in the process of document-child.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { bytesOf, entriesOf, isReadable, type ZipEntry, type ZipSource } from '../health/zip-entry.ts'
import { OFFICE_TEXT } from './text-lines.ts'
import { readXmlEvents } from './xml-events.ts'

/** Stops archives that unpack without end: entries of a directory, and bytes of one part and of all that are read. */
export const OFFICE_BOUNDS = Object.freeze({ entries: 10_000, part: 33_554_432, all: 67_108_864 })

export interface OfficeText {
  readonly kind: 'document' | 'spreadsheet' | 'presentation'
  readonly text: string
  readonly title?: string
  /** Of a presentation: its slides. */
  readonly pages?: number
}

export interface OfficeParts {
  /** In the order of the directory. */
  readonly names: readonly string[]
  /** Text of a part, in UTF-8 or in UTF-16 with its mark; empty where there is none of that name. Throws for a part that is damaged or too large. */
  text(name: string): Promise<string>
}

/**
 * How a compound file begins, in which a document with a password is wrapped, and the name of its stream for it ([MS-CFB] 2.2,
 * [MS-OFFCRYPTO] 2.3.4.4).
 */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

/** Refusals: field_malformed for what is no archive; key_unavailable for an encrypted one. */
export async function officeParts(bytes: Uint8Array): Promise<Result<OfficeParts>> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (whole.subarray(0, COMPOUND.length).equals(COMPOUND))
    return err(whole.includes(ENCRYPTED) ? 'key_unavailable' : 'field_malformed')
  const source = sourceOf(whole)
  const entries = await entriesOf(source)
  if (!entries.ok || entries.value.length > OFFICE_BOUNDS.entries) return err('field_malformed')
  if (entries.value.some(({ encrypted }) => encrypted)) return err('key_unavailable')
  const byName = new Map<string, ZipEntry>()
  for (const entry of entries.value) if (!byName.has(keyOf(entry.name))) byName.set(keyOf(entry.name), entry)
  let left: number = OFFICE_BOUNDS.all
  return ok({
    names: [...byName.values()].map(({ name }) => name),
    async text(name) {
      const entry = byName.get(keyOf(name))
      if (entry === undefined) return ''
      left -= entry.size
      if (!isReadable(entry, bytes.length) || entry.size > OFFICE_BOUNDS.part || left < 0)
        throw new Error('too much to unpack')
      const pieces: Buffer[] = []
      for await (const piece of bytesOf(source, entry)) pieces.push(piece)
      return decoded(Buffer.concat(pieces))
    },
  })
}

/** Names of parts are the same in capitals (ISO/IEC 29500-2, 6.2.2); some programs write the steps of Windows. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').toLowerCase()
}

function sourceOf(bytes: Buffer): ZipSource {
  return {
    stat: async () => ({ size: bytes.length }),
    read: async (buffer, offset, length, at) => ({
      bytesRead: bytes.copy(buffer, offset, at, at + length),
    }),
  }
}

function decoded(bytes: Buffer): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  return new TextDecoder(wide ?? 'utf-8').decode(bytes)
}

/** The text of the first element of this name. */
export function elementText(xml: string, wanted: string): string {
  const at = { inside: false, done: false }
  let text = ''
  readXmlEvents(
    xml,
    {
      open: (name) => {
        if (name === wanted) at.inside = true
      },
      close: (name) => {
        if (name === wanted && at.inside) at.done = true
      },
      text: (piece) => {
        if (at.inside) text += piece
      },
    },
    () => at.done || text.length > OFFICE_TEXT.title,
  )
  return text
}

/** Parts that a part names, by the ids that it uses. What leads out of the document is left out. `type`: those that it names as such alone. */
export async function relationsOf(
  parts: OfficeParts,
  part: string,
  type = /^/,
): Promise<ReadonlyMap<string, string>> {
  const cut = part.lastIndexOf('/') + 1
  const [folder, name] = [part.slice(0, cut), part.slice(cut)]
  const found = new Map<string, string>()
  readXmlEvents(await parts.text(`${folder}_rels/${name}.rels`), {
    open(tag, of) {
      if (tag !== 'Relationship' || of('TargetMode') === 'External' || !type.test(of('Type'))) return
      found.set(of('Id'), resolvedPath(folder, of('Target')))
    },
  })
  return found
}

/** The part that the document as a whole names as its own; null where it names none. */
export async function mainRelation(parts: OfficeParts): Promise<string | null> {
  const [main = null] = (await relationsOf(parts, '', /\/officeDocument$/)).values()
  return main
}

function resolvedPath(folder: string, target: string): string {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter((step) => step !== '')
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}
