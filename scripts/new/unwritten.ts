/**
 * What is left to write of a unit that `npm run new` made: its templates mark each place with `WRITE:` and what belongs there. Must not write.
 * Called by the contract tests of tools, channels and operations, which stay red until no mark is left.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mark, and what belongs there: up to the end of the line or of its comment. */
const MARK = /WRITE: (.*?)\s*(?:\*\/)?$/

/** `integrations/tools/tides/manifest.ts:12: the exact hosts of the service`, for each mark in the files below `folder`. */
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
