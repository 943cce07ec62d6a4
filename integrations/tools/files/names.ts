/**
 * Finds which file is meant by what somebody typed, among those that were listed, and where a new one would lie. Nothing typed becomes a path: it is
 * compared with names that are there. Pure. Called by look.ts and write.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { FilePlace, ListedFile, Listing } from './folder-port.ts'

export type Meant =
  | { readonly is: 'one'; readonly file: ListedFile }
  | { readonly is: 'several'; readonly files: readonly ListedFile[] }
  | { readonly is: 'none' }

/** What people write around a name. */
const QUOTES = /^[\s"'“”„‘’`«»]+|[\s"'“”„‘’`«»]+$/g
/** Of a file name. */
const ENDING = /\.[A-Za-z0-9]{1,10}$/

export function bareName(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(QUOTES, '')
    .replace(/^(?:\.?\/)+/, '')
}

/** The whole path, else its end, else the name without its ending, else all words of it: the first of these that fits any file. */
export function meantBy(typed: string, files: readonly ListedFile[]): Meant {
  const bare = bareName(typed)
  if (bare === '') return { is: 'none' }
  const low = bare.toLowerCase()
  const tried: readonly ((path: string) => boolean)[] = [
    (path) => path === bare,
    (path) => path.endsWith(`/${bare}`),
    (path) => path.toLowerCase() === low || path.toLowerCase().endsWith(`/${low}`),
    (path) => `/${path.toLowerCase().replace(ENDING, '')}`.endsWith(`/${low}`),
    (path) => hasWords(path, low),
  ]
  for (const fits of tried) {
    const found = files.filter(({ path }) => fits(path))
    const [only] = found
    if (only !== undefined)
      return found.length === 1 ? { is: 'one', file: only } : { is: 'several', files: found }
  }
  return { is: 'none' }
}

function hasWords(path: string, low: string): boolean {
  // What looks like a file name is no description of one.
  if (ENDING.test(low)) return false
  const words = low.match(/[\p{L}\p{N}]+/gu) ?? []
  const own: readonly string[] = path.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.every((word) => own.includes(word))
}

export interface NewFile {
  readonly path: string
  readonly place: FilePlace
}

/** Bytes of a name, as file systems have it. */
const MOST_NAME = 200
/** Letters, digits and what stands in names of files; no dot at the beginning, and an ending. */
const NEW_NAME = /^[\p{L}\p{N}_(][\p{L}\p{M}\p{N} _\-.,()&+'’!]*\.[A-Za-z0-9]{1,10}$/u

/**
 * In the folder that is typed before the name, else in the owner's first. Refusals: tool_arguments_invalid for what is no plain name, remote_not_found
 * for a folder that is not there.
 */
export function newFile(typed: string, { folders }: Listing): Result<NewFile> {
  const parts = bareName(typed).split('/')
  const name = parts.at(-1) ?? ''
  const isName = NEW_NAME.test(name) && new TextEncoder().encode(name).length <= MOST_NAME
  if (!isName) return err('tool_arguments_invalid', { rule: 'file_name' })
  const into = parts.slice(0, -1).join('/')
  const [first] = folders
  const fitting = folders.filter(({ path }) => path === into || `/${path}`.endsWith(`/${into}`))
  const exact = fitting.find(({ path }) => path === into)
  const folder = into === '' ? first : (exact ?? (fitting.length === 1 ? fitting[0] : undefined))
  if (folder === undefined)
    return fitting.length > 1 ? err('file_ambiguous') : err('remote_not_found', { what: 'folder' })
  return ok({
    path: `${folder.path}/${name}`,
    place: { folder: folder.place.folder, names: [...folder.place.names, name] },
  })
}

/** Files below a folder; by its path, or the end of it. Null if there is none of that name. */
export function filesBelow(typed: string, { files, folders }: Listing): readonly ListedFile[] | null {
  const low = bareName(typed).replace(/\/+$/, '').toLowerCase()
  const found = folders.filter(({ path }) => `/${path.toLowerCase()}`.endsWith(`/${low}`))
  if (low === '' || found.length === 0) return null
  return files.filter(({ path }) => found.some((folder) => path.startsWith(`${folder.path}/`)))
}
