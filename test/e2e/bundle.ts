/** The Worker's bundle, made once before the files of a run, which would all make it at the same time. Set up by vitest.config.ts. */
import { tmpdir } from 'node:os'
import { ensureBundle } from '../../scripts/start/bundle.ts'

/** Milliseconds. */
const WITHIN = 90_000

export async function setup(): Promise<void> {
  const made = await ensureBundle({
    ...{ own: tmpdir(), onBuild: () => undefined, signal: AbortSignal.timeout(WITHIN) },
  })
  if (!made.ok) throw new Error(made.sentence)
}
