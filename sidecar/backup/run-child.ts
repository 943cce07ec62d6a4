/** Runs the scheduled backup in its own process (child.ts). Must not read what is backed up. Called by job.ts through home's wiring. */
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode, type ReasonCode } from '../../kernel/reasons.ts'
import { runChild } from '../process/run-child.ts'
import type { Shelf } from './shelf.ts'

export interface ChildTask {
  readonly state: string
  readonly shelf: Shelf
  readonly timezone: string
  readonly now: number
  /** Origin of the edge, or null. */
  readonly edge: string | null
}

const done = z.strictObject({ edgeTrouble: z.nullable(z.string()), auditBroken: z.boolean() })

export interface MadeByChild {
  /** Why the edge's part is missing, or null. */
  readonly edgeTrouble: ReasonCode | null
  /** Whether the chain of an audit in it is broken. */
  readonly auditBroken: boolean
}

const SCRIPT = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds until a backup is aborted. */
const LONGEST_RUN = 3_600_000

/** Refusals: those of `makeBackup` and `runChild`. */
export async function runBackupChild(task: ChildTask, signal: AbortSignal): Promise<Result<MadeByChild>> {
  const made = await runChild({ script: SCRIPT, task, longest: LONGEST_RUN }, signal)
  if (!made.ok) return made
  const { success, data } = z.safeParse(done, made.value)
  if (!success) return err('internal_fault')
  const { edgeTrouble: code, auditBroken } = data
  return ok({ edgeTrouble: code === null || isReasonCode(code) ? code : 'internal_fault', auditBroken })
}
