/**
 * Restarts a place when one of its sources has changed, for `npm run dev`. Reports what cannot be bundled or started; the next
 * change tries again. Must not stop a place that it does not restart: if the Worker cannot be bundled, the old one goes on.
 * Called by run.ts.
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Places } from './bring-up.ts'
import { EDGE_SOURCES, sourceHash } from './bundle.ts'
import { ROOT } from './child.ts'
import { trouble } from './outcome.ts'

/** Folders and files that home loads. */
const HOME_SOURCES: readonly string[] = [
  'integrations',
  'kernel',
  'migrations',
  'package-lock.json',
  'sidecar',
  'templates',
]

/** Delay after a change, in ms, so that an editor or a checkout can write its other files. */
const SETTLE_MS = 60

export interface WatchInput {
  readonly places: Places
  readonly say: (text: string) => void
  readonly signal: AbortSignal
  /** Root of the sources. */
  readonly root?: string
}

/** Runs until the signal. Waits for a restart in progress, so that the caller knows every child that it has to stop. */
export async function watchSources({ places, say, signal, root = ROOT }: WatchInput): Promise<void> {
  const all = [
    { name: 'home', sources: HOME_SOURCES, again: places.home },
    { name: 'edge', sources: EDGE_SOURCES, again: places.edge },
  ]
  const known = new Map(all.map(({ name, sources }) => [name, sourceHash(root, sources)]))
  const change = changes(root, [...new Set([...HOME_SOURCES, ...EDGE_SOURCES])], signal)
  say('watch  what is saved starts again')
  while (await change()) {
    const changed = all.filter(({ name, sources, again }) => {
      const now = sourceHash(root, sources)
      const isOther = again !== null && known.get(name) !== now
      known.set(name, now)
      return isOther
    })
    await Promise.all(
      changed.map(async ({ name, again }) => {
        const started = performance.now()
        const done = await again?.().catch((error: unknown) => trouble(String(error)))
        if (signal.aborted) return
        if (done?.ok === false) say(`${name}   ${done.sentence}`)
        else say(`${name}   started again (${((performance.now() - started) / 1_000).toFixed(1)} s)`)
      }),
    )
  }
}

/**
 * Resolves true at the next change, or at once if one came since the last call; false at the signal. Watches folders rather
 * than files, because editors replace files.
 */
function changes(root: string, sources: readonly string[], signal: AbortSignal): () => Promise<boolean> {
  const watched = new Map<string, FSWatcher>()
  let pending = false
  let wake = (): void => undefined
  const changed = (): void => {
    pending = true
    wake()
  }
  const look = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true })
    if (!watched.has(folder)) {
      const watcher = watch(folder, { signal }, changed)
      watcher.on('error', () => watched.delete(folder))
      watched.set(folder, watcher)
    }
    for (const entry of entries) if (entry.isDirectory()) look(join(folder, entry.name))
  }
  const folders = sources.filter((source) => !/\.\w+$/.test(source)).map((source) => join(root, source))
  for (const folder of folders) look(folder)
  signal.addEventListener('abort', changed)
  return async () => {
    if (!pending && !signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (!signal.aborted) await pause(SETTLE_MS)
    pending = false
    if (signal.aborted) return false
    // A new folder is watched from now on, a deleted one no longer.
    for (const folder of folders) look(folder)
    return true
  }
}
