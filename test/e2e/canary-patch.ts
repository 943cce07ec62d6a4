/**
 * Loaded before a home of the canary test (`--import`): changes texts of single source files as they are loaded, to add
 * a cloud model that the product does not have yet, or to take a guard away. Production has no such switch. Throws when
 * a text does not stand exactly once in its file, because the test would prove nothing then.
 */
import { registerHooks } from 'node:module'

export interface SourcePatch {
  /** End of the file's path. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

const patches = JSON.parse(process.env['PFAR_CANARY_PATCHES'] ?? '[]') as readonly SourcePatch[]

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const own = patches.filter(({ file }) => url.endsWith(`/${file}`))
    if (own.length === 0) return loaded
    const source = own.reduce(patched, sourceText(loaded.source))
    return { ...loaded, source }
  },
})

function patched(source: string, { file, find, replace }: SourcePatch): string {
  const pieces = source.split(find)
  if (pieces.length !== 2)
    throw new Error(`${file} has ${pieces.length - 1} places for the patch of: ${find}`)
  return pieces.join(replace)
}

function sourceText(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8')
}
