/**
 * Settings of home's models for the local edge of `npm start` (D-20): the providers marked `edge`, in the variable that
 * a deployed edge uses, and their keys as its secrets. Unseals nothing else. Must not run beside a home. Called by
 * scripts/start/bring-up.ts.
 */
import { HOME } from '../../integrations/models/provider-settings.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import type { HomeProvider } from '../models/models-config.ts'
import { atService, type OpenServiceInput } from './open-offers.ts'
import { issueModelKey } from './service-tokens.ts'

export type EdgeModelBindings = Readonly<Record<string, string>>

/** Refusals: storage_failed (another home runs), and those of the key ring. A missing key is left out. */
export async function edgeModelBindings(
  { models }: Pick<Config, 'models'>,
  input: OpenServiceInput,
): Promise<Result<EdgeModelBindings>> {
  const marked = models.providers.filter(({ edge, kind }) => edge && kind !== 'ollama')
  if (marked.length === 0) return ok({})
  const { failures, window, rest } = models.breaker
  const setting = {
    chain: edgeChain(models, marked),
    breaker: { failures, within_seconds: window / SECOND, rest_seconds: rest / SECOND },
    providers: marked.map(edgeEntry),
  }
  const keys = marked.some(({ key }) => key !== null) ? await unsealAll(marked, input) : ok({})
  return keys.ok ? ok({ MODELS: JSON.stringify(setting), ...keys.value }) : keys
}

/** In home's order; at the position of home's first own model, the edge asks home. */
function edgeChain({ chain, providers }: Config['models'], marked: readonly HomeProvider[]) {
  const isOwn = (name: string): boolean =>
    providers.some((one) => one.name === name && one.locality === 'home' && !marked.includes(one))
  const isMarked = (name: string): boolean => marked.some((one) => one.name === name)
  const asked = chain.map((name) => (isOwn(name) ? HOME : name))
  return [...new Set(asked.filter((name) => name === HOME || isMarked(name)))]
}

const SECOND = 1_000

function edgeEntry({ name, kind, model, baseUrl, window, system_role, starts_reasoning }: HomeProvider) {
  return { name, kind, model, base_url: baseUrl, window, system_role, starts_reasoning }
}

function unsealAll(
  providers: readonly HomeProvider[],
  input: OpenServiceInput,
): Promise<Result<EdgeModelBindings>> {
  return atService(input, async (_secretService, _offers, { secrets, audit }) => {
    const keys: Record<string, string> = {}
    for (const { name, key, baseUrl } of providers) {
      if (key === null) continue
      const { host } = new URL(baseUrl)
      // The values go only into the edge's own file, so nothing needs redaction.
      const redactor = { learn: () => undefined }
      const issued = await issueModelKey({ secrets, redactor, audit }, { provider: name, name: key, host })
      if (issued.ok) keys[`MODEL_KEY_${name.toUpperCase()}`] = issued.value.value
    }
    return ok(keys)
  })
}
