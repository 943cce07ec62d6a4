/** Runs what the mutation run repeats for every mutant (test/mutation/main.ts): the tests of flow, task, machine and pipeline. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{flow,task,machine,pipeline}/**/*.test.ts'],
    // It replaces a module, which the files that share its worker would then load.
    exclude: ['test/pipeline/modes.test.ts'],
    isolate: false,
  },
})
