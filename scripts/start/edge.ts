/**
 * Starts the local edge: keys, bundle, bindings, process. Must not run Miniflare in this process: the edge is a
 * separate one, so that it cannot read home's memory. Called by bring-up.ts.
 */
import { join } from 'node:path'
import { entryOf } from '../../integrations/models/budget-settings.ts'
import type { Budget } from '../../kernel/inference/budget.ts'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import { edgeCommands } from '../../sidecar/process/typed-commands.ts'
import type { DeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { type KeptChild, keepChild, lastLogLine } from './child.ts'
import type { LocalEdge } from './edge-keys.ts'
import { writeEdgeSpec } from './edge-spec.ts'
import { childEnvironment } from './environment.ts'
import { CHILD_SCRIPTS, childNote, runtimeNote } from './leftovers.ts'
import { done, type Outcome, trouble } from './outcome.ts'

export interface EdgeInput {
  readonly paths: StatePaths
  readonly record: LocalEdge
  readonly bundle: string
  readonly device: Pick<DeviceKey, 'id' | 'publicKey'>
  readonly timezone: string
  readonly budget: Budget
  /** Origins that the edge may read without https. */
  readonly localOrigins: readonly string[]
  /** Models of the edge, and their keys. */
  readonly models: Readonly<Record<string, string>>
  readonly say: (text: string) => void
}

export async function startEdge(input: EdgeInput): Promise<Outcome<KeptChild>> {
  const { paths, record, say } = input
  const spec = join(paths.edge, 'run.json')
  const log = join(paths.logs, 'edge.log')
  writeEdgeSpec(spec, {
    bundle: input.bundle,
    port: record.port,
    persist: join(paths.edge, 'state'),
    pidFile: runtimeNote(paths),
    bindings: bindingsOf(input),
  })
  const child = keepChild({
    name: 'edge',
    command: [CHILD_SCRIPTS.edge, spec],
    environment: childEnvironment(process.env),
    log,
    note: childNote(paths, 'edge'),
    onCrash: (pauseMs) =>
      say(`edge   stopped on its own; starting it again in ${pauseMs / 1_000} s (${log})`),
  })
  if ((await child.ready) !== null) return done(child)
  await child.stop()
  return trouble(`The edge did not start: ${lastLogLine(log)} (${log})`)
}

/** The device in this binding counts as enrolled: whoever can write this file is the owner of the machine. */
function bindingsOf({
  record,
  device,
  timezone,
  budget,
  localOrigins,
  models,
}: EdgeInput): Record<string, string> {
  return {
    ...models,
    DEVICE_KEYS: JSON.stringify([{ id: device.id, publicKey: device.publicKey }]),
    EDGE_SEAL_KEY: record.keys.seal,
    EDGE_TOKEN_KEY: record.keys.token,
    EDGE_NAME_KEY: record.keys.name,
    EDGE_SIGN_KEY: record.keys.sign,
    LOCAL_ORIGINS: JSON.stringify(localOrigins),
    OWNER_TIMEZONE: timezone,
    COMMANDS: edgeCommands(process.env),
    BUDGET: JSON.stringify(entryOf(budget)),
  }
}
