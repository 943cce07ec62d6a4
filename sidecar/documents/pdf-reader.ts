/**
 * Home's PDF reader (B-27): runs one process per file that has no access to home's data and is killed when it exceeds
 * its time or memory. A parser of hostile bytes shares no memory with keys. Must not parse here. Called through
 * `FilePort`, with what a channel fetched.
 */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { FileReader } from '../../integrations/channels/runtime/files.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Confined, type ConfinedLimits, createConfined, type probeSandbox } from '../confined/sandbox.ts'

export interface PdfTask {
  /** Base64. */
  readonly pdf: string
}

export interface PdfReader {
  readonly read: FileReader
  /** Ends what is running and refuses later files. */
  close(): void
}

export type PdfReaderInput = Partial<
  ConfinedLimits & {
    readonly withoutSandbox: boolean
    readonly sandbox: typeof probeSandbox
  }
>

/** A person waits, so the time includes the start of the process. Ten megabytes of PDF may expand to ten gigabytes. */
const LIMITS: ConfinedLimits = Object.freeze({ longest: 20_000, memory: 536_870_912, heap: 256 })

const found = z.strictObject({ text: z.string().check(z.maxLength(65_536)), pages: z.int() })

/** `withoutSandbox`: the owner allows parsing with Node's permissions alone if the system has no sandbox. */
export function createPdfReader({
  withoutSandbox = false,
  sandbox,
  ...limits
}: PdfReaderInput = {}): PdfReader {
  const closing = new AbortController()
  const run = createConfined({ script: SCRIPT, reads: READS, withoutSandbox }, sandbox)
  let busy: Promise<unknown> = Promise.resolve()
  return {
    read(bytes) {
      // One at a time: the memory limit is per process.
      const turn = busy.then(() =>
        readOne(run, bytes, { limits: { ...LIMITS, ...limits }, signal: closing.signal }),
      )
      busy = turn
      return turn
    },
    close: () => closing.abort(),
  }
}

/** Refusals: those of `pdfText`; tool_failed if the process died; sandbox_missing; task_stopped when home stops. */
async function readOne(
  run: Confined,
  bytes: Uint8Array,
  { limits, signal }: { readonly limits: ConfinedLimits; readonly signal: AbortSignal },
): Promise<Result<FileText>> {
  if (signal.aborted) return err('task_stopped')
  const task: PdfTask = { pdf: Buffer.from(bytes).toString('base64') }
  const read = await run(task, limits, signal)
  if (!read.ok) return read.reason.code === 'internal_fault' ? err('tool_failed') : read
  const { success, data } = z.safeParse(found, read.value)
  return success ? ok(data) : err('tool_failed')
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const SCRIPT = here('pdf-child.ts')

/** The process may read its own code only. */
const READS: readonly string[] = [
  here('.'),
  here('../../kernel/flow/verdict.ts'),
  here('../../package.json'),
  `${dirname(dirname(createRequire(import.meta.url).resolve('unpdf')))}/`,
]
