/**
 * Home's models (D-03) and file readers (B-27, H-15) as ports of the edge. Prompts and files go over the tunnel unchanged; answers
 * are trusted no more than any model's or file's, and arrive whole. Must not open a connection, nor parse a file. Called by powers.ts.
 *
 * Data: prompts and files up to `internal`. Readers: the owner's own machine and models. Rationale: the edge holds nothing above,
 * and home checks all of it again.
 */

import type { FileReader, FileReaders } from '../../integrations/channels/runtime/files.ts'
import { type CallWatch, watchCall } from '../../integrations/models/call-watch.ts'
import { HOME } from '../../integrations/models/provider-settings.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import { PLACE_CLEARANCE } from '../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ModelAnswer, ModelLimits, ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  type AskedKind,
  type FileAnswer,
  type FileAsk,
  MOST_FORWARDED,
  type ModelAsk,
  type ModelResponse,
  PROMPT_FORM,
  type RemoteModelList,
} from '../../kernel/tunnel/ask.ts'
import type { Unsent } from '../tunnel/ephemeral.ts'

/** Sends a request to home; TunnelObject adds the connection. */
export interface ModelDoor {
  askModel(ask: Omit<ModelAsk, 'epoch'>): Promise<Result<ModelResponse>>
  /** Cancels the request. */
  dropModel(id: string): Promise<void>
}

interface RemoteModelCalls {
  readonly door: () => ModelDoor
  readonly newId: () => string
}

interface RemoteModelsInput extends RemoteModelCalls {
  /** Principal whose tasks ask; undefined until it is known. */
  readonly principal: () => string | undefined
  /** The models that home offers to the edge; the same array until home changes them. */
  readonly offered: () => readonly RemoteModelList[]
}

interface Remote {
  /** Providers for a chain. */
  readonly models: readonly ModelProvider[]
  /** Provider for pictures, used for nothing else. */
  readonly sees?: ModelProvider
}

const NONE: Remote = { models: [] }

/** For the owner alone: home offers its models to no other principal. Returns the same models until home changes them. */
export function createRemoteModels({ principal, offered, ...ways }: RemoteModelsInput): () => Remote {
  let known: readonly RemoteModelList[] = []
  let made = NONE
  return () => {
    if (principal() !== OWNER_PRINCIPAL) return NONE
    if (offered() !== known) {
      known = offered()
      const [eyes] = known.filter(({ sees }) => sees === true)
      made = {
        models: known.filter(({ sees }) => sees !== true).map((model) => createRemoteModel(model, ways)),
        ...(eyes !== undefined && { sees: createRemoteModel(eyes, ways) }),
      }
    }
    return made
  }
}

/** Separator that occurs in no provider's name, so that each of home's models has a breaker of its own. */
const OF = '/'

/** Milliseconds added to home's own deadline for the way back. */
const GRACE = 2_000

/** Reasons that home may give for a model without an answer; any other one is reported as model_failed. */
const MODEL_REASONS: readonly ReasonCode[] = [
  ...(['model_overloaded', 'model_timeout', 'model_misconfigured', 'model_garbled'] as const),
  ...(['model_resting', 'model_budget_spent', 'answer_empty', 'home_offline', 'prompt_too_large'] as const),
]

export function createRemoteModel({ name, window }: RemoteModelList, ways: RemoteModelCalls): ModelProvider {
  const id = HOME + OF + name
  return {
    reader: { id, locality: 'home', ...PLACE_CLEARANCE.edge },
    ...(window !== undefined && { window }),
    async complete(prompt, limits, live) {
      const watch = watchCall(limits.timeout + GRACE, live?.signal)
      const ask = askFor(name, { prompt, limits, ways })
      const door = ways.door()
      const response = waitFor(door.askModel(ask), watch, () => door.dropModel(ask.id))
      return answerOf(id, await response)
    },
  }
}

