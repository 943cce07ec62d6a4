/** The reads of the files tool. Each starts with a listing, and reads only files of it. Must not write. Called by run.ts. */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { formatOf } from '../../extractors/document.ts'
import { type Meant, meantBy } from '../../extractors/file-name.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { type FileReading, plainText, type Readable, readBytes } from '../../extractors/readable.ts'
import { pagesOf, withoutHalf } from '../../extractors/text-pages.ts'
import { type FolderPort, type ListedFile, type Listing, NEW } from './folder-port.ts'
import { DEFAULT_FILES, FILE_TEXT, MAX_FILES, MAX_GATHERED } from './manifest.ts'
import { filesBelow, newFile } from './names.ts'
import { bestLine, folded, scoreOf, wantedWords } from './rank.ts'
import { changedOf, documentOf, headOf, kindOf } from './shape.ts'

export interface Look extends FileReading {
  readonly folders: FolderPort
  readonly call: ToolCall
}

/** Maximum bytes of a file that is read: a larger one is hardly meant for reading. */
const MOST_BYTES = { text: 2_097_152, document: 10_485_760 } as const
/** Bounds of a search: number of files opened, bytes of each, and bytes in total. */
const SEARCH = { files: 2_000, bytes: 524_288, all: 67_108_864 } as const
/** Maximum number of documents that are read together with others: each may take most of the time of a call. */
const MOST_GATHERED_DOCUMENTS = 1
/** Maximum number of file names that are shown if several match. */
const MOST_NAMES = 12

export async function listFiles({ folders, call }: Look): Promise<ToolOutcome> {
  const listing = await folders.list()
  if (!listing.ok) return listing
  const { folder, order } = call.args
  const files = typeof folder === 'string' ? filesBelow(folder, listing.value) : listing.value.files
  if (files === null) return err('remote_not_found', { what: 'folder' })
  const count = countIn(call)
  const sorted = order === 'name' ? [...files].sort(byName) : [...files].sort(byAge)
  return {
    ok: true,
    output: {
      ...{ files: sorted.slice(0, count).map(headOf), total: files.length },
      ...{ more: files.length > count, partial: listing.value.partial },
    },
  }
}

interface Hit {
  readonly file: ListedFile
  readonly score: number
  readonly text: string
}

export async function searchFiles(look: Look): Promise<ToolOutcome> {
  const found = await hitsOf(look)
  if (!found.ok) return found
  const { hits, words, partial } = found.value
  const count = countIn(look.call)
  const files = hits.slice(0, count).map(({ file, text }) => {
    const best = bestLine(words, text.split('\n'))
    const excerpt = best === null ? '' : cleanLine(best.text, FILE_TEXT.excerpt)
    return { ...headOf(file), ...(best !== null && excerpt !== '' && { line: best.line, excerpt }) }
  })
  return { ok: true, output: { files, more: hits.length > count, partial } }
}

export async function gatherFiles(look: Look): Promise<ToolOutcome> {
  const found = await hitsOf(look)
  if (!found.ok) return found
  const { hits, partial } = found.value
  const files: object[] = []
  let documents = 0
  for (const { file, text: known } of hits) {
    if (files.length === MAX_GATHERED) break
    if (documentOf(file.path) !== null && ++documents > MOST_GATHERED_DOCUMENTS) continue
    const read = known === '' ? await readIn(look, file) : ok<Readable>({ text: known })
    // An unreadable file must not hide the others.
    if (!read.ok || read.value.text.trim() === '') continue
    const whole = read.value.text
    const text = whole.slice(0, withoutHalf(whole, FILE_TEXT.gathered))
    files.push({
      path: file.path,
      ...changedOf(file.changed),
      text,
      truncated: text.length < whole.length,
    })
  }
  return { ok: true, output: { files, more: hits.length > files.length, partial } }
}

/** Best match first. A text is empty if only the name was compared. */
async function hitsOf(
  look: Look,
): Promise<
  Result<{ readonly hits: readonly Hit[]; readonly words: readonly string[]; readonly partial: boolean }>
> {
  const listing = await look.folders.list()
  if (!listing.ok) return listing
  const words = wantedWords(String(look.call.args['words']))
  if (words.length === 0) return err('tool_arguments_invalid', { rule: 'words' })
  const hits: Hit[] = []
  const left = { files: SEARCH.files, bytes: SEARCH.all }
  let { partial } = listing.value
  for (const file of [...listing.value.files].sort(byAge)) {
    const text = await searched(look, file, left)
    if (text === null) partial = true
    const score = scoreOf(words, file.path, folded(text ?? ''))
    if (score > 0) hits.push({ file, score, text: text ?? '' })
  }
  // Of two equal matches the newer one comes first, because sorting is stable.
  return ok({ hits: hits.sort((one, other) => other.score - one.score), words, partial })
}

