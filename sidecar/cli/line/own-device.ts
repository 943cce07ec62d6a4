/**
 * This device's key, and the edge to use, for commands that talk to the edge directly. Makes no request. Called by
 * attach.ts, devices-command.ts and secret-line.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { loadConfig } from '../../config/config.ts'
import { openStateFolder, type StateFolder } from '../../store/state-folder.ts'
import { type DeviceKey, loadDeviceKey } from '../../tunnel/device-key.ts'
import { readEdgeRecord } from '../edge-record.ts'
import { type Environment, type StatePaths, statePaths } from '../state-paths.ts'

interface AtEnvironment {
  readonly environment: Environment
}

/** The configured edge, or the local one. Refusals: config_malformed, remote_unavailable (there is none). */
export function usualEdge({ environment }: AtEnvironment, paths: StatePaths): Result<string> {
  const configured = configuredEdge(environment, paths)
  if (!configured.ok) return configured
  if (configured.value !== null) return ok(configured.value)
  const record = readEdgeRecord(paths.edgeFile)
  if (!record.ok) return record
  return record.value === null ? err('remote_unavailable') : ok(record.value.url)
}

/** The edge in the configuration; null if the edge is the local one of `npm start`. */
export function configuredEdge(environment: Environment, paths: StatePaths): Result<string | null> {
  const config = loadConfig(environment, paths.root)
  return config.ok ? ok(config.value.edge) : config
}

export interface Own {
  readonly device: DeviceKey
  readonly folder: StateFolder
  readonly paths: StatePaths
}

export function ownKey({ environment }: AtEnvironment): Result<Own> {
  const paths = statePaths(environment)
  const folder = openStateFolder(paths.root)
  if (!folder.ok) return folder
  const device = loadDeviceKey(folder.value)
  return device.ok ? ok({ device: device.value, folder: folder.value, paths }) : device
}
