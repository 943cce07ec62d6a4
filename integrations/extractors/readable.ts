/**
 * Text, title, pages and events of a file. Its bytes decide its kind; its name only distinguishes web pages
 * from plain text. A file that is no text is reported as such (J-12, J-13). Called by the tools of files and
 * mail.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type DocumentReader, type DocumentText, formatOf } from './document.ts'
import type { HtmlText } from './page.ts'

/** What home hands in: readers of what is not plain text. */
export interface FileReading {
  /**
   * In a process of its own. Refusals: sandbox_missing; any other means that there is no text that can be
   * read.
   */
  readonly document: DocumentReader
  readonly htmlText: HtmlText
}

/** `kind`: absent for what is text itself. */
export type Readable = Pick<DocumentText, 'text' | 'title' | 'pages' | 'events'> & {
  readonly kind?: DocumentText['kind']
}

const PAGE = /\.(?:html?|xhtml)$/i

/** Refusals: file_not_text, sandbox_missing. */
export async function readBytes(
  bytes: Uint8Array,
  name: string,
  { document, htmlText }: FileReading,
): Promise<Result<Readable>> {
  if (formatOf(bytes) !== null) {
    const read = await document(bytes)
    if (read.ok) return ok({ ...read.value, text: shown(read.value.text) })
    return read.reason.code === 'sandbox_missing' ? read : err('file_not_text')
  }
  const text = plainText(bytes)
  if (text === null || /^\s*\{\\rtf/.test(text)) return err('file_not_text')
  if (!PAGE.test(name)) return ok({ text })
  try {
    return ok({ text: shown(await htmlText(text)).trim() })
  } catch {
    return err('file_not_text')
  }
}

/** Of a file that is text itself, without invisible characters; null for any other. */
export function plainText(bytes: Uint8Array): string | null {
  const text = decoded(bytes)
  return text === null ? null : shown(text)
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

/**
 * The text of a file that may be written: UTF-8 alone, since anything else would be mixed. Null for any
 * other.
 */
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
