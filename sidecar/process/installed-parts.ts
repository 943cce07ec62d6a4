/**
 * Which parts of PFAR this installation contains (an image of home has neither the edge's program nor the start script), and
 * which programs are on the PATH. Looks at files only. Must not run anything. Called by the `pfar` commands.
 */

import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Whether the edge's program is installed, which a deployment uploads. */
export const hasEdgeProgram = (): boolean => existsSync(join(ROOT, 'wrangler.toml'))

/** Starts home, edge and demo on this machine. An image does not contain it: the container engine starts home there. */
export const START_SCRIPT = join(ROOT, 'scripts/start.js')
export const canStart = (): boolean => existsSync(START_SCRIPT)

/** Command that starts this installation, as the owner types it. */
export const startCommand = (): string => (canStart() ? 'npm start' : 'podman compose up -d')

/** Shown when a command needs the edge's program and it is not installed. */
export const NO_EDGE_PROGRAM =
  'This is home alone, without the program of an edge. In a checkout of PFAR `pfar deploy` makes an edge and `pfar devices add` a code; `pfar pair <edge> <code>` here joins the two.'

export function isOnPath(name: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
