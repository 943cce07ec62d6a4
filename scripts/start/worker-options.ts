/**
 * Writes the options that wrangler derives from wrangler.toml for a local runtime into a file, so that a start need not
 * load wrangler (two seconds). Fails if JSON would lose something. Run by bundle.ts.
 */
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

const { workerOptions, main } = unstable_getMiniflareWorkerOptions('./wrangler.toml')
const text = JSON.stringify({ workerOptions, main })
const kept: unknown = JSON.parse(text)
if (!isDeepStrictEqual(withoutUndefined({ workerOptions, main }), kept)) {
  throw new Error('wrangler.toml uses something that a local start cannot keep')
}
writeFileSync(process.argv[2] ?? '', text, { mode: 0o600 })

/** JSON omits undefined members, which mean the same as missing ones. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  // wrangler returns an inline table as an object without a prototype.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, withoutUndefined(member)]),
  )
}
