/**
 * Whether the owner's configuration says something else than what home works with (S-15). What home takes over while it runs, chats and web services, is left out;
 * of folders it is asked which home has now. Left out is also whatever changes no setting, such as a comment. Keeps a digest, no setting. Called by wiring.ts.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Refusal, Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'

/** `trouble`: why it cannot be read as it stands; the next start would refuse it. */
export interface ConfigChange {
  /** Epoch milliseconds. */
  readonly at: number
  readonly trouble: Refusal | null
}

export interface ConfigWatchInput {
  /** Reads the owner's own file. */
  readonly read: () => Result<Config>
  /** Absolute path of that file, which may be missing. */
  readonly path: string
  readonly now: () => number
  /** The owner's folders as home sees them now. */
  readonly folders: () => readonly string[]
}

/** Call at the start. Null while nothing has changed. */
export function watchConfig({ read, path, now, folders }: ConfigWatchInput): () => ConfigChange | null {
  const before = digestOf(read())
  return () => {
    const found = read()
    const areThose = !found.ok || JSON.stringify(found.value.folders) === JSON.stringify(folders())
    if (digestOf(found) === before && areThose) return null
    return { at: changedAt(path) ?? now(), trouble: found.ok ? null : found.reason }
  }
}

function digestOf(read: Result<Config>): string {
  if (!read.ok) return JSON.stringify(read.reason)
  const { channels: _, http: __, folders: ___, ...settings } = read.value
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}

function changedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
