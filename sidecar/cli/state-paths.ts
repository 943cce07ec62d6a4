/** Paths of the files of one installation (PFAR_HOME, default ~/.pfar). Must not open them. Called by the commands and by `npm start`. */
import { join } from 'node:path'
import { configPath } from '../config/config.ts'
import { stateFolderPath } from '../store/state-folder.ts'

export interface StatePaths {
  readonly root: string
  readonly config: string
  /** Unix socket of the private line. */
  readonly socket: string
  readonly edge: string
  /** Keys, address and port of the local edge (0600). */
  readonly edgeFile: string
  /** Process id of the `npm start` that owns the folder. */
  readonly lock: string
  /** Configuration of a demo run: the owner's with the demo accounts added. Rewritten at each start. */
  readonly demoConfig: string
  readonly logs: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export function statePaths(environment: Environment): StatePaths {
  const root = stateFolderPath(environment)
  const edge = join(root, 'edge')
  return {
    root,
    config: configPath(environment, root),
    socket: join(root, 'home.sock'),
    edge,
    edgeFile: join(edge, 'edge.json'),
    lock: join(root, 'start.pid'),
    demoConfig: join(root, 'demo.toml'),
    logs: join(root, 'logs'),
  }
}
