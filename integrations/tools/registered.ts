/**
 * The declarations of all tool packages, as every place registers them, and what is said of each action. Data alone: what runs is in each
 * place's own table. Must not name a tool. Called by both places and by the rules model.
 */
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import { DECLARED } from './declared.ts'
import { type ActionWords, completeManifest, type Runner, type ToolPowers, wordsOf } from './package.ts'
import type { Phrases } from './phrase.ts'

/** Every tool, with its words: a plan may name what only the other place runs. */
export const TOOL_MANIFESTS: readonly ToolManifest[] = Object.freeze(DECLARED.map(completeManifest))

/** A runner's tool; what it declares of hosts is its own, words come from the package. */
export function createTool<P extends ToolPowers>({ create }: Runner<P>, powers: P): Tool {
  const tool = create(powers)
  const own = DECLARED.find(({ manifest }) => manifest.name === tool.manifest.name)
  return own === undefined
    ? tool
    : { ...tool, manifest: completeManifest({ ...own, manifest: tool.manifest }) }
}

/** What is said of an action; undefined for one that no package declares. */
export function actionWords(id: string): ActionWords | undefined {
  const found = DECLARED.find(({ manifest }) => manifest.actions.some((action) => action.id === id))
  return found === undefined ? undefined : wordsOf(found.words, id)
}

/** How people ask for what the tools do, a row each package. */
export const TOOL_PHRASES: readonly Phrases[] = Object.freeze(DECLARED.map(({ phrases }) => phrases))

/** What is asked where a request lacks something, by the reason that a package gives for it; null for a reason of none. */
export function askedFor(reason: string): string | null {
  const asks = DECLARED.flatMap(({ words }) => Object.values(words)).map((action) => action.asks ?? {})
  return asks.find((one) => Object.hasOwn(one, reason))?.[reason] ?? null
}
