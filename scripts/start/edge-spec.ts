/**
 * Input of the edge's process: bundle, port and bindings, in a file (0600), because bindings hold keys and arguments
 * are readable by others. Must not hold home's keys. Written by edge.ts, read by edge-process.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'

const spec = z.strictObject({
  bundle: z.string(),
  port: z.int(),
  /** Folder in which Durable Objects are stored. */
  persist: z.string(),
  /** File for the process id of the running workerd. */
  pidFile: z.string(),
  bindings: z.record(z.string(), z.string()),
})

export type EdgeSpec = z.infer<typeof spec>

export function writeEdgeSpec(path: string, value: EdgeSpec): void {
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 })
}

/** Throws if the file is not what `writeEdgeSpec` wrote. */
export function readEdgeSpec(path: string): EdgeSpec {
  return z.parse(spec, JSON.parse(readFileSync(path, 'utf8')))
}
