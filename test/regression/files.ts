/** Every file below a folder, and which of them hold a text. For the tests that look for canaries at rest. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Paths relative to the folder; sockets and links are left out. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** Of these files, the ones that hold one of the texts: as UTF-8, and as UTF-16 as some databases keep it. */
export function holding(
  folder: string,
  files: readonly string[],
  texts: readonly string[],
): readonly string[] {
  const needles = texts.flatMap((text) => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')])
  return files.filter((file) => {
    const bytes = readFileSync(join(folder, file))
    return needles.some((needle) => bytes.includes(needle))
  })
}
