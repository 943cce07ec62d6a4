/**
 * Finds which file is meant by what somebody typed, among those that are there. Nothing typed becomes a path: it is compared with names. Pure. Called by the
 * tools of files and mail, and by sidecar/folders.
 */

/** A file as it is shown: its path, or its name alone. */
interface Named {
  readonly path: string
}

export type Meant<T extends Named> =
  | { readonly is: 'one'; readonly file: T }
  | { readonly is: 'several'; readonly files: readonly T[] }
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
export function meantBy<T extends Named>(typed: string, files: readonly T[]): Meant<T> {
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
