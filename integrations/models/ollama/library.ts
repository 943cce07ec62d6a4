/**
 * Manages the models of a local Ollama: lists them with their windows, pulls one with progress, loads one before the first call.
 * Must not send a prompt. Returns names and numbers only, none of Ollama's texts. Called by model-names.ts and, at home, by the
 * wiring of models, `pfar init` and the doctor.
 */
import { Ollama } from 'ollama/browser'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { StopSignal } from '../../../kernel/inference/provider.ts'
import { type CallWatch, watchCall } from '../call-watch.ts'
import type { ModelConnection } from '../connection.ts'
import { failureOf, type ProviderFailure } from '../failure.ts'
import type { FrameKind } from '../frames.ts'
import { createProviderFetch } from '../provider-fetch.ts'
import { counted } from '../streamed-model.ts'
import { keepAlive, type OllamaSettings } from './model.ts'

export interface LocalModel {
  readonly name: string
  /** Size on disk, in bytes. */
  readonly bytes: number
  /** Context window in tokens; null if the model's file does not state it. */
  readonly window: number | null
}

/** Bytes of all layers announced so far. */
export interface PullProgress {
  readonly completed: number
  readonly total: number
}

/** Maximum duration of a query, in ms: the server answers from its own disk. */
const ASK_TIMEOUT = 10_000
/** Maximum time without progress, in ms: the server reports many times a second during a download. */
const PULL_SILENCE = 120_000
/** Maximum duration of a download, in ms: enough for the largest model over a slow connection. */
const PULL_TIMEOUT = 24 * 3_600_000
/** Maximum time to load a model, in ms: enough from a slow disk. */
const LOAD_TIMEOUT = 600_000
/** Maximum bytes of an answer, which contains the model's template and licence. */
const MAX_ASKED = 8_388_608
const MAX_PULLED = 268_435_456
const MAX_FRAME = 65_536
/** Maximum number of models listed; the window of each is one more query. */
const MAX_MODELS = 100
const NAME = /^[\w./:-]{1,200}$/

/** Refusals as for a model call (`ModelProvider`), without a model's name. */
export function listOllama(connection: ModelConnection): Promise<Result<readonly LocalModel[]>> {
  return ask(connection, { timeout: ASK_TIMEOUT, frames: 'whole' }, async (api) => {
    const { models }: { models: unknown } = await api.list()
    if (!Array.isArray(models)) throw new TypeError('no list')
    const found: LocalModel[] = []
    for (const { name, size } of models.slice(0, MAX_MODELS)) {
      if (typeof name !== 'string' || !NAME.test(name)) continue
      // A model whose details cannot be read is listed without its window.
      const shown = await api.show({ model: name }).catch(() => null)
      found.push({ name, bytes: counted(size), window: windowIn(shown?.model_info) })
    }
    return found
  })
}

/** Whether a model accepts pictures; null if the server is too old to tell. Refusals as for `listOllama`. */
export function seesPictures(connection: ModelConnection, model: string): Promise<Result<boolean | null>> {
  const options = { timeout: ASK_TIMEOUT, frames: 'whole' } as const
  return ask(connection, options, async (api) => {
    const { capabilities }: { capabilities?: unknown } = await api.show({ model })
    return Array.isArray(capabilities) ? capabilities.includes('vision') : null
  })
}

/** Downloads a model; calls `progress` at each step. Refusals as for `listOllama`; task_stopped by the signal. */
export function pullOllama(
  connection: ModelConnection,
  model: string,
  live: { readonly progress?: (progress: PullProgress) => void; readonly signal?: StopSignal } = {},
): Promise<Result<true>> {
  if (!NAME.test(model)) return Promise.resolve(err('model_misconfigured', { rule: 'name' }))
  const options = {
    timeout: PULL_TIMEOUT,
    silence: PULL_SILENCE,
    frames: 'line',
    stop: live.signal,
  } as const
  return ask(connection, options, async (api) => {
    const layers = new Map<string, PullProgress>()
    for await (const { digest, completed, total } of await api.pull({ model, stream: true })) {
      if (typeof digest !== 'string') continue
      layers.set(digest, { completed: counted(completed), total: counted(total) })
      live.progress?.(sumOf(layers.values()))
    }
    return true as const
  })
}

/**
 * Loads the model with the window that its calls will use: Ollama would reload it for another window. Refusals as for
 * `listOllama`.
 */
export function warmOllama(settings: OllamaSettings, connection: ModelConnection): Promise<Result<true>> {
  const { model, window } = settings
  const options = { timeout: LOAD_TIMEOUT, frames: 'whole' } as const
  return ask(connection, options, async (api) => {
    await api.generate({
      model,
      prompt: '',
      keep_alive: keepAlive(settings),
      options: { num_ctx: window },
      stream: false,
    })
    return true as const
  })
}

interface AskOptions {
  readonly timeout: number
  readonly silence?: number
  readonly frames: FrameKind
  readonly stop?: StopSignal | undefined
}

async function ask<T>(
  connection: ModelConnection,
  options: AskOptions,
  run: (api: Ollama) => Promise<T>,
): Promise<Result<T>> {
  const watch = watchCall(options.timeout, options.stop)
  watch.silence(options.silence ?? options.timeout)
  let failure: ProviderFailure | null = null
  const failed = (why: ProviderFailure): void => {
    failure ??= why
  }
  try {
    const api = await apiOver(connection, options, { watch, failed })
    if (!api.ok) return api
    const late = watch.ended.then((reason) => ({ ok: false, reason }) as const)
    return await Promise.race([run(api.value).then(ok), late])
  } catch (thrown) {
    return { ok: false, reason: watch.reason() ?? failureOf(thrown, failure).reason }
  } finally {
    watch.close()
  }
}

async function apiOver(
  connection: ModelConnection,
  { frames }: AskOptions,
  call: { readonly watch: CallWatch; readonly failed: (why: ProviderFailure) => void },
): Promise<Result<Ollama>> {
  const key = connection.key === null ? null : await connection.key({})
  if (key !== null && !key.ok) return err('model_misconfigured', { rule: key.reason.code })
  const limits =
    frames === 'line'
      ? { maxBytes: MAX_PULLED, maxFrame: MAX_FRAME }
      : { maxBytes: MAX_ASKED, maxFrame: MAX_ASKED }
  const fetch = createProviderFetch({
    connection,
    key: key === null ? null : key.value,
    frames,
    limits,
    idle: PULL_SILENCE,
    ...call,
  })
  return ok(new Ollama({ host: connection.baseUrl, fetch }))
}

/** The window is under a key that depends on the model's architecture, such as `llama.context_length`. */
function windowIn(info: unknown): number | null {
  if (typeof info !== 'object' || info === null) return null
  const entries = info instanceof Map ? [...info] : Object.entries(info)
  const found = entries.find(([name]) => String(name).endsWith('.context_length'))
  return counted(found?.[1]) || null
}

function sumOf(layers: Iterable<PullProgress>): PullProgress {
  let [completed, total] = [0, 0]
  for (const layer of layers) {
    completed += layer.completed
    total += layer.total
  }
  return { completed, total }
}