/** Null if a bound was reached. A document is matched by its name only, because reading each would need a process. */
async function searched(
  { folders, htmlText, document }: Look,
  file: ListedFile,
  left: { files: number; bytes: number },
): Promise<string | null> {
  const format = documentOf(file.path)
  if ((format !== null && format !== 'calendar') || kindOf(file.path) === 'other') return ''
  if (left.files <= 0 || left.bytes < file.size || file.size > SEARCH.bytes) return null
  left.files -= 1
  left.bytes -= file.size
  const content = await folders.read(file.place, SEARCH.bytes)
  if (!content.ok) return ''
  if (formatOf(content.value.bytes) !== null) return plainText(content.value.bytes) ?? ''
  const read = await readBytes(content.value.bytes, file.path, { htmlText, document })
  return read.ok ? read.value.text : ''
}

export async function readFile(look: Look): Promise<ToolOutcome> {
  const listing = await look.folders.list()
  if (!listing.ok) return listing
  const meant = fileIn(look.call, listing.value.files)
  if (meant.is === 'none') return err('remote_not_found', { what: 'file' })
  if (meant.is === 'several') {
    const paths = meant.files.slice(0, MOST_NAMES).map(({ path }) => path)
    const text = paths.join('\n').slice(0, FILE_TEXT.page)
    return { ok: true, output: { text, page: 1, pages: 1, several: true } }
  }
  const { file } = meant
  const read = await readIn(look, file)
  if (!read.ok) return read
  const { text, title, events, kind: format, pages: whole } = read.value
  const pages = pagesOf(text, FILE_TEXT.page)
  const page = pageIn(look.call)
  const own = pages[page - 1]
  if (own === undefined) return err('remote_not_found', { what: 'page' })
  return {
    ok: true,
    output: {
      ...{ path: file.path, kind: kindOf(file.path), ...changedOf(file.changed) },
      ...(format !== undefined && { format }),
      ...(title !== undefined && { title }),
      ...(whole !== undefined && { length: whole }),
      ...(events !== undefined && { events }),
      ...{ text: own, page, pages: pages.length, several: false },
      ...(page < pages.length && { next: page + 1 }),
    },
  }
}

/** The file by its name, or the only one of its format. */
function fileIn({ args: { file, format } }: ToolCall, files: readonly ListedFile[]): Meant<ListedFile> {
  if (typeof file === 'string' && file.trim() !== '') return meantBy(file, files)
  const found = files.filter(({ path }) => documentOf(path) === format).sort(byAge)
  const [only] = found
  if (only === undefined) return { is: 'none' }
  return found.length === 1 ? { is: 'one', file: only } : { is: 'several', files: found }
}

async function readIn(look: Look, { path, place }: ListedFile): Promise<Result<Readable>> {
  const most = documentOf(path) !== null ? MOST_BYTES.document : MOST_BYTES.text
  const content = await look.folders.read(place, most)
  return content.ok ? readBytes(content.value.bytes, path, look) : content
}

/**
 * The file that a write would replace, or the place at which it would create one. Refusals: file_ambiguous and those of
 * `newFile`.
 */
export async function findFile(look: Look): Promise<ToolOutcome> {
  const listing = await look.folders.list()
  if (!listing.ok) return listing
  const found = await targetOf(look, listing.value, String(look.call.args['file']))
  if (!found.ok) return found
  const { path, version, size, changed } = found.value
  const state = version === NEW ? 'new' : 'present'
  return {
    ok: true,
    output: { path, state, version, size, ...(changed !== null && changedOf(changed)) },
  }
}

interface Target {
  readonly path: string
  readonly version: string
  readonly size: number
  readonly changed: number | null
}

async function targetOf({ folders }: Look, listing: Listing, typed: string): Promise<Result<Target>> {
  const meant = meantBy(typed, listing.files)
  if (meant.is === 'several') return err('file_ambiguous')
  if (meant.is === 'none') {
    const made = newFile(typed, listing)
    return made.ok ? ok({ path: made.value.path, version: NEW, size: 0, changed: null }) : made
  }
  const { path, place, size, changed } = meant.file
  const content = await folders.read(place, MOST_BYTES.text)
  return content.ok ? ok({ path, version: content.value.version, size, changed }) : content
}

function byName(one: ListedFile, other: ListedFile): number {
  return one.path.localeCompare(other.path, 'en')
}

function byAge(one: ListedFile, other: ListedFile): number {
  return other.changed - one.changed || byName(one, other)
}

function countIn({ args: { count } }: ToolCall): number {
  return typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), MAX_FILES) : DEFAULT_FILES
}

function pageIn({ args: { page, after } }: ToolCall): number {
  if (typeof page === 'number' && page >= 1) return Math.floor(page)
  return typeof after === 'number' && after >= 1 ? Math.floor(after) + 1 : 1
}
