/**
 * Home's file readers as ports of the edge (B-27, H-15): a file that only the edge could fetch goes over the tunnel in one frame
 * and returns as text, trusted no more than any file's text. Must not open a connection, nor parse the bytes. Called by powers.ts,
 * for files sent to the edge's bot.
 *
 * Data: files up to `internal`, raw. Readers: the owner's own machine. Rationale: home has a higher clearance than the edge.
 */
import type { FileReader, FileReaders } from '../../integrations/channels/runtime/files.ts'
import { watchCall } from '../../integrations/models/call-watch.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import { PLACE_CLEARANCE } from '../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type AskedKind, type FileAsk, type FileTold, MOST_CARRIED } from '../../kernel/tunnel/file-ask.ts'
import type { Unsent } from '../tunnel-asks.ts'

/** Sends a request to home; TunnelObject adds the connection. */
export interface FileDoor {
  askFile(ask: Unsent<FileAsk>): Promise<Result<FileTold>>
  /** Cancels the request. */
  dropFile(id: string): Promise<void>
}

export interface HomeReaderWays {
  readonly door: () => FileDoor
  readonly newId: () => string
  /** Time limit in milliseconds; for tests. */
  readonly within?: number
}

/**
 * Time limits, milliseconds: what home allows for one file plus one of its own before it. On a small machine transcription takes as
 * long as the recording.
 */
const WITHIN: Readonly<Record<AskedKind, number>> = { pdf: 45_000, sound: 185_000 }

/** Reasons that home may give for not reading a file; any other one is reported as tool_failed. */
const TOLD: readonly ReasonCode[] = [
  ...([
    'field_malformed',
    'nothing_found',
    'key_unavailable',
    'tool_unknown',
    'remote_rate_limited',
    'sandbox_missing',
  ] as const),
  ...(['model_not_cleared', 'model_unavailable', 'model_timeout', 'model_overloaded'] as const),
  ...(['model_misconfigured', 'model_garbled', 'home_offline', 'response_too_large'] as const),
]

export function createHomeReaders(ways: HomeReaderWays): Required<FileReaders> {
  const reads =
    (kind: AskedKind): FileReader =>
    (bytes) =>
      askHome(ways, kind, bytes)
  return {
    pdf: reads('pdf'),
    // Home gives what comes from the edge to no other provider.
    sound: { reader: { id: 'home/speech', locality: 'home', ...PLACE_CLEARANCE.edge }, read: reads('sound') },
  }
}

async function askHome(
  { door, newId, within }: HomeReaderWays,
  kind: AskedKind,
  bytes: Uint8Array,
): Promise<Result<FileText>> {
  if (bytes.length > MOST_CARRIED) return err('response_too_large', { max: MOST_CARRIED })
  const watch = watchCall(within ?? WITHIN[kind], undefined)
  const home = door()
  const id = newId()
  try {
    // An object that fails means that the connection is gone.
    const told = home.askFile({ id, kind, bytes: bytes.toBase64() }).catch(() => err('home_offline'))
    return textOf(await Promise.race([told, watch.ended.then(() => err('tool_failed'))]))
  } finally {
    if (watch.reason() !== null) void home.dropFile(id).catch(() => undefined)
    watch.close()
  }
}

function textOf(told: Result<FileTold>): Result<FileText> {
  if (told.ok && told.value.ok) {
    const { text, pages } = told.value
    return ok({ text, ...(pages !== undefined && { pages }) })
  }
  const said = told.ok ? (told.value as { readonly reason: string }).reason : told.reason.code
  return err(TOLD.find((known) => known === said) ?? 'tool_failed')
}
