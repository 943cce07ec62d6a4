/** Entry point of the `pfar` command: runs pfar.ts as sidecar/main.js runs home, and nothing else. Called by scripts/pfar.mjs. */
import { loadProgram } from '../process/load-bundle.js'

await loadProgram('sidecar/cli/pfar.ts', () => import('./pfar.ts'))
