/** Entry point of `npm start`: runs start/run.ts as sidecar/main.ts runs home, and nothing else. */
import { loadProgram } from '../sidecar/process/load-bundle.ts'

await loadProgram('scripts/start/run.ts', () => import('./start/run.ts'))
