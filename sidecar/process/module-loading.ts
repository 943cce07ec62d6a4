/**
 * Makes home start faster and smaller. Node reads the `package.json` of a package for every file to learn whether it is
 * an ES module: for drizzle-orm 300 KB some hundred times, half a second and 80 MB. Declares relative imports in the
 * packages listed here to be ES modules, and resolves them as Node would. Called by main.ts before any other import.
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

/** Less optimised code and a small young generation while loading, since loaded code mostly runs once. */
const SPARING = ['--optimize-for-size', '--no-opt', '--semi-space-growth-factor=1'] as const
/**
 * The young generation stays small: a message allocates a megabyte or two, and V8 does not shrink a generation that has
 * grown.
 */
const USUAL = ['--no-optimize-for-size', '--opt'] as const

/**
 * Keeps the heap about 15 MB smaller while modules load. Call the returned function afterwards to enable optimised code
 * again.
 */
export function loadSparingly(): () => void {
  for (const flag of SPARING) setFlagsFromString(flag)
  return () => {
    for (const flag of USUAL) setFlagsFromString(flag)
  }
}
