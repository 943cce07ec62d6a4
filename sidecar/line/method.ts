/**
 * What the private line may be asked, by name, and how one checks its parameters: whoever writes one sees typed parameters alone.
 * Must not know any single one. Called by every file of methods and by app.ts.
 */
import * as z from 'zod/mini'
import { err, type Result } from '../../kernel/flow/verdict.ts'

export type Method = (params: unknown) => Promise<Result<unknown>>

export type Methods = Readonly<Record<string, Method>>

/** Refusal beside those of `run`: frame_malformed. */
export function method<S extends z.ZodMiniType>(
  schema: S,
  run: (params: z.output<S>) => Promise<Result<unknown>>,
): Method {
  return async (params) => {
    const parsed = z.safeParse(schema, params)
    return parsed.success ? run(parsed.data) : err('frame_malformed')
  }
}
