/**
 * Notifies the owner once when home runs another version than at its last start (O-61), with the shipped templates and prompts
 * whose bytes changed. Must not update anything. Called by runtime.ts at the start.
 */

import { type DeliverPorts, tellOwner } from '../../kernel/features/deliveries/deliver.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { OwnerChats } from '../../kernel/powers/ports.ts'
import { tell } from '../language/wording.ts'
import type { HomeNotes, Note } from '../store/home-notes.ts'

/** Maximum number of names in one list; the others are only counted. */
const MOST_NAMED = 12

interface UpdatedInput {
  readonly powers: DeliverPorts & OwnerChats
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  /** The running version and the digests of its files. */
  readonly software: Note<'software'>
}

/**
 * True if the owner was notified. A first start, and a changed file under the same version, are only recorded. Refusals: those of
 * a delivery.
 */
export async function tellUpdated({ powers, notes, software }: UpdatedInput): Promise<Result<boolean>> {
  const before = notes.read('software')
  const isNews = before !== null && before.version !== software.version
  if (isNews) {
    // A chat that begins right after the start recognises the notice by this id.
    const id = `updated:${powers.now()}`
    const told = await tellOwner(powers, { id, code: 'edge_updated', words: updateWords(before, software) })
    if (!told.ok) return told
  }
  if (JSON.stringify(before) !== JSON.stringify(software)) notes.write('software', software)
  return ok(isNews)
}

function updateWords(before: Note<'software'>, now: Note<'software'>): string {
  const updated = tell('status.updated', { from: before.version, to: now.version })
  const changed = [...new Set([...Object.keys(before.files), ...Object.keys(now.files)])]
    .filter((file) => before.files[file] !== now.files[file])
    .sort()
  if (changed.length === 0) return updated
  const rest = changed.length - MOST_NAMED
  const names = [...changed.slice(0, MOST_NAMED).map(nameOf), ...(rest > 0 ? [`+ ${rest}`] : [])].join(', ')
  return `${updated} ${tell('status.updated_templates', { names })}`
}

/** `tasks/owner_private.toml` → `owner private`. */
function nameOf(file: string): string {
  return file.replace(/^.*\/|\.\w+$/g, '').replaceAll('_', ' ')
}
