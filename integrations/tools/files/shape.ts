/**
 * Converts a listed file to the declared fields, and a long text to pages. Must not read a file. Called by look.ts and write.ts.
 */
import type { DocumentKind } from '../../extractors/document.ts'
import { toInstant } from '../../extractors/page-clean.ts'
import type { ListedFile } from './folder-port.ts'
import type { FILE_KINDS } from './manifest.ts'

type FileKind = (typeof FILE_KINDS)[number]

const KINDS: readonly (readonly [kind: FileKind, endings: RegExp])[] = [
  ['markdown', /\.(?:md|markdown|mdx|org|rst)$/i],
  ['table', /\.(?:csv|tsv)$/i],
  ['page', /\.(?:html?|xhtml)$/i],
  ['pdf', /\.pdf$/i],
  ['text', /\.(?:txt|text|log|json|ya?ml|toml|ini|tex|ics|vcf|xml|srt|sql|sh|py|js|ts|css|adoc)$/i],
]

/** Document formats by their usual extensions. */
const FORMATS: readonly (readonly [format: DocumentKind, endings: RegExp])[] = [
  ['pdf', /\.pdf$/i],
  ['document', /\.(?:docx|docm|dotx|odt|ott)$/i],
  ['spreadsheet', /\.(?:xlsx|xlsm|xltx|ods|ots)$/i],
  ['presentation', /\.(?:pptx|pptm|ppsx|odp|otp)$/i],
  ['calendar', /\.(?:ics|ical|ifb)$/i],
]

/** Null if the name is not that of a document. */
export function documentOf(path: string): DocumentKind | null {
  return FORMATS.find(([, ending]) => ending.test(path))?.[0] ?? null
}

/** Kind by its name, for lists. */
export function kindOf(path: string): FileKind {
  return KINDS.find(([, ending]) => ending.test(path))?.[0] ?? 'other'
}

export function headOf({ path, size, changed }: ListedFile): object {
  const format = documentOf(path)
  return { path, kind: kindOf(path), ...(format !== null && { format }), size, ...changedOf(changed) }
}

export function changedOf(at: number): { readonly changed?: string } {
  const changed = toInstant(at)
  return changed === null ? {} : { changed }
}
