/**
 * Where another copy of an entry may exist: whether forgetting it is synced to the other place, or must be repeated
 * there. Called by the operations on memory.
 */
import type { Telling } from '../../../operations/operation.ts'
import type { Kept } from './shape.ts'

export function elsewhere({ told, kind }: Kept, { place, tell }: Telling): readonly string[] {
  if (told) return [tell('memory.at_edge')]
  return place === 'edge' && kind === 'result' ? [tell('memory.at_home')] : []
}
