/**
 * `npm run soak -- --only corpora`: every file of the folder that `PFAR_CORPORA` names, read by the reader of its kind, as others published it. What they say is not
 * judged: a reader that throws, takes long or gives what the kernel would refuse is wrong. Exit code 1 where one is. published.test.ts reads those that stand here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { PATIENCE, READERS } from './readers.ts'

const folder = process.env['PFAR_CORPORA'] ?? ''
const counts = new Map<string, Map<string, number>>()
const count = (kind: string, what: string): void => {
  const of = counts.get(kind) ?? new Map<string, number>()
  counts.set(kind, of.set(what, (of.get(what) ?? 0) + 1))
}

let wrong = 0
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  const kind = extname(path).toLowerCase()
  const reader = READERS[kind]
  if (reader === undefined) continue
  const began = Date.now()
  const fault = await Promise.resolve(readFileSync(join(folder, path)))
    .then(async (bytes) => {
      const read = await reader(new Uint8Array(bytes))
      count(kind, read.ok ? 'read' : read.reason.code)
      return Date.now() - began > PATIENCE ? 'took too long' : null
    })
    .catch((error: unknown) => `threw ${error instanceof Error ? error.message.slice(0, 120) : 'something'}`)
  if (fault === null) continue
  wrong += 1
  count(kind, 'wrong')
  process.stdout.write(`WRONG ${path}: ${fault}\n`)
}
for (const [kind, of] of [...counts].sort())
  process.stdout.write(`${kind}  ${[...of].map(([what, many]) => `${what} ${many}`).join(', ')}\n`)
process.exitCode = wrong === 0 && counts.size > 0 ? 0 : 1
