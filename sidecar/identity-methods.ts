/**
 * What the owner's terminal may ask of home about identity links (F-15, F-16): one row a method, parameters checked here.
 * Whoever can open the socket is the owner. Must not decide anything: the shell does. Called by home-methods.ts.
 */
import * as z from 'zod/mini'
import { ok } from '../kernel/flow/verdict.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

/** UTF-16 units of a principal's id: the kernel's own bound is higher, and no platform's id comes near it. */
const MAX_PRINCIPAL = 1_000

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

const id = z.string().check(z.minLength(1), z.maxLength(200))
const principal = z.string().check(z.minLength(1), z.maxLength(MAX_PRINCIPAL))
const join = z.strictObject({ one: principal, other: principal, message: id })

export function createIdentityMethods({
  identities,
}: Pick<Shell, 'identities'>): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['identities', method(z.strictObject({}), async () => ok(identities.list()))],
    [
      'join',
      method(join, ({ one, other, message }) => identities.start({ ...OWNER, message }, [one, other])),
    ],
    ['part', method(z.strictObject({ link: id }), ({ link }) => identities.remove(link, OWNER_PRINCIPAL))],
  ])
}
