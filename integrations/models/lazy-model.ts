/**
 * A model whose adapter is loaded with its first call: a place that asks none holds no provider's library. Says beforehand
 * what a choice and a prompt need of it. Must not change a call. Called by home's wiring.
 */
import { err } from '../../kernel/flow/verdict.ts'
import type { TextModel } from '../../kernel/inference/provider.ts'

type Known = Omit<TextModel, 'complete'>

export function createLazyModel(known: Known, load: () => Promise<TextModel>): TextModel {
  let loading: Promise<TextModel> | null = null
  return {
    ...known,
    async complete(prompt, limits, live) {
      loading ??= load()
      const model = await loading.catch(() => null)
      // Not kept: what could not be read from the disk now may be there at the next call.
      if (model === null) loading = null
      return model === null
        ? err('model_failed', { model: known.reader.id })
        : model.complete(prompt, limits, live)
    },
  }
}
