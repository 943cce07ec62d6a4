/**
 * Turns the bytes of a file into text, and a listed file into the declared fields. What a file is, its bytes decide; its name only tells a page from plain
 * text. Must not guess at what is no text. Called by look.ts and write.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { toInstant } from '../../extractors/page-clean.ts'
import type { ListedFile } from './folder-port.ts'
import type { FILE_KINDS } from './manifest.ts'
import type { FileReading } from './reading-port.ts'

type FileKind = (typeof FILE_KINDS)[number]

const KINDS: readonly (readonly [kind: FileKind, endings: RegExp])[] = [
  ['markdown', /\.(?:md|markdown|mdx|org|rst)$/i],
  ['table', /\.(?:csv|tsv)$/i],
  ['page', /\.(?:html?|xhtml)$/i],
  ['pdf', /\.pdf$/i],
  ['text', /\.(?:txt|text|log|json|ya?ml|toml|ini|tex|ics|vcf|xml|srt|sql|sh|py|js|ts|css|adoc)$/i],
]

/** By its name, for lists. */
export function kindOf(path: string): FileKind {
  return KINDS.find(([, ending]) => ending.test(path))?.[0] ?? 'other'
}

export function headOf({ path, size, changed }: ListedFile): object {
  return { path, kind: kindOf(path), size, ...changedOf(changed) }
}

export function changedOf(at: number): { readonly changed?: string } {
  const changed = toInstant(at)
  return changed === null ? {} : { changed }
}

/** `%PDF-` */
const PDF_MARK: readonly number[] = [0x25, 0x50, 0x44, 0x46, 0x2d]

/** Refusals: file_not_text, sandbox_missing. */
export async function textOf(
  bytes: Uint8Array,
  path: string,
  { pdf, htmlText }: FileReading,
): Promise<Result<string>> {
  if (PDF_MARK.every((byte, at) => bytes[at] === byte)) {
    const read = await pdf(bytes)
    if (read.ok) return ok(shown(read.value.text))
    return read.reason.code === 'sandbox_missing' ? read : err('file_not_text')
  }
  const text = decoded(bytes)
  if (text === null || /^\s*\{\\rtf/.test(text)) return err('file_not_text')
  if (kindOf(path) !== 'page') return ok(shown(text))
  try {
    return ok(shown(await htmlText(text)).trim())
  } catch {
    return err('file_not_text')
  }
}

/** What no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/

/** UTF-8, UTF-16 with its mark, or else Windows-1252, as old tables have it. Null for what is no text. */
function decoded(bytes: Uint8Array): string | null {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  for (const encoding of mark === null ? ['utf-8', 'windows-1252'] : [mark]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
      return BINARY.test(text) ? null : text
    } catch {
      // Not in this one.
    }
  }
  return null
}

/** The text of a file that may be written: UTF-8 alone, since anything else would be mixed. Null for any other. */
export function plainUtf8(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return BINARY.test(text) ? null : text
  } catch {
    return null
  }
}

const LINE_BREAKS = /\r\n?|[\u2028\u2029\v\f]/g
/** But line breaks and tabs, which columns need. */
const UNSEEN = /[^\P{C}\n\t]/gu

/** Without control, bidi and invisible characters; lines and columns stay. */
function shown(text: string): string {
  return text.replace(LINE_BREAKS, '\n').replace(UNSEEN, ' ')
}

/** The parts of a text of at most so many units, cut between lines where one ends in its second half. Never empty. */
export function pagesOf(text: string, most: number): readonly string[] {
  const pages: string[] = []
  let rest = text
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most)
    const at = line > most / 2 ? line : withoutHalf(rest, most)
    pages.push(rest.slice(0, at))
    rest = rest.slice(line > most / 2 ? at + 1 : at)
  }
  return [...pages, rest]
}

/** Never inside a surrogate pair. */
export function withoutHalf(text: string, at: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at
}
