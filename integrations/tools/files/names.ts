/**
 * Finds the listed folder that typed words refer to, and the place of a new file. Typed text never becomes a path: it is compared
 * with existing names. Pure. Called by look.ts and write.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { bareName } from '../../extractors/file-name.ts'
import type { FilePlace, ListedFile, Listing } from './folder-port.ts'

export interface NewFile {
  readonly path: string
  readonly place: FilePlace
}

/** Maximum bytes of a name, as file systems have it. */
const MOST_NAME = 200
/** Letters, digits and common punctuation of file names; no leading dot, and an extension. */
const NEW_NAME = /^[\p{L}\p{N}_(][\p{L}\p{M}\p{N} _\-.,()&+'’!]*\.[A-Za-z0-9]{1,10}$/u

/**
 * In the folder typed before the name, otherwise in the owner's first. Refusals: tool_arguments_invalid for an invalid name,
 * remote_not_found for a folder that does not exist.
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

/** Files below a folder, given by its path or the end of it. Null if there is no such folder. */
export function filesBelow(typed: string, { files, folders }: Listing): readonly ListedFile[] | null {
  const low = bareName(typed).replace(/\/+$/, '').toLowerCase()
  const found = folders.filter(({ path }) => `/${path.toLowerCase()}`.endsWith(`/${low}`))
  if (low === '' || found.length === 0) return null
  return files.filter(({ path }) => found.some((folder) => path.startsWith(`${folder.path}/`)))
}
