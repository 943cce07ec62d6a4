/**
 * Directive files over the private line: one row a method, parameters checked here. Must not decide anything: the desk
 * does. Called by runtime.ts, which hands the table to the socket.
 */
import * as z from 'zod/mini'
import { NAME_MAX } from '../../kernel/directives/name.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { DirectiveDesk } from '../../kernel/runtime/directive-desk.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { TERMINAL_SINK } from '../home-methods.ts'
import { method } from '../socket-method.ts'

/** UTF-16 units on the wire; the kernel has its own, smaller bound and says so. */
const MAX_TEXT = 200_000

const OWNER = Object.freeze({ principal: OWNER_PRINCIPAL, sink: TERMINAL_SINK })

const name = z.string().check(z.maxLength(NAME_MAX * 2))
const version = z.int().check(z.nonnegative())
const message = z.string().check(z.minLength(1), z.maxLength(200))

type DirectiveMethod = (params: unknown) => Promise<Result<unknown>>

export function createDirectiveMethods(desk: DirectiveDesk): ReadonlyMap<string, DirectiveMethod> {
  return new Map<string, DirectiveMethod>([
    ['brain_list', method(z.strictObject({}), async () => ok(await desk.list(OWNER)))],
    [
      'brain_show',
      method(z.strictObject({ name, version: z.nullable(version) }), (asked) =>
        desk.show(OWNER, asked.name, asked.version),
      ),
    ],
    ['brain_history', method(z.strictObject({ name }), (asked) => desk.history(OWNER, asked.name))],
    [
      'brain_edit',
      method(
        z.strictObject({
          ...{ name, message, replaces: version, cleanup: z.boolean() },
          text: z.string().check(z.maxLength(MAX_TEXT)),
        }),
        (edit) => desk.edit(OWNER, edit),
      ),
    ],
    [
      'brain_restore',
      method(z.strictObject({ name, version, message }), (back) => desk.restore(OWNER, back)),
    ],
  ])
}
