/** Which folder or label of the owner's a name means. Pure; makes none. Called by gmail.ts and sidecar/mail. */

/** `delimiter`: between the names of its path; null where the server has none. */
export interface FolderPath {
  readonly path: string
  readonly delimiter: string | null
}

/** Index of the one path that is so called, else of the one whose last part is; null where none is, or several are. Case does not count. */
export function folderNamed(named: string, folders: readonly FolderPath[]): number | null {
  const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase()
  const wanted = plain(named)
  const those = (nameOf: (folder: FolderPath) => string): readonly number[] =>
    folders.flatMap((folder, at) => (wanted !== '' && plain(nameOf(folder)) === wanted ? [at] : []))
  const whole = those(({ path }) => path)
  const [only, ...others] = whole.length > 0 ? whole : those(lastName)
  return only === undefined || others.length > 0 ? null : only
}

/** A server without levels has no parts: a dot or a slash belongs to the name there. */
function lastName({ path, delimiter }: FolderPath): string {
  return delimiter === null || delimiter === '' ? path : (path.split(delimiter).at(-1) ?? '')
}
