/**
 * Finds which folder is meant by what somebody typed, among those that were listed, and where a new file would lie. Nothing typed becomes a path: it is
 * compared with names that are there. Pure. Called by look.ts and write.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { bareName } from '../../extractors/file-name.ts'
import type { FilePlace, ListedFile, Listing } from './folder-port.ts'

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
