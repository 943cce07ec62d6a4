/**
 * The suites. `node`: pure code and home, on all cores, modules loaded once. `mocks`: those of its files that replace a module
 * or its environment, each alone. `worker`: the edge in real workerd with real SQLite. `e2e`: real processes and sockets, some files side by side.
 */
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { resting } from './scripts/test/turns.ts'
import { workerBindings } from './test/worker/bindings.ts'

const E2E = ['test/e2e/**/*.test.ts', 'test/regression/**/*.test.ts', 'test/load/**/*.test.ts']

/** Modules are shared by the files of a worker, so a file that replaces one, or sets what one reads as it loads, runs alone. */
const MOCKS = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
  /vi\.(?:mock|stubEnv)\(/.test(readFileSync(`${import.meta.dirname}/${path}`, 'utf8')),
)

/** Left out of a whole run by `npm test`, whose turn it is not. */
const RESTING = resting(process.env['PFAR_TURN'])

/** Ends what a file started. */
const SETUP = ['./test/kit/setup.ts']

/** Files of real processes wait more than they work: a core can hold two. */
const E2E_WORKERS = availableParallelism() * 2

/** Milliseconds. Real processes start, drop and reconnect in these. */
const E2E_TIMEOUT = 120_000
const WORKER_TIMEOUT = 30_000
/** Nothing here waits: it bounds a hang, and leaves room for a busy machine. */
const NODE_TIMEOUT = 30_000

/** Milliseconds until what is looked at again and again is given up: a second, as it would be, is short on a busy machine. */
const POLL = { poll: { timeout: 15_000 } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          setupFiles: SETUP,
          // All cores: vitest would leave one of two idle.
          maxWorkers: availableParallelism(),
          isolate: false,
          expect: POLL,
          include: ['test/**/*.test.ts'],
          exclude: ['test/worker/**', ...E2E, ...MOCKS, ...RESTING],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
        },
      },
      {
        test: {
          name: 'mocks',
          setupFiles: SETUP,
          maxWorkers: availableParallelism(),
          expect: POLL,
          include: MOCKS,
          exclude: ['test/worker/**', ...E2E],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            // The scripted channel and model stand beside the same objects; production never sees them.
            main: './test/fakes/worker/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: workerBindings(inject('loopback'), inject('telegram')) },
          })),
        ],
        test: {
          name: 'worker',
          expect: POLL,
          include: ['test/worker/**/*.test.ts'],
          exclude: [...RESTING],
          globalSetup: ['./test/worker/loopback.ts'],
          testTimeout: WORKER_TIMEOUT,
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles: SETUP,
          expect: POLL,
          include: E2E,
          exclude: [...RESTING],
          pool: 'forks',
          // Modules are shared, as above: to load them again for each file takes as long as a short one runs.
          isolate: false,
          maxWorkers: E2E_WORKERS,
          globalSetup: ['./test/e2e/bundle.ts'],
          testTimeout: E2E_TIMEOUT,
          hookTimeout: E2E_TIMEOUT,
        },
      },
    ],
  },
})
