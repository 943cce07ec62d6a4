/**
 * The declarations of all tool packages, as every place registers them, and the words of each action. Data only: each place has
 * its own table of runners. Must not name a tool. Called by both places and by the rules model.
 */
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import { translation } from '../../kernel/wording/language.ts'
import { DECLARED } from './declared.ts'
import { type ActionWords, completeManifest, type Runner, type ToolPowers, wordsOf } from './package.ts'
import type { Phrases } from './phrase.ts'

/** Every tool, with its words. A plan may name a tool that only the other place runs. */
export const TOOL_MANIFESTS: readonly ToolManifest[] = Object.freeze(DECLARED.map(completeManifest))

/** Creates a runner's tool. Its hosts are its own, its words come from the package. */
export function createTool<P extends ToolPowers>({ create }: Runner<P>, powers: P): Tool {
  const tool = create(powers)
  const own = DECLARED.find(({ manifest }) => manifest.name === tool.manifest.name)
  return own === undefined
    ? tool
    : { ...tool, manifest: completeManifest({ ...own, manifest: tool.manifest }) }
}

/** Words in the owner's language; null in English. A translation has all of an action's words (scripts/tables/words.ts). */
function translated(id: string): ActionWords | null {
  return (translation()?.actions[id] as ActionWords | undefined) ?? null
}

/** Words of an action, in the owner's language; undefined for one that no package declares. */
export function actionWords(id: string): ActionWords | undefined {
  const found = DECLARED.find(({ manifest }) => manifest.actions.some((action) => action.id === id))
  return found === undefined ? undefined : (translated(id) ?? wordsOf(found.words, id))
}

/** The request phrases of all tools, one row per package. */
export const TOOL_PHRASES: readonly Phrases[] = Object.freeze(DECLARED.map(({ phrases }) => phrases))

/** The question about a missing part of a request, by the package's reason code; null for an unknown code. */
export function askedFor(reason: string): string | null {
  const asks = DECLARED.flatMap(({ manifest }) => manifest.actions).map(
    ({ id }) => actionWords(id)?.asks ?? {},
  )
  return asks.find((one) => Object.hasOwn(one, reason))?.[reason] ?? null
}
