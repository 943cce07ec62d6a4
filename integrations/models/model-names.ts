/**
 * Lists the models that a provider offers for a key, newest first if it states creation times. Must not send a prompt, nor
 * return any of the provider's text but model names. Called by `pfar model add`.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { ANTHROPIC_HEADERS } from './anthropic/model.ts'
import { watchCall } from './call-watch.ts'
import type { ModelConnection } from './connection.ts'
import { failureOf, type ProviderFailure } from './failure.ts'
import { createProviderFetch } from './provider-fetch.ts'
import type { ProviderKind } from './provider-settings.ts'

/** Maximum duration of the whole request and of silence, in ms. */
const TIMEOUT = 15_000
/** Maximum bytes: brokers describe several hundred models at length. */
const LIMITS = { maxBytes: 8_388_608, maxFrame: 8_388_608 } as const
/** Names that are safe in the configuration and on a terminal. */
const NAME = /^[\w./:@+-]{1,200}$/
/** Maximum number of models read from the list; the rest is ignored. */
const MAX_NAMES = 2_000

/** Refusals as for a model call (`ModelProvider`); a rejected key is model_misconfigured. */
export async function listModelNames(
  kind: ProviderKind,
  { baseUrl, ...connection }: ModelConnection,
  key: string | null,
): Promise<Result<readonly string[]>> {
  if (kind === 'ollama') {
    const { listOllama } = await import('./ollama/library.ts')
    const found = await listOllama({ ...connection, baseUrl })
    return found.ok ? ok(found.value.map(({ name }) => name)) : found
  }
  const isAnthropic = kind === 'anthropic'
  const watch = watchCall(TIMEOUT, undefined)
  watch.silence(TIMEOUT)
  let failure: ProviderFailure | null = null
  const fetch = createProviderFetch({
    ...{ connection: { ...connection, baseUrl }, watch, key, frames: 'whole', limits: LIMITS, idle: TIMEOUT },
    ...(isAnthropic && { headers: ANTHROPIC_HEADERS }),
    failed: (why) => {
      failure ??= why
    },
  })
  try {
    const response = await fetch(isAnthropic ? `${baseUrl}/v1/models?limit=1000` : `${baseUrl}/models`)
    return ok(namesIn(await response.json()))
  } catch (thrown) {
    return { ok: false, reason: watch.reason() ?? failureOf(thrown, failure).reason }
  } finally {
    watch.close()
  }
}

/** Both APIs answer `{ data: [{ id, … }] }`. The creation time is `created` (seconds), `created_at` (text), or absent. */
function namesIn(answer: unknown): readonly string[] {
  const data: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : null
  if (!Array.isArray(data)) throw new TypeError('no list')
  const found = data.slice(0, MAX_NAMES).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const id: unknown = Reflect.get(entry, 'id')
    if (typeof id !== 'string' || !NAME.test(id)) return []
    return [
      { id, made: timeIn(Reflect.get(entry, 'created')) ?? timeIn(Reflect.get(entry, 'created_at')) ?? 0 },
    ]
  })
  return found.toSorted((a, b) => b.made - a.made).map(({ id }) => id)
}

function timeIn(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value * 1_000
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
