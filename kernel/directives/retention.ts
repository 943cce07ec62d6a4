/**
 * Which earlier versions of a file stay (O-10): the five newest, and none for longer than seven days after it was replaced.
 * Policy over a list; must not delete anything itself. Called by whoever keeps the versions.
 */

/** Earlier versions of one file: enough to go back over a bad day, few enough to be looked at. */
export const MOST_BACKUPS = 5
/** Milliseconds after it was replaced: what the owner took out is gone then. */
export const BACKUP_LIFETIME = 7 * 86_400_000

export interface Versioned {
  readonly version: number
  /** When it was written, epoch milliseconds. */
  readonly at: number
}

/** Versions that go, of one file's, newest first. The newest is the file itself and always stays. */
export function versionsToDrop<T extends Versioned>(newestFirst: readonly T[], now: number): readonly T[] {
  return newestFirst.filter((_, index) => {
    const next = newestFirst[index - 1]
    return next !== undefined && (index > MOST_BACKUPS || next.at + BACKUP_LIFETIME <= now)
  })
}

/** When the next version goes by its age (epoch ms); null when none will. */
export function nextDrop(newestFirst: readonly Versioned[]): number | null {
  const oldest = newestFirst.at(-2)
  return newestFirst.length < 2 || oldest === undefined ? null : oldest.at + BACKUP_LIFETIME
}
