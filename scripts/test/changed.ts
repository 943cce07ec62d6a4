/**
 * Selects the test files that a change reaches: those that import a changed file, those that start a process which imports one,
 * and those that name one. Pure. Called by scripts/test.ts for `--changed`, and by scripts/train/inputs.ts.
 */
import { posix } from 'node:path'

/** Entry points that the tests of a folder start without importing them. */
const STARTED: readonly (readonly [folder: string, entries: readonly string[]])[] = [
  ['test/worker/', ['test/fakes/worker/index.ts', 'worker/index.ts']],
  ...['test/e2e/', 'test/regression/', 'test/load/'].map(
    (folder) =>
      [
        folder,
        ['scripts/start.js', 'scripts/start/edge-main.js', 'sidecar/main.js', 'worker/index.ts'],
      ] as const,
  ),
]

/** Tests that read the whole tree. */
const READS_THE_TREE = /^test\/[^/]+\.test\.ts$/

/** Files that every suite depends on. */
const REACHES_ALL =
  /^(?:package(?:-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|templates\/|migrations\/)/

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * Paths of the tests reached. `sources`: text of every TypeScript file, by path from the root. `changed`: paths from the root.
 */
export function reachedTests(
  sources: ReadonlyMap<string, string>,
  changed: readonly string[],
): readonly string[] {
  const tests = [...sources.keys()].filter((path) => path.endsWith('.test.ts'))
  if (changed.some((path) => REACHES_ALL.test(path))) return tests
  const touched = importersOf(sources, changed)
  const names = changed.map((path) => posix.basename(path))
  return tests.filter(
    (test) =>
      touched.has(test) ||
      READS_THE_TREE.test(test) ||
      startedBy(test).some((entry) => touched.has(entry)) ||
      names.some((name) => sources.get(test)?.includes(name)),
  )
}

const startedBy = (test: string): readonly string[] =>
  STARTED.filter(([folder]) => test.startsWith(folder)).flatMap(([, entries]) => entries)

/** The entries and every file that they import, directly or indirectly. */
export function importedBy(
  sources: ReadonlyMap<string, string>,
  entries: readonly string[],
): ReadonlySet<string> {
  const seen = new Set(entries)
  for (const path of seen)
    for (const [, target = ''] of (sources.get(path) ?? '').matchAll(IMPORT))
      seen.add(posix.normalize(posix.join(posix.dirname(path), target)))
  return seen
}

/** The changed files and every file that imports one of them, directly or indirectly. */
function importersOf(sources: ReadonlyMap<string, string>, changed: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [path, text] of sources)
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      const imported = posix.normalize(posix.join(posix.dirname(path), target))
      importers.set(imported, [...(importers.get(imported) ?? []), path])
    }
  const seen = new Set(changed)
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer)
  return seen
}
