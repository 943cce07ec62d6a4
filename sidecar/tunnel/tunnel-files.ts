/**
 * Reads files of the owner for the edge, over one connection (B-27, H-15): one at a time, rate-limited, typed by their bytes, with
 * the readers of home's own chat. Keeps neither file nor text; a compromised edge may send anything, so PDFs and documents are
 * parsed in a sandbox. Must not redact: a changed text would tell the edge which words are secrets. Called by tunnel-inbox.ts.
 */
import * as z from 'zod/mini'
import { type FileReaders, isDocument, isPdf, soundIn } from '../../integrations/channels/runtime/files.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import {
  type FileAnswer,
  type FileAsk,
  fileAnswerSchema,
  MOST_READ,
  MOST_TITLE,
} from '../../kernel/tunnel/ask.ts'
import type { EphemeralBody } from '../../kernel/tunnel/frame.ts'

export interface EdgeFilesInput {
  readonly readers: FileReaders
  /** Called for each file that was read; writes an audit row. `code`: null if it was read successfully. */
  readonly noted: (asked: Pick<FileAsk, 'id' | 'kind'> & { size: number; code: ReasonCode | null }) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface EdgeFiles {
  /** Call when a connection is up. `epoch`: the edge's number of it. */
  attach(epoch: number, send: (body: EphemeralBody) => void): void
  /** Call when the connection is lost. A read in progress finishes and its result is dropped. */
  detach(): void
  take(ask: FileAsk): void
}

/** Files a minute: each may cost a process and twenty seconds, in which the owner's own files wait. */
export const MOST_A_MINUTE = 12
const MINUTE = 60_000

interface Connection {
  readonly epoch: number
  readonly send: (body: EphemeralBody) => void
}

export function createEdgeFiles({ readers, noted, now }: EdgeFilesInput): EdgeFiles {
  let connection: Connection | null = null
  // Kept across connections, so that reconnecting does not raise the limit.
  let busy = false
  let minute = { since: 0, count: 0 }
  const admit = (): ReasonCode | null => {
    const at = now()
    if (at - minute.since >= MINUTE || at < minute.since) minute = { since: at, count: 0 }
    if (busy || minute.count >= MOST_A_MINUTE) return 'remote_rate_limited'
    minute = { ...minute, count: minute.count + 1 }
    return null
  }
  const run = async (own: Connection, ask: FileAsk): Promise<void> => {
    busy = true
    try {
      const bytes = Buffer.from(ask.bytes, 'base64')
      const read = await textOf(readers, ask, bytes).catch(() => err('internal_fault'))
      const { id, kind } = ask
      noted({ id, kind, size: bytes.length, code: read.ok ? null : read.reason.code })
      if (connection === own) own.send({ type: 'file_told', told: toldOf(ask, read) })
    } finally {
      busy = false
    }
  }
  return {
    attach(epoch, send) {
      // A second hello on the same connection changes nothing.
      connection ??= { epoch, send }
    },
    detach() {
      connection = null
    },
    take(ask) {
      const own = connection
      if (own === null) return
      const why = ask.epoch === own.epoch ? admit() : 'frame_fenced'
      if (why === null) void run(own, ask)
      else own.send({ type: 'file_told', told: toldOf(ask, err(why)) })
    },
  }
}

/**
 * Chooses the reader by the file's bytes, whatever type the edge declared. Refusals: those of the readers; tool_unknown
 * and model_not_cleared for a sound.
 */
async function textOf(
  { pdf, document, sound }: FileReaders,
  { kind }: FileAsk,
  bytes: Buffer,
): Promise<Result<FileText>> {
  if (kind === 'pdf') {
    if (pdf === undefined) return err('tool_unknown')
    return isPdf(bytes) ? pdf(bytes) : err('field_malformed')
  }
  if (kind === 'document') {
    if (document === undefined) return err('tool_unknown')
    return isDocument(bytes) ? document(bytes) : err('field_malformed')
  }
  if (sound === undefined) return err('tool_unknown')
  // Sound from the edge may only go to a reader at home: no consent of the owner covers another one.
  if (sound.reader.locality !== 'home') return err('model_not_cleared')
  const ending = soundIn(bytes)
  return ending === null ? err('field_malformed') : sound.read(bytes, ending)
}

const schema = fileAnswerSchema(z.string())

/** The text comes from the file, so it is cut and checked: a frame that the edge refuses would end the connection. */
function toldOf({ id, epoch }: FileAsk, read: Result<FileText>): FileAnswer {
  if (!read.ok) return { id, epoch, ok: false, reason: read.reason.code }
  const { text, pages, title } = read.value
  const told = {
    ...{ id, epoch, ok: true, text: text.slice(0, MOST_READ) },
    ...(pages !== undefined && { pages }),
    ...(title !== undefined && { title: title.slice(0, MOST_TITLE) }),
  }
  const { success, data } = z.safeParse(schema, told)
  return success ? data : { id, epoch, ok: false, reason: 'tool_failed' }
}
