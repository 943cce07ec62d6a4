/**
 * Declares the kernel effects on data that only home stores: contacts, changes of facts and of jobs, configuration. The
 * edge's bundle has `home-actions-none.ts` in its place (`#home-actions` in package.json). Data only. Called by effects.ts.
 */
import { adminActions } from '../features/admin/actions.ts'
import { contactActions } from '../features/contacts/effects.ts'
import { jobActions } from '../features/jobs/effects.ts'
import { memoryChanges } from '../features/memory/effects.ts'
import type { ActionManifest } from '../tool/manifest.ts'

/** `sink`: the sink of home's memory. */
export function homeActions(sink: string): readonly ActionManifest[] {
  return [...contactActions(sink), ...memoryChanges(sink), ...jobActions(sink), ...adminActions(sink)]
}
