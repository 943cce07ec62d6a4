/**
 * The single entry point to operations, for every door: checks principal, door, place and arguments, calls `run` with
 * the declared ports, then writes the audit row (DESIGN §9, Q-01). Must not know any operation. Called by home's
 * socket, the edge's objects and the kernel's slash commands.
 */

import { lastChange } from '../features/changes/last-change.ts'
import type { Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Powers } from '../powers/all-powers.ts'
import { audit } from '../powers/audit.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { type Caller, type CallOperation, DOORS, type OperationCall } from './caller.ts'
import { operationNamed } from './index.ts'
import { kernelPorts } from './kernel-ports.ts'
import type { Facts, Operation, Prepared } from './operation.ts'
import type { ChangesPort, OperationPorts } from './ports.ts'

/** What a place provides. */
interface OperationPlace {
  readonly powers: Powers
  /** Ports specific to this place. */
  readonly ports: Readonly<Partial<OperationPorts>>
}

export function createOperations({ powers, ports }: OperationPlace): CallOperation {
  const call: CallOperation = (asked) => callOperation(service, asked)
  const changes: ChangesPort = { last: (principal) => lastChange(powers, principal), call }
  const service = { powers, ports: { ...kernelPorts(powers), ...ports, changes } }
  return call
}

/**
 * Refusals: operation_unknown; principal_not_allowed for anybody but the owner; approval_place_too_low for a door or
 * place that is too low; tool_arguments_invalid; tool_unavailable when the place lacks a port; those of the
 * operation.
 */
async function callOperation(service: OperationPlace, call: OperationCall): Promise<Result<unknown>> {
  const operation = operationNamed(call.operation)
  if (operation === null) return err('operation_unknown')
  const admitted = admit(service.powers.place, operation, call.caller)
  const prepared = admitted.ok ? operation.prepare(call.args) : admitted
  if (operation.effect === 'read')
    return prepared.ok ? prepared.value.run(service.ports, call.caller) : prepared
  if (!prepared.ok) {
    note(service, call, { effect: operation.effect, ok: false, code: prepared.reason.code })
    return prepared
  }
  return change(service, { ...call, prepared: prepared.value, effect: operation.effect })
}

/** Whether this caller may use it here. Anything not explicitly allowed is refused. */
function admit(
  here: Place,
  { place, from }: Pick<Operation, 'place' | 'from'>,
  { principal, door }: Pick<Caller, 'principal' | 'door'>,
): Result<true> {
  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  if (DOORS.indexOf(door) > DOORS.indexOf(from)) return err('approval_place_too_low')
  return place === 'both' || place === here ? ok(true) : err('approval_place_too_low')
}

type Change = OperationCall & { readonly prepared: Prepared; readonly effect: Operation['effect'] }

async function change(
  service: OperationPlace,
  { prepared, effect, ...call }: Change,
): Promise<Result<unknown>> {
  const before = await prepared.state(service.ports, call.caller)
  const done = await prepared.run(service.ports, call.caller)
  const after = done.ok ? await prepared.state(service.ports, call.caller) : {}
  const code = done.ok ? {} : { code: done.reason.code }
  const asked = done.ok ? cardIn(done.value) : null
  const undo = done.ok && asked === null ? prepared.undo(done.value, before) : null
  note(service, call, {
    ...{ effect, ok: done.ok, ...code, ...named('before', before), ...named('after', after) },
    ...(asked === null ? {} : { asked }),
    ...(undo === null ? {} : { undo: undo.operation, ...named('undo', undo.args) }),
  })
  return done
}

/** Id of the card that the operation created instead of making the change. */
function cardIn(value: unknown): string | null {
  const card: unknown = Reflect.get(Object(value), 'approval')
  return typeof card === 'string' ? card : null
}

function named(moment: string, facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${moment}_${name}`, value]))
}

function note({ powers }: OperationPlace, { operation, caller }: OperationCall, facts: Facts): void {
  const { principal: by, door, task, planned } = caller
  const within = task === undefined ? {} : { within: task }
  const asked = planned === undefined ? {} : { planned: true }
  audit(powers, 'operation_called', null, { operation, by, door, ...within, ...asked, ...facts })
}
