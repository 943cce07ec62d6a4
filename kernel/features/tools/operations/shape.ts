/** A service as the operations of this folder show it. Called by their files. */
import { oneOf, text } from '../../../operations/shape.ts'
import { SERVICE_STATES } from '../port.ts'

export const SERVICE_FIELDS = {
  // Sensitive, because it may be a host that the owner named.
  service: text('sensitive'),
  title: text('sensitive'),
  state: oneOf(SERVICE_STATES, 'internal'),
} as const