/** Waits for home's answer, or for the end of the watch. The end of the watch cancels the request. */
async function waitFor<T>(
  asked: Promise<Result<T>>,
  watch: CallWatch,
  drop: () => Promise<void>,
): Promise<Result<T>> {
  try {
    const ended = watch.ended.then((reason) => ({ ok: false, reason }) as const)
    // An object that fails means that the connection is lost.
    return await Promise.race([asked.catch(() => err('home_offline')), ended])
  } finally {
    if (watch.reason() !== null) void drop().catch(() => undefined)
    watch.close()
  }
}

interface Asking {
  /** Opened by `finalize`, for this model only. */
  readonly prompt: FinalPrompt
  readonly limits: ModelLimits
  readonly ways: RemoteModelCalls
}

function askFor(model: string, { prompt, limits, ways }: Asking): Omit<ModelAsk, 'epoch'> {
  const { stable, session, history, now, provenance, parts, picture } = prompt
  const { maxTokens, timeout, schema } = limits
  return {
    ...{ id: ways.newId(), principal: OWNER_PRINCIPAL, model, purpose: parts.purpose, form: PROMPT_FORM },
    ...{ prompt: { stable, session, history, now }, provenance, maxTokens, timeout: Math.ceil(timeout) },
    ...(schema !== undefined && { schema }),
    ...(picture !== null && { picture }),
  }
}

function answerOf(model: string, response: Result<ModelResponse>): Result<ModelAnswer> {
  if (!response.ok) return err(response.reason.code, { model, ...response.reason.facts })
  if (response.value.ok) {
    const { text, cut, tokens } = response.value
    return ok({ text, cut, tokens })
  }
  const { reason, after } = response.value
  const code = MODEL_REASONS.find((known) => known === reason) ?? 'model_failed'
  return err(code, { model, ...(after !== undefined && { after }) })
}

/** Sends a request to home; TunnelObject adds the connection. */
interface FileDoor {
  askFile(ask: Unsent<FileAsk>): Promise<Result<FileAnswer>>
  /** Cancels the request. */
  dropFile(id: string): Promise<void>
}

interface HomeReaderWays {
  readonly door: () => FileDoor
  readonly newId: () => string
  /** Time limit in milliseconds; for tests. */
  readonly within?: number
}

/**
 * Time limits, milliseconds: what home allows for one file plus one of its own before it. On a small machine transcription takes as
 * long as the recording.
 */
const WITHIN: Readonly<Record<AskedKind, number>> = {
  pdf: 45_000,
  document: 45_000,
  sound: 185_000,
}

/** Reasons that home may give for not reading a file; any other one is reported as tool_failed. */
const FILE_REASONS: readonly ReasonCode[] = [
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

export function createHomeReaders(
  ways: HomeReaderWays,
): Required<Pick<FileReaders, 'pdf' | 'document' | 'sound'>> {
  const reads =
    (kind: AskedKind): FileReader =>
    (bytes) =>
      askHome(ways, kind, bytes)
  return {
    pdf: reads('pdf'),
    document: reads('document'),
    // Home gives what comes from the edge to no other provider.
    sound: { reader: { id: 'home/speech', locality: 'home', ...PLACE_CLEARANCE.edge }, read: reads('sound') },
  }
}

async function askHome(
  { door, newId, within }: HomeReaderWays,
  kind: AskedKind,
  bytes: Uint8Array,
): Promise<Result<FileText>> {
  if (bytes.length > MOST_FORWARDED) return err('response_too_large', { max: MOST_FORWARDED })
  const watch = watchCall(within ?? WITHIN[kind], undefined)
  const home = door()
  const id = newId()
  const asked = home.askFile({ id, kind, bytes: bytes.toBase64() })
  const answer = await waitFor(asked, watch, () => home.dropFile(id))
  return watch.reason() === null ? textOf(answer) : err('tool_failed')
}

function textOf(answer: Result<FileAnswer>): Result<FileText> {
  if (answer.ok && answer.value.ok) {
    const { text, pages, title } = answer.value
    return ok({ text, ...(pages !== undefined && { pages }), ...(title !== undefined && { title }) })
  }
  const said = answer.ok ? (answer.value as { readonly reason: string }).reason : answer.reason.code
  return err(FILE_REASONS.find((known) => known === said) ?? 'tool_failed')
}
