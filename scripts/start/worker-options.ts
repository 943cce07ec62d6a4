/**
 * Writes what wrangler makes of wrangler.toml for a local runtime into a file, so that a start need not load wrangler
 * (two seconds). Fails when something would get lost in JSON. Run by bundle.ts.
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

/** JSON leaves out undefined members, which mean the same as none. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  // Of an inline table, wrangler makes an object without a prototype.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, withoutUndefined(member)]),
  )
}
