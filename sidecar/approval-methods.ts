/**
 * What the owner's terminal may ask of home about approvals and grants (F-04 – F-19): one row a method, parameters checked
 * here. Whoever can open the socket is the owner. Must not decide anything: the shell does. Called by home-methods.ts.
 */
import * as z from 'zod/mini'
import { ok } from '../kernel/flow/verdict.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

/** UTF-16 units of an edit; the argument has its own bound, this one keeps a refused text out of the kernel. */
const MAX_EDIT = 200_000

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

const id = z.string().check(z.minLength(1), z.maxLength(200))
const lasting = { days: z.int(), perDay: z.int() }
const nothing = z.strictObject({})

const decision = z.strictObject({
  approval: id,
  decision: z.enum(['approve', 'deny']),
  message: z.optional(id),
})
const edit = z.strictObject({
  approval: id,
  text: z.string().check(z.minLength(1), z.maxLength(MAX_EDIT)),
  argument: z.optional(id),
})
const always = z.strictObject({ approval: id, message: id, ...lasting })
export interface ApprovalMethodPowers {
  readonly shell: Shell
  /** Drives a principal's tasks; never awaited by a request. */
  readonly drive: (principal: string) => void
}

export function createApprovalMethods({ shell, drive }: ApprovalMethodPowers): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['approvals', method(nothing, async () => ok(await shell.approvals(OWNER_PRINCIPAL)))],
    [
      'standing',
      method(z.strictObject({ approval: id }), async ({ approval }) =>
        shell.standing(OWNER_PRINCIPAL, approval),
      ),
    ],
    [
      'decide',
      method(decision, async ({ message, ...params }) => {
        const said = message === undefined ? {} : { message }
        const decided = await shell.decide({ ...params, ...said, ...OWNER })
        if (decided.ok) drive(decided.value.principal)
        return decided
      }),
    ],
    [
      'edit',
      method(edit, async ({ argument, ...params }) => {
        const named = argument === undefined ? {} : { argument }
        const edited = await shell.edit({ ...params, ...named, ...OWNER })
        if (edited.ok) drive(edited.value.principal)
        return edited
      }),
    ],
    ['always', method(always, ({ message, ...terms }) => shell.always({ ...OWNER, message }, terms))],
  ])
}
