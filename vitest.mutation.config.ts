/** Runs what the mutation run repeats for every mutant (test/mutation/main.ts): the tests of flow, task, machine and pipeline. */
import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Short files of the inner folders first. A run ends at the first test that fails, and a unit's own tests fail sooner than
 * those of a whole message; vitest's own order is the longest file first.
 */
class ShortFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = new Map(files.map((file) => [file, costOf(file.moduleId)]))
    return files.sort((one, other) => (cost.get(one) ?? 0) - (cost.get(other) ?? 0))
  }
}

/** Bytes, with every file of the pipeline after all others. */
function costOf(path: string): number {
  return statSync(path).size + (path.includes('/test/pipeline/') ? 1e9 : 0)
}

export default defineConfig({
  test: {
    include: ['test/{flow,task,machine,pipeline}/**/*.test.ts'],
    // It replaces a module, which the files that share its worker would then load.
    exclude: ['test/pipeline/modes.test.ts'],
    isolate: false,
    sequence: { sequencer: ShortFilesFirst },
  },
})
