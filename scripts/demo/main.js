/** Entry point of the demo workspace's process: runs demo.ts as sidecar/main.js runs home, and nothing else. Started by scripts/start/demo.ts. */
import { loadProgram } from '../../sidecar/process/load-bundle.js'

await loadProgram('scripts/demo/demo.ts', () => import('./demo.ts'))
