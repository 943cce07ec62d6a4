/**
 * Finds the places that are still to be written in a unit made by `npm run new`: its templates mark each with `WRITE:`.
 * Must not write. Called by the contract tests of tools, channels, operations and jobs, which fail until no mark is left.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mark and its text, up to the end of the line or of the comment. */
const MARK = /WRITE: (.*?)\s*(?:\*\/)?$/

/**
 * Each mark in the files below `folder`, as `integrations/tools/tides/manifest.ts:12: the exact hosts of the service`.
 */
export function leftToWrite(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          const [, what] = MARK.exec(line) ?? []
          return what === undefined ? [] : [`${file.slice(root.length + 1)}:${at + 1}: ${what}`]
        }),
    )
}
