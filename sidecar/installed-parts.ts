/**
 * Which parts of PFAR stand in this installation: an image of home brings neither the edge's program nor what starts a whole machine.
 * Files alone are looked at. Must not run anything. Called by the `pfar` commands.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Whether the edge's program is here, which a deployment uploads. */
export const hasEdgeProgram = (): boolean => existsSync(join(ROOT, 'wrangler.toml'))

/** What starts home, edge and demo on this machine; in an image it is missing, where home is what the engine starts. */
export const START_SCRIPT = join(ROOT, 'scripts/start.ts')
export const canStart = (): boolean => existsSync(START_SCRIPT)

/** What starts this installation, as its owner types it. */
export const startCommand = (): string => (canStart() ? 'npm start' : 'podman compose up -d')

/** For who asks for an edge where there is no program of it. */
export const NO_EDGE_PROGRAM =
  'This is home alone, without the program of an edge. In a checkout of PFAR `pfar deploy` makes an edge and `pfar devices add` a code; `pfar pair <edge> <code>` here joins the two.'
