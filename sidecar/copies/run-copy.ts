/**
 * Sends one copy to the edge in its own process (child.ts), which gets its keys on stdin. Must not read what is copied.
 * Called by job.ts through home's wiring.
 */
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import { runChild } from '../process/run-child.ts'
import type { MadeCopy } from './make-copy.ts'

export const copyTaskSchema = z.strictObject({
  state: z.string(),
  edge: z.string(),
  now: z.number(),
  /** 32 bytes each, base64url. */
  replica: z.string(),
  recovery: z.string(),
})

const SCRIPT = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds. Enough for a first copy over a slow connection; a retry does not resend chunks that arrived. */
const LONGEST_RUN = 1_800_000

const made = z.object({ number: z.int(), lost: z.nullable(z.int()) })

export interface CopyRun {
  readonly state: string
  readonly edge: string
  readonly ring: Pick<KeyRing, 'storeKey' | 'recoverySeed'>
  readonly now: number
}

/** Refusals: those of `makeCopy` and `runChild`. */
export async function runCopy(run: CopyRun, signal: AbortSignal): Promise<Result<MadeCopy>> {
  const { state, edge, now, ring } = run
  const replica = Buffer.from(ring.storeKey('replica')).toString('base64url')
  const recovery = Buffer.from(ring.recoverySeed()).toString('base64url')
  const task: z.output<typeof copyTaskSchema> = { state, edge, now, replica, recovery }
  const done = await runChild({ script: SCRIPT, task, longest: LONGEST_RUN }, signal)
  if (!done.ok) return done
  const parsed = z.safeParse(made, done.value)
  return parsed.success ? ok(parsed.data) : err('internal_fault')
}
