/**
 * Home's reader of documents (B-27, J-08): runs one process per file that has no access to home's data and is killed when it exceeds
 * its time or memory. A parser of hostile bytes shares no memory with keys. Must not parse here. Called through
 * `FilePort` with what a channel fetched, and by the tools of mail and files.
 */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import {
  DOCUMENT_KINDS,
  type DocumentText,
  formatOf,
  invitedEvent,
  type DocumentReader as Read,
} from '../../integrations/extractors/document.ts'
import { cleanLine } from '../../integrations/extractors/page-clean.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Confined, type ConfinedLimits, createConfined, type probeSandbox } from '../confined/sandbox.ts'
import { eventText } from './event-text.ts'

export interface DocumentTask {
  readonly format: NonNullable<ReturnType<typeof formatOf>>
  /** Base64. */
  readonly bytes: string
  /** IANA name: of a time of a calendar that names none. */
  readonly timezone: string
}

export interface DocumentReader {
  readonly read: Read
  /** Ends what is running and refuses later files. */
  close(): void
}

export type DocumentReaderInput = Partial<
  ConfinedLimits & {
    readonly withoutSandbox: boolean
    readonly sandbox: typeof probeSandbox
    readonly timezone: string
  }
>

/** A person waits, so the time includes the start of the process. Ten megabytes of a PDF may expand to ten gigabytes. */
const LIMITS: ConfinedLimits = Object.freeze({ longest: 20_000, memory: 536_870_912, heap: 256 })

const found = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS),
  text: z.string().check(z.maxLength(65_536)),
  title: z.exactOptional(z.string().check(z.maxLength(1_000))),
  pages: z.exactOptional(z.int()),
  events: z.exactOptional(z.array(z.unknown()).check(z.maxLength(100))),
})

/** `withoutSandbox`: the owner allows parsing with Node's permissions alone if the system has no sandbox. */
export function createDocumentReader({
  withoutSandbox = false,
  timezone = 'UTC',
  sandbox,
  ...limits
}: DocumentReaderInput = {}): DocumentReader {
  const closing = new AbortController()
  const run = createConfined({ script: SCRIPT, reads: READS, withoutSandbox }, sandbox)
  let busy: Promise<unknown> = Promise.resolve()
  return {
    read(bytes) {
      const format = formatOf(bytes)
      if (format === null)
        return Promise.resolve(err(closing.signal.aborted ? 'task_stopped' : 'field_malformed'))
      const task = { format, bytes: Buffer.from(bytes).toString('base64'), timezone }
      // One at a time: the memory limit is per process.
      const turn = busy.then(() =>
        readOne(run, task, { limits: { ...LIMITS, ...limits }, signal: closing.signal }),
      )
      busy = turn
      return turn
    },
    close: () => closing.abort(),
  }
}

/** Refusals: those of the parsers; tool_failed if the process died; sandbox_missing; task_stopped when home stops. */
async function readOne(
  run: Confined,
  task: DocumentTask,
  { limits, signal }: { readonly limits: ConfinedLimits; readonly signal: AbortSignal },
): Promise<Result<DocumentText>> {
  if (signal.aborted) return err('task_stopped')
  const read = await run(task, limits, signal)
  if (!read.ok) return read.reason.code === 'internal_fault' ? err('tool_failed') : read
  const { success, data } = z.safeParse(found, read.value)
  if (!success) return err('tool_failed')
  const { title: claimed = '', events: raw, ...rest } = data
  const title = cleanLine(claimed, MOST_TITLE)
  const named = { ...rest, ...(title !== '' && { title }) }
  if (rest.kind !== 'calendar') return ok(named)
  const events = (raw ?? []).flatMap((one) => invitedEvent(one) ?? [])
  return events.length === 0
    ? err('nothing_found')
    : ok({ ...named, text: events.map(eventText).join('\n\n'), events })
}

/** UTF-16 units. */
const MOST_TITLE = 300

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const SCRIPT = here('document-child.ts')
const packageFolder = (name: string): string =>
  `${dirname(dirname(createRequire(import.meta.url).resolve(name)))}/`

/** The process may read its own code only. */
const READS: readonly string[] = [
  here('.'),
  here('../../kernel/flow/verdict.ts'),
  here('../../package.json'),
  ...[
    '../calendar/ical.ts',
    '../calendar/repaired-calendar.ts',
    '../calendar/stamp.ts',
    '../health/zip-entry.ts',
  ].map(here),
  here('../../integrations/dates/zone.ts'),
  packageFolder('unpdf'),
  packageFolder('ical.js'),
]
