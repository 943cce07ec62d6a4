/** The guards of operations' doors, as rows of link-guards.ts (DESIGN §9): with any of them gone, a named test is red. Called by link-guards.ts. */
import type { LinkGuard } from './link-guards.ts'

const CALL = 'operations/call'
const CALL_TS = 'kernel/operations/call.ts'
const SLASH = 'operations/slash'
const SLASH_TS = 'kernel/features/commands/slash.ts'

export const DOOR_GUARDS: readonly LinkGuard[] = [
  [
    'operations: the owner’s alone',
    CALL_TS,
    "  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')\n",
    '',
    CALL,
  ],
  [
    'operations: by no lower door',
    CALL_TS,
    "  if (DOORS.indexOf(door) > DOORS.indexOf(from)) return err('approval_place_too_low')\n",
    '',
    CALL,
  ],
  [
    'operations: where they live',
    CALL_TS,
    "place === 'both' || place === here ? ok(true) : err('approval_place_too_low')",
    'ok(true)',
    CALL,
  ],
  [
    'operations: no argument that is not declared',
    'kernel/operations/argument.ts',
    "  if (strange !== undefined) return err('tool_arguments_invalid', { path: 'unknown' })\n",
    '',
    CALL,
  ],
  [
    'operations: the ports that they name, and no others',
    'kernel/operations/operation.ts',
    'names.map((port) => [port, given[port]])',
    'Object.entries(given)',
    CALL,
  ],
  [
    'operations: what is not declared leaves by no door',
    'kernel/operations/operation.ts',
    'done.ok ? readShape(result, done.value) : done',
    'done as never',
    CALL,
  ],
  [
    'operations: what widens puts a card',
    'kernel/operations/operation.ts',
    "given.ok && effect === 'widen' && !hasCard(given.value)",
    'false',
    CALL,
  ],
  ['operations: written down', CALL_TS, "  audit(powers, 'operation_called', null,", '  void (', CALL],
  [
    'operations: not twice after a crash',
    SLASH_TS,
    "operation.effect !== 'read' && !begins(powers, id)",
    'false',
    SLASH,
  ],
  [
    'operations: an answer bears what was declared',
    SLASH_TS,
    'receive(text, joinProvenance(own, words))',
    'receive(text, words)',
    SLASH,
  ],
  [
    'operations: in a chat at the edge the lowest door',
    SLASH_TS,
    "place === 'home' ? 'private' : 'open'",
    "'terminal'",
    SLASH,
  ],
]
