/**
 * Removes the edge from Cloudflare: the Worker with its objects and secrets, then the database of copies. Succeeds if
 * either is already gone. Must not touch another Worker or database. Called by `pfar uninstall --edge`.
 */
import type { Wrangler, WranglerRun } from './wrangler.ts'

/** The same name as in wrangler.toml. */
export const DATABASE = 'pfar-copies'

export type Removed =
  | { readonly ok: true }
  | { readonly ok: false; readonly what: string; readonly why: string }

/** `name`: name of the Worker; null for the default one. */
export async function removeEdge(wrangler: Wrangler, name: string | null): Promise<Removed> {
  const worker = await wrangler(['delete', '--force', ...(name === null ? [] : ['--name', name])])
  if (!worker.ok && !isGone(worker)) return { ok: false, what: 'the Worker', why: worker.why }
  const database = await wrangler(['d1', 'delete', DATABASE, '--skip-confirmation'])
  return database.ok || isGone(database)
    ? { ok: true }
    : { ok: false, what: `the database ${DATABASE}`, why: database.why }
}

function isGone({ why, out }: WranglerRun): boolean {
  return /not found|does not exist|couldn't find/i.test(`${why}\n${out}`)
}
