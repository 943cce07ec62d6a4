/** The Worker's bundle, made once for all files of a run: each state folder would make its own otherwise, in seconds. Set up by vitest.config.ts. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { ensureBundle } from '../../scripts/start/bundle.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the bundle of these sources. */
    bundle: string
  }
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/pfar/bundle')

export async function setup(project: TestProject): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const made = await ensureBundle({
    ...{ cache: CACHE, onBuild: () => undefined, signal: AbortSignal.timeout(90_000) },
  })
  if (!made.ok) throw new Error(made.sentence)
  project.provide('bundle', made.value)
}

/** As a state folder keeps it after its first start. */
export function giveBundle(stateFolder: string): void {
  const made = inject('bundle')
  const folder = join(stateFolder, 'edge', 'bundle', basename(made))
  if (!existsSync(folder)) cpSync(made, folder, { recursive: true })
}
