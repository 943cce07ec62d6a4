/**
 * Operations at home: the ports that only home has, and a method of the private line for each operation (B-09, H-10).
 * Whoever can open the socket is the owner; no parameter names the caller. Must not decide anything. Called by
 * wiring.ts and doors.ts.
 */
import * as z from 'zod/mini'
import type { CallOperation } from '../kernel/operations/caller.ts'
import { OPERATIONS } from '../kernel/operations/index.ts'
import type { OperationPorts } from '../kernel/operations/ports.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { Registry } from '../kernel/tool/registry.ts'
import { TERMINAL_SINK } from './home-methods.ts'
import { type Methods, method } from './line/method.ts'

/**
 * The action that a standing grant may open to others, as its manifest declares with `shares`: free/busy times, without
 * any detail.
 */
export function sharedRead({ actions }: Registry): OperationPorts['freeBusy'] {
  for (const { id, shares } of actions.values())
    if (shares !== undefined) return { action: id, fields: shares }
  throw new Error('no action declares what others may be granted')
}

const given = z.record(z.string(), z.unknown())

/** Methods by operation name. Each operation validates its own arguments. */
export function createOperationMethods(call: CallOperation, newId: () => string): Methods {
  const seen = { principal: OWNER_PRINCIPAL, sink: TERMINAL_SINK, place: 'home', door: 'terminal' } as const
  return Object.fromEntries(
    OPERATIONS.map(({ name }) => [
      name,
      method(given, (args) => call({ operation: name, args, caller: { ...seen, message: newId() } })),
    ]),
  )
}
