/**
 * The declarations of all tool packages, as every place registers them, and what is said of each action. Data alone: what runs is in each
 * place's own table. Must not name a tool. Called by both places and by the rules model.
 */
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import { DECLARED } from './declared.ts'
import {
  type ActionWords,
  type Phrase,
  type Runner,
  type ToolPowers,
  wordedManifest,
  wordsOf,
} from './package.ts'

/** Every tool, with its words: a plan may name what only the other place runs. */
export const TOOL_MANIFESTS: readonly ToolManifest[] = Object.freeze(
  DECLARED.map(({ manifest, words }) => wordedManifest(manifest, words)),
)

/** A runner's tool; what it declares of hosts is its own, words come from the package. */
export function createTool<P extends ToolPowers>({ create }: Runner<P>, powers: P): Tool {
  const tool = create(powers)
  const words = DECLARED.find(({ manifest }) => manifest.name === tool.manifest.name)?.words ?? {}
  return { ...tool, manifest: wordedManifest(tool.manifest, words) }
}

/** What is said of an action; undefined for one that no package declares. */
export function actionWords(id: string): ActionWords | undefined {
  const found = DECLARED.find(({ manifest }) => manifest.actions.some((action) => action.id === id))
  return found === undefined ? undefined : wordsOf(found.words, id)
}

/** Sentences that stand for plans of these tools alone. */
export function phrasesOf(offered: ReadonlySet<string>): readonly Phrase[] {
  return DECLARED.flatMap(({ phrases }) => phrases).filter(({ plan }) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool))),
  )
}
