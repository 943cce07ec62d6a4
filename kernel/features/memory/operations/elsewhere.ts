/** Where a copy of an entry may still be: what is forgotten at one place is told of at the other, or is its own there. Called by the operations on memory. */
import type { Telling } from '../../../operations/operation.ts'
import type { Kept } from './shape.ts'

export function elsewhere({ told, kind }: Kept, { place, tell }: Telling): readonly string[] {
  if (told) return [tell('memory.at_edge')]
  return place === 'edge' && kind === 'result' ? [tell('memory.at_home')] : []
}
