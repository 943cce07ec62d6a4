/**
 * Reads pages of rows until enough of them are readable. Must not decide which rows are readable: the caller's function does.
 * Called by session.ts and facts.ts.
 */
import type { Readable } from '../../../kernel/features/memory/port.ts'
import type { SealedRef } from '../../../kernel/task/task.ts'

interface Pages<R, T> {
  readonly page: (limit: number, offset: number) => readonly R[]
  /** Empty for a row that cannot be parsed. */
  readonly read: (row: R) => readonly T[]
  readonly may: Readable | undefined
}

/** Reads pages until there are `limit` readable entries, or none are left. */
export function readable<R, T extends { readonly ref: SealedRef }>(
  { page, read, may = () => true }: Pages<R, T>,
  limit: number,
): readonly T[] {
  const found: T[] = []
  for (let offset = 0; found.length < limit; offset += limit) {
    const rows = page(limit, offset)
    found.push(...rows.flatMap(read).filter(({ ref }) => may(ref.label)))
    if (rows.length < limit) break
  }
  return found.slice(0, limit)
}
