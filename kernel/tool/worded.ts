/**
 * What people read of an action, in the owner's language: the words of its card and of its progress. An action that no package words, such as one
 * of the kernel's own, has those that it declares. Must not be shown to a model. Called by cards and by progress.
 */
import { translation } from '../wording/language.ts'
import type { ActionManifest, CardWords } from './manifest.ts'

type Worded = Pick<ActionManifest, 'id' | 'card' | 'progress'>

export function cardWords({ id, card }: Worded): CardWords | undefined {
  return translation() === null ? card : (own(id)?.card ?? card)
}

export function progressWords({ id, progress }: Worded): string | undefined {
  return translation() === null ? progress : (own(id)?.progress ?? progress)
}

function own(id: string) {
  const actions = translation()?.actions ?? {}
  return Object.hasOwn(actions, id) ? actions[id] : undefined
}
