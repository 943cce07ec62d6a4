/**
 * Operations at home: the ports that only home has, and the one method of the private line that calls an operation (B-09, H-10). Whoever can
 * open the socket is the owner; no parameter says who is speaking. Must not decide anything. Called by wiring.ts and doors.ts.
 */
import * as z from 'zod/mini'
import type { CallOperation } from '../kernel/operations/caller.ts'
import type { OperationPorts } from '../kernel/operations/ports.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { Registry } from '../kernel/tool/registry.ts'
import { TERMINAL_SINK } from './home-methods.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

/** What may be opened to others by a standing grant, by the declaration that says so: free or busy, and nothing of what a person does. */
export function sharedRead({ actions }: Registry): OperationPorts['freeBusy'] {
  for (const { id, shares } of actions.values())
    if (shares !== undefined) return { action: id, fields: shares }
  throw new Error('no action declares what others may be granted')
}

const asked = z.strictObject({
  operation: z.string().check(z.maxLength(100)),
  args: z._default(z.record(z.string(), z.unknown()), {}),
})

export function createOperationMethods(
  call: CallOperation,
  newId: () => string,
): ReadonlyMap<string, Method> {
  const run = method(asked, ({ operation, args }) => {
    const seen = { principal: OWNER_PRINCIPAL, sink: TERMINAL_SINK, place: 'home' } as const
    return call({ operation, args, caller: { ...seen, door: 'terminal', message: newId() } })
  })
  return new Map([['operation', run]])
}
