/**
 * Whether the owner's configuration differs from the one that home works with (S-15). Ignores what home applies while it runs
 * (chats, web services), and changes of text that change no setting, such as comments; compares folders and the addresses of
 * services with those that home has now. Stores a digest, not the settings. Called by wiring.ts.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Refusal, Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import { isSelfHosted } from '../config/own-services.ts'

/** `trouble`: why the file cannot be read now; the next start would refuse it. */
export interface ConfigChange {
  /** Epoch milliseconds. */
  readonly at: number
  readonly trouble: Refusal | null
}

type InUse = Pick<Config, 'folders' | 'services' | 'certificates'>

export interface ConfigWatchInput {
  /** Reads the owner's own file. */
  readonly read: () => Result<Config>
  /** Absolute path of that file, which may be missing. */
  readonly path: string
  readonly now: () => number
  /** What home uses now of that which it takes over while it runs. */
  readonly inUse: () => InUse
}

/** Call at the start. Null while nothing has changed. */
export function watchConfig({ read, path, now, inUse }: ConfigWatchInput): () => ConfigChange | null {
  const before = digestOf(read())
  return () => {
    const found = read()
    const areThose = !found.ok || isDeepStrictEqual(takenOver(found.value), takenOver(inUse()))
    if (digestOf(found) === before && areThose) return null
    return { at: changedAt(path) ?? now(), trouble: found.ok ? null : found.reason }
  }
}

/** Of services, those that the owner runs: home asks them at another address without a restart. */
function takenOver({ folders, certificates, ...config }: InUse): InUse {
  return { folders, services: servicesOf(config, true), certificates }
}

function servicesOf({ services }: Pick<Config, 'services'>, own: boolean): Config['services'] {
  return Object.fromEntries(Object.entries(services).filter(([service]) => isSelfHosted(service) === own))
}

function digestOf(read: Result<Config>): string {
  if (!read.ok) return JSON.stringify(read.reason)
  const { channels: _, http: __, folders: ___, certificates: ____, ...settings } = read.value
  const others = { ...settings, services: servicesOf(settings, false) }
  return createHash('sha256').update(JSON.stringify(others)).digest('hex')
}

function changedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
