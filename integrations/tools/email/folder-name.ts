/** Which folder or label of the owner's a name means. Pure; makes none. Called by gmail.ts and sidecar/mail. */

/** Index of the one path that is so called, else of the one whose last part is; null where none is, or several are. Case does not count. */
export function folderNamed(named: string, paths: readonly string[], delimiter: string): number | null {
  const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase()
  const wanted = plain(named)
  const those = (nameOf: (path: string) => string): readonly number[] =>
    paths.flatMap((path, at) => (wanted !== '' && plain(nameOf(path)) === wanted ? [at] : []))
  const whole = those((path) => path)
  const [only, ...others] = whole.length > 0 ? whole : those((path) => path.split(delimiter).at(-1) ?? '')
  return only === undefined || others.length > 0 ? null : only
}
