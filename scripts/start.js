/** Entry point of `npm start`: runs start/run.ts as sidecar/main.js runs home, and nothing else. */
import { loadProgram } from '../sidecar/process/load-bundle.js'

await loadProgram('scripts/start/run.ts', () => import('./start/run.ts'))
