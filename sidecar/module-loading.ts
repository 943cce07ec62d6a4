/**
 * Shortens the start of home and keeps it small. For every file of a package Node looks up its `package.json` to learn whether it is
 * an ES module; for drizzle-orm that is 300 KB, read and parsed some hundred times: half a second and 80 MB.
 * Relative imports inside the packages listed here are all ES modules, so this says so at once. Resolves nothing
 * else, and to nothing else than Node would. Called by main.ts before anything else is imported.
 */
import { registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'

const ES_MODULES =
  /\/node_modules\/(?:drizzle-orm|zod|@noble\/(?:hashes|ciphers|curves))\/(?!.*\/node_modules\/).*\.js$/

export function shortenModuleLoading(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^\.\.?\//.test(specifier) || context.parentURL === undefined) return next(specifier, context)
      const { href } = new URL(specifier, context.parentURL)
      return ES_MODULES.test(href)
        ? { url: href, format: 'module', shortCircuit: true }
        : next(specifier, context)
    },
  })
}

/** What loading leaves behind: code compiled for speed that runs once, and a young generation grown for its garbage. */
const SPARING = ['--optimize-for-size', '--no-opt', '--semi-space-growth-factor=1'] as const
/** The young generation stays small: a message leaves a megabyte or two, and what it once grew by stays resident. */
const USUAL = ['--no-optimize-for-size', '--opt'] as const

/** Keeps the heap some 15 MB smaller while modules load; the returned function lets V8 compile for speed again. */
export function loadSparingly(): () => void {
  for (const flag of SPARING) setFlagsFromString(flag)
  return () => {
    for (const flag of USUAL) setFlagsFromString(flag)
  }
}
