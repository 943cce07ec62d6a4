/**
 * Loaded before a process of a test (`--import`, through NODE_OPTIONS): `Date` and timers go by the test clock, what is
 * started from here follows it, and so does an edge that Miniflare runs here. Production knows nothing of it.
 */
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BUNDLED, createTestClock } from './clock.ts'
import { followOffset } from './clock-file.ts'
import { handOn } from './follow.ts'
import { shiftDate } from './shifted-date.ts'
import { shiftTimers } from './timers.ts'

/** Address of the module that stands for the package, and where it finds what it exports. */
const PACKAGE = 'test-clock:miniflare'
const HANDED = 'test-clock:miniflare'
const PROGRAM = import.meta.resolve('miniflare')

const file = process.env['TEST_CLOCK'] ?? ownClock(process.env['TEST_CLOCK_AT'])
if (file !== undefined) {
  const offset = followOffset(file)
  if (!isEdgeStart(process.argv[1] ?? '')) {
    shiftDate(offset)
    shiftTimers(offset)
  }
  const handed = { TEST_CLOCK: file, NODE_OPTIONS: `--import=${import.meta.url}`, ...BUNDLED }
  Object.assign(process.env, handed)
  // There a module is changed, by its name.
  if (isEdgeStart(process.argv[1] ?? '')) delete process.env['PFAR_BUNDLE']
  handOn(handed)
  followInEdges(file, offset)
}

/** Of a process that runs test files: each starts at the moment, whatever the others took. */
function ownClock(at: string | undefined): string | undefined {
  if (at === undefined || !(process.argv[1] ?? '').endsWith('vitest/dist/workers/forks.js')) return undefined
  // Such a process is killed: whoever started it removes the folder.
  return createTestClock({ at: Number(at) }, process.env['TEST_CLOCKS']).env.TEST_CLOCK
}

/** The process around the runtime decides by the real date what the runtime can do. */
function isEdgeStart(script: string): boolean {
  return script.endsWith('scripts/start/edge-main.js')
}

/** Whoever imports Miniflare gets one whose Workers follow. Loaded only then: it takes a second. */
function followInEdges(clock: string, offset: () => number): void {
  const require = createRequire(import.meta.url)
  let real = ''
  const clockedPackage = () => {
    const { Miniflare, ...others } = require(real)
    const { clockedMiniflare } = require('./edge-start.ts')
    return { ...others, Miniflare: clockedMiniflare(Miniflare, { clock, offset }) }
  }
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      // By its name, or by its address, as the runner of tests imports what a test names.
      if (resolved.url !== PROGRAM || !context.conditions.includes('import')) return resolved
      real = fileURLToPath(resolved.url)
      return { url: PACKAGE, format: 'module', shortCircuit: true }
    },
    load(url, context, nextLoad) {
      if (url !== PACKAGE) return nextLoad(url, context)
      const made = clockedPackage()
      Object.assign(globalThis, { [HANDED]: made })
      const exported = Object.keys(made).map((name) => `export const ${name} = made.${name}`)
      const source = [`const made = globalThis[${JSON.stringify(HANDED)}]`, ...exported].join('\n')
      return { format: 'module', shortCircuit: true, source }
    },
  })
}
