/**
 * The owner's desk over the private line (E-05): one row a method, parameters checked here. A value crosses the 0600
 * socket once, inwards; no method gives one back, and parameters are never logged. Called by runtime.ts.
 */
import * as z from 'zod/mini'
import { type Result, refused } from '../../kernel/flow/verdict.ts'
import type { Method } from '../socket.ts'
import { nameSchema, rotateSchema, type SecretDesk, setSchema } from './secret-desk.ts'

export function createSecretMethods(desk: SecretDesk): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['secret_set', method(setSchema, (params) => desk.set(params))],
    ['secret_rotate', method(rotateSchema, (params) => desk.rotate(params))],
    ['secret_delete', method(nameSchema, (params) => desk.delete(params))],
  ])
}

function method<S extends z.ZodMiniType>(
  schema: S,
  run: (params: z.output<S>) => Promise<Result<unknown>>,
): Method {
  return async (params) => {
    const parsed = z.safeParse(schema, params)
    return parsed.success ? run(parsed.data) : refused('frame_malformed')
  }
}
