/** Fewer samples a law, since a mutation run repeats each for many mutants. Called by `vitest.flow.config.ts`. */
import fc from 'fast-check'

fc.configureGlobal({ numRuns: 30 })
