/**
 * Makes what the first start would wait for: the programs and the Worker. Nothing depends on it: a start makes what is missing, and says
 * what is wrong. Must not write outside node_modules/.cache. Run by scripts/installed.mjs.
 */
import { makePrograms } from '../../sidecar/process/load-bundle.js'
import { ensureBundle, SHARED } from './bundle.ts'

makePrograms()
await ensureBundle({ own: SHARED, onBuild: () => undefined, signal: AbortSignal.timeout(60_000) })
