/**
 * Which test files read a date, found in the tree: those that ask the clock, or import, however far below, what does. Those of
 * real processes do by the processes that they start, those of the edge by its objects. Called by dates.ts.
 */
import { readTree } from '../../scripts/source-check.ts'
import { factsOf } from '../../scripts/source-facts.ts'

const ASKED = ['Date.now', 'new Date()']
/** They reach production, which asks the clock everywhere, without an import: by processes, or by the bindings of workerd. */
const STARTING = ['test/e2e/', 'test/regression/', 'test/load/', 'test/worker/']

interface File {
  readonly asks: boolean
  readonly imports: readonly string[]
}

export function dateReaders(tree: ReadonlyMap<string, string> = readTree()): readonly string[] {
  const files = new Map<string, File>()
  for (const [path, text] of tree) if (path.endsWith('.ts')) files.set(path, fileOf(path, text))
  const reads = (path: string): boolean =>
    STARTING.some((folder) => path.startsWith(folder)) || closure(path, files).some(({ asks }) => asks)
  return [...files.keys()].filter((path) => path.endsWith('.test.ts') && reads(path)).sort()
}

function fileOf(path: string, text: string): File {
  const { mentions, imports } = factsOf(path, text)
  return { asks: mentions.some(({ name }) => ASKED.includes(name)), imports: imports.map(({ name }) => name) }
}

function closure(path: string, files: ReadonlyMap<string, File>): readonly File[] {
  const seen = new Set([path])
  for (const one of seen)
    for (const name of files.get(one)?.imports ?? []) if (files.has(name)) seen.add(name)
  return [...seen].flatMap((one) => files.get(one) ?? [])
}
