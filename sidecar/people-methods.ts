/**
 * What the owner's terminal may ask of home about whom he is paired with (B-04): one row a method, parameters checked here. Whoever
 * can open the socket is the owner. Must not decide anything: the shell does. Called by home-methods.ts.
 */
import * as z from 'zod/mini'
import { ok } from '../kernel/flow/verdict.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

/** Templates of one agreement. */
const MAX_TEMPLATES = 20

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

const id = z.string().check(z.minLength(1), z.maxLength(200))
const count = z.int().check(z.positive())
const invitation = z.strictObject({
  ...{ name: id, hours: count, days: count, message: id },
  templates: z.array(id).check(z.minLength(1), z.maxLength(MAX_TEMPLATES)),
})

export function createPeopleMethods({ people }: Pick<Shell, 'people'>): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['people', method(z.strictObject({}), async () => ok(await people.list()))],
    ['invite', method(invitation, ({ message, ...asked }) => people.invite({ ...OWNER, message }, asked))],
    [
      'dismiss',
      method(z.strictObject({ agreement: id }), ({ agreement }) => people.revoke(agreement, OWNER_PRINCIPAL)),
    ],
  ])
}
