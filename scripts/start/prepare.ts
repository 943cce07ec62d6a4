/**
 * Prepares what the first start would wait for: the programs and the Worker's bundle. Nothing depends on it: a start makes
 * whatever is missing and reports failures. Must not write outside node_modules/.cache. Run by scripts/installed.mjs and
 * scripts/test.ts.
 */
import { makePrograms } from '../../sidecar/process/load-bundle.js'
import { ensureBundle, SHARED } from './bundle.ts'

makePrograms()
await ensureBundle({ own: SHARED, onBuild: () => undefined, signal: AbortSignal.timeout(60_000) })
