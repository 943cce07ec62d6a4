/**
 * Turns a listed file into the declared fields, and a long text into pages. Must not read a file. Called by look.ts and write.ts.
 */
import { toInstant } from '../../extractors/page-clean.ts'
import type { ListedFile } from './folder-port.ts'
import type { FILE_KINDS } from './manifest.ts'

type FileKind = (typeof FILE_KINDS)[number]

const KINDS: readonly (readonly [kind: FileKind, endings: RegExp])[] = [
  ['markdown', /\.(?:md|markdown|mdx|org|rst)$/i],
  ['table', /\.(?:csv|tsv)$/i],
  ['page', /\.(?:html?|xhtml)$/i],
  ['pdf', /\.pdf$/i],
  ['document', /\.(?:docx|docm|dotx|odt|ott)$/i],
  ['spreadsheet', /\.(?:xlsx|xlsm|xltx|ods|ots)$/i],
  ['presentation', /\.(?:pptx|pptm|ppsx|odp|otp)$/i],
  ['calendar', /\.(?:ics|ical|ifb)$/i],
  ['text', /\.(?:txt|text|log|json|ya?ml|toml|ini|tex|vcf|xml|srt|sql|sh|py|js|ts|css|adoc)$/i],
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
