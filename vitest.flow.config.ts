/** Runs the tests of `kernel/flow` alone: what the mutation run repeats for every mutant (stryker.config.json). */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/flow/**/*.test.ts'], setupFiles: ['test/flow/quick.setup.ts'], isolate: false },
})
