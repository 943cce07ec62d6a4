/**
 * The edge of this installation and this device's key for it, for commands that talk to the edge directly: the configured
 * address, or the local edge's record in the state folder (0600), which `npm start` writes. Makes no request, creates no key
 * of the edge. Called by attach.ts and the commands.
 */

import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { isLoopback, loadConfig } from '../../config/config.ts'
import { readJson } from '../../store/json.ts'
import { openStateFolder, type StateFolder } from '../../store/state-folder.ts'
import { type DeviceKey, loadDeviceKey } from '../../tunnel/device-key.ts'
import { type Environment, type StatePaths, statePaths } from '../state-paths.ts'

/** Refusal: url_malformed. Plain http is allowed on this machine only: signed requests are not encrypted. */
export function edgeOrigin(text: string): Result<string> {
  const url = URL.parse(text)
  const fits =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.origin)))
  return fits && url.pathname === '/' && url.search === '' ? ok(url.origin) : err('url_malformed')
}

/** 32 bytes, base64url. */
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

const edgeRecord = z.strictObject({
  url: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  /** `sign` was added later: a record without it gets one at the next start. */
  keys: z.strictObject({ seal: key, token: key, name: key, sign: z.optional(key) }),
})

export type EdgeRecord = z.infer<typeof edgeRecord>

/** Null if it does not exist; `config_malformed` if it is damaged. */
export function readEdgeRecord(path: string): Result<EdgeRecord | null> {
  const text = readIfThere(path)
  if (text === null) return ok(null)
  const read = readJson(edgeRecord, text)
  return read === null ? err('config_malformed', { file: 'edge.json' }) : ok(read)
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

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
