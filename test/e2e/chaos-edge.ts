/**
 * `npm start --only edge` with the Worker of test/fakes in place of the product's, for the tests that need strangers,
 * a cloud model or an eviction at the edge: keys, enrolment, process and folders are the product's own. Lays the bundle
 * where a start looks for one. Must not decide anything. Called by the tests of chaos and of canaries.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPTIONS_FILE, sourceHash } from '../../scripts/start/bundle.ts'
import { ROOT } from '../../scripts/start/child.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { openEdgePins } from '../../sidecar/tunnel/pairing.ts'
import { type WorkerBundle, workerBundle } from '../kit/worker-bundle.ts'

const FAKES = 'test/fakes/worker/index.ts'
const ENTRY = 'index.js'

/** One text for another in a built program, to see what a guard was good for. */
export interface Patch {
  readonly find: string
  readonly replace: string
}

/** The Worker of test/fakes, or another; `readable` where texts of it are to be patched. */
export function bundleFakes({ readable = false, entry = FAKES } = {}): Promise<WorkerBundle> {
  return workerBundle(entry, readable)
}

export interface Laid {
  /** State folder of the installation. */
  readonly folder: string
  readonly made: WorkerBundle
  readonly bindings: Readonly<Record<string, string>>
  readonly patches?: readonly Patch[]
}

/** From now on a start in this folder runs these. Throws when a patch does not fit exactly once: it would prove nothing. */
export function layBundle({ folder, made, bindings, patches = [] }: Laid): void {
  const place = join(statePaths({ PFAR_HOME: folder }).edge, 'bundle', sourceHash(ROOT))
  mkdirSync(place, { recursive: true, mode: 0o700 })
  cpSync(made.folder, place, { recursive: true })
  const options = JSON.parse(readFileSync(join(place, OPTIONS_FILE), 'utf8'))
  const { workerOptions } = options
  const bound = { ...workerOptions, bindings: { ...workerOptions.bindings, ...bindings } }
  writeFileSync(join(place, OPTIONS_FILE), JSON.stringify({ ...options, workerOptions: bound }))
  const program = readFileSync(join(place, ENTRY), 'utf8')
  writeFileSync(join(place, ENTRY), patches.reduce(patched, program))
}

function patched(program: string, { find, replace }: Patch): string {
  const pieces = program.split(find)
  if (pieces.length !== 2) throw new Error(`${pieces.length - 1} places for the patch of: ${find}`)
  return pieces.join(replace)
}

/** Home believes an edge by its key, whatever address it is reached by; the owner paired it under this one, too. */
export function pinAt(folder: string, url: string): void {
  const state = openStateFolder(folder)
  if (!state.ok) throw new Error('no folder')
  const pins = openEdgePins(state.value)
  const edge = pins.pinOf(edgeOrigin(folder))
  if (edge === null || !pins.pin({ ...edge, url }).ok) throw new Error('the edge is not pinned')
}

/** Origin of the running edge. */
export function edgeOrigin(folder: string): string {
  const record = readEdgeRecord(statePaths({ PFAR_HOME: folder }).edgeFile)
  if (!record.ok || record.value === null) throw new Error('there is no edge yet')
  return record.value.url
}
