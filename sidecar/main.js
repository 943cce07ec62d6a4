/**
 * Home's process: `node sidecar/main.js`. Runs home.ts, from one file with all that it imports where that can be had. Must not do
 * anything else. Called by the start script or a service manager.
 */
import { loadProgram } from './process/load-bundle.js'

await loadProgram('sidecar/home.ts', () => import('./home.ts'))
