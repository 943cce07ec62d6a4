/**
 * Which models a template's task asks, and in which order (D-09, D-12): as configured, its own first, or those at home
 * alone. Pure. Must not decide what a model may read: router.ts does, for each in turn. Called by model-call.ts and
 * history-use.ts.
 */
import type { Template } from '../template/template.ts'
import type { ModelProvider } from './provider.ts'

/** Written in a template: no model of another company, whatever is configured. */
const LOCAL = 'local'

/** Stands between a provider's name and a model that a template chose, in a reader's id. */
const OF = ':'

/** The configured provider behind a model: what its breaker, its key and its price are kept by. */
export function providerOf(reader: string): string {
  return reader.split(OF, 1)[0] ?? reader
}

export function readerId(provider: string, model: string | null): string {
  return model === null ? provider : provider + OF + model
}

/**
 * A configured provider, whether or not the chain names it, with another model or its own (null); null where there is none of
 * that name.
 */
export type ModelOf = (provider: string, model: string | null) => ModelProvider | null

/**
 * `models`: those of the place's chain, in its order. The last stays the last. A provider that only templates name is asked by
 * theirs (D-09).
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
  // Another model of one's own server may be a company's all the same.
  const chosen = provider === LOCAL && named?.reader.locality === 'cloud' ? null : named
  return [...(chosen === null ? own : [chosen, ...rest]), ...others]
}
