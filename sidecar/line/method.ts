/**
 * Tables of methods of the private line, and the wrapper that validates their parameters, so that a method gets typed
 * parameters only. Must not know any particular method. Called by every file of methods and by app.ts.
 */
import * as z from 'zod/mini'
import { err, type Result } from '../../kernel/flow/verdict.ts'

export type Method = (params: unknown) => Promise<Result<unknown>>

export type Methods = Readonly<Record<string, Method>>

/** Refusals: frame_malformed, and those of `run`. */
export function method<S extends z.ZodMiniType>(
  schema: S,
  run: (params: z.output<S>) => Promise<Result<unknown>>,
): Method {
  return async (params) => {
    const parsed = z.safeParse(schema, params)
    return parsed.success ? run(parsed.data) : err('frame_malformed')
  }
}
