/**
 * What the edge's process is told: bundle, port and bindings, in a file (0600), because bindings hold keys and
 * arguments can be read by everybody. Must not hold home's keys. Written by edge.ts, read by edge-main.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'

const spec = z.strictObject({
  bundle: z.string(),
  port: z.int(),
  /** Where Durable Objects keep their rows. */
  persist: z.string(),
  /** Where the process id of the running workerd is noted. */
  pidFile: z.string(),
  bindings: z.record(z.string(), z.string()),
})

export type EdgeSpec = z.infer<typeof spec>

export function writeEdgeSpec(path: string, value: EdgeSpec): void {
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 })
}

/** Throws when the file is not what `writeEdgeSpec` wrote. */
export function readEdgeSpec(path: string): EdgeSpec {
  return z.parse(spec, JSON.parse(readFileSync(path, 'utf8')))
}
