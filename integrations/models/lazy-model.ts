/**
 * A model whose adapter is loaded at its first call, so that a place without calls loads no provider's library. The properties
 * needed to choose it and to fit a prompt are known before. Must not change a call. Called by home's wiring.
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
      // A failed load is not cached: the next call may be able to read the file.
      if (model === null) loading = null
      return model === null
        ? err('model_failed', { model: known.reader.id })
        : model.complete(prompt, limits, live)
    },
  }
}
