/** A service as the operations of this folder show it. Called by their files. */
import { oneOf, text } from '../../../operations/shape.ts'
import { SERVICE_STATES } from '../port.ts'

export const SERVICE_FIELDS = {
  // A host that the owner named is one of them.
  service: text('sensitive'),
  title: text('sensitive'),
  state: oneOf(SERVICE_STATES, 'internal'),
} as const
