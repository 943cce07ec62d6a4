/**
 * The chain of models that a template's task calls, in order (D-09, D-12): the configured
 * chain, the template's own model first, or home models only. Pure. Must not decide what a
 * model may read: router.ts does, for each in turn. Called by model-call.ts and history-use.ts.
 */
import type { Template } from '../template/template.ts'
import type { ModelProvider } from './provider.ts'

/** In a template: no cloud model, whatever is configured. */
const LOCAL = 'local'

/** Separates provider and model in the id of a model that a template chose. */
const OF = ':'

/** The configured provider of a model. Its breaker, key and price are stored under this name. */
export function providerOf(reader: string): string {
  return reader.split(OF, 1)[0] ?? reader
}

export function readerId(provider: string, model: string | null): string {
  return model === null ? provider : provider + OF + model
}

/**
 * A configured provider, whether or not the chain names it, with another model or its own (null); null if no provider has that
 * name.
 */
export type ModelOf = (provider: string, model: string | null) => ModelProvider | null

/**
 * `models`: the place's chain, in order. The last stays last. A provider that only templates name is used by those templates
 * only (D-09).
 */
export function chainFor(
  models: readonly ModelProvider[],
  { provider, model }: Template['inference'],
  modelOf: ModelOf = () => null,
): readonly ModelProvider[] {
  const isOwn = ({ reader, reads }: ModelProvider): boolean =>
    provider === LOCAL ? reader.locality === 'home' && reads !== 'parts' : reader.id === provider
  const own = models.filter(isOwn)
  const others = models.filter(
    (one) => !isOwn(one) && (provider !== LOCAL || one.reader.locality !== 'cloud'),
  )
  const [first, ...rest] = own
  const outside = first === undefined && provider !== LOCAL ? modelOf(provider, model) : null
  if (outside !== null) return [outside, ...others]
  const named = first === undefined || model === null ? null : modelOf(first.reader.id, model)
  // Another model of a local server may still run in a cloud.
  const chosen = provider === LOCAL && named?.reader.locality === 'cloud' ? null : named
  return [...(chosen === null ? own : [chosen, ...rest]), ...others]
}
