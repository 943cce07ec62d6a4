/**
 * Files of the owner's that the edge asks home to read, as they come over one connection (B-27, H-15): one at a time and so many a minute,
 * by what their bytes are, through the readers of home's own chat; the text goes back to where the file came from, and nothing of
 * either is kept. An edge that was taken over may send anything: the process that takes a PDF apart is what stands between. Must not
 * redact what it read: home knows secrets that the edge does not, and a text that came back changed would tell which words are one.
 * Called by tunnel-inbox.ts.
 */
import * as z from 'zod/mini'
import { type FileReaders, isPdf, soundIn } from '../integrations/channels/runtime/files.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'
import type { FileText } from '../kernel/powers/file-port.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import { type FileAsk, type FileTold, fileToldSchema, MOST_READ } from '../kernel/tunnel/file-ask.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'

export interface EdgeFilesInput {
  readonly readers: FileReaders
  /** Told of each file that was looked into: a line of the audit. `code`: null where it was read. */
  readonly noted: (asked: Pick<FileAsk, 'id' | 'kind'> & { size: number; code: ReasonCode | null }) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface EdgeFiles {
  /** A connection is up. `epoch`: the edge's number of it. */
  attach(epoch: number, send: (body: EphemeralBody) => void): void
  /** What is under way ends by itself, and is told to nobody. */
  detach(): void
  take(ask: FileAsk): void
}

/** Files a minute: each may cost a process and twenty seconds, in which the owner's own wait. */
export const MOST_A_MINUTE = 12
const MINUTE = 60_000

interface Connection {
  readonly epoch: number
  readonly send: (body: EphemeralBody) => void
}

export function createEdgeFiles({ readers, noted, now }: EdgeFilesInput): EdgeFiles {
  let connection: Connection | null = null
  // Over connections: one that is opened anew takes up no more than one that stands.
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
      // A second hello begins nothing anew.
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

/** By its bytes, whatever the edge took it for. Refusals: those of the readers; tool_unknown and model_not_cleared for a sound. */
async function textOf(
  { pdf, sound }: FileReaders,
  { kind }: FileAsk,
  bytes: Buffer,
): Promise<Result<FileText>> {
  if (kind === 'pdf') {
    if (pdf === undefined) return err('tool_unknown')
    return isPdf(bytes) ? pdf(bytes) : err('field_malformed')
  }
  if (sound === undefined) return err('tool_unknown')
  // The edge holds that a reader at home hears it, and no consent of the owner's to another.
  if (sound.reader.locality !== 'home') return err('model_not_cleared')
  const ending = soundIn(bytes)
  return ending === null ? err('field_malformed') : sound.read(bytes, ending)
}

const schema = fileToldSchema(z.string())

/** What a reader says is no more than its file's word: what the edge would not take would cost the connection. */
function toldOf({ id, epoch }: FileAsk, read: Result<FileText>): FileTold {
  if (!read.ok) return { id, epoch, ok: false, reason: read.reason.code }
  const { text, pages } = read.value
  const told = { id, epoch, ok: true, text: text.slice(0, MOST_READ), ...(pages !== undefined && { pages }) }
  const { success, data } = z.safeParse(schema, told)
  return success ? data : { id, epoch, ok: false, reason: 'tool_failed' }
}
