/** Entry point of the edge's process: runs edge-process.ts as sidecar/main.js runs home, and nothing else. Started by edge.ts. */
import { loadProgram } from '../../sidecar/process/load-bundle.js'

await loadProgram('scripts/start/edge-process.ts', () => import('./edge-process.ts'))
