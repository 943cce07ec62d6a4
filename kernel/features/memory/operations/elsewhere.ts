/** Where a copy of an entry may still be: what is forgotten at one place is told of at the other, or is its own there. Called by the operations on memory. */
import type { View } from '../../../operations/operation.ts'
import type { Kept } from './shape.ts'

export function elsewhere({ told, kind }: Kept, { place }: View): readonly string[] {
  if (told) return ['The open line still has its own: pfar memory --line open']
  return place === 'edge' && kind === 'result' ? ['Home may have a copy of its own: pfar memory'] : []
}
