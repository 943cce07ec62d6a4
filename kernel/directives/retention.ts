/**
 * Selects the earlier versions of a file to retain (O-10): the five newest, none longer than seven days
 * after it was replaced. Computes a list; must not delete anything. Called by the store of versions.
 */

/** Maximum earlier versions of one file: enough to undo a bad day, few enough to look through. */
export const MOST_BACKUPS = 5
/** Milliseconds after a version was replaced. Then text that the owner removed is gone. */
export const BACKUP_LIFETIME = 7 * 86_400_000

export interface Versioned {
  readonly version: number
  /** When it was written, epoch milliseconds. */
  readonly at: number
}

/** Versions of one file to delete, newest first. The newest is the file itself and always stays. */
export function versionsToDrop<T extends Versioned>(newestFirst: readonly T[], now: number): readonly T[] {
  return newestFirst.filter((_, index) => {
    const next = newestFirst[index - 1]
    return next !== undefined && (index > MOST_BACKUPS || next.at + BACKUP_LIFETIME <= now)
  })
}

/** When the next version expires (epoch ms); null if none will. */
export function nextDrop(newestFirst: readonly Versioned[]): number | null {
  const oldest = newestFirst.at(-2)
  return newestFirst.length < 2 || oldest === undefined ? null : oldest.at + BACKUP_LIFETIME
}
