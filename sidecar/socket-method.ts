/**
 * A verb of home's socket with its parameters checked: whoever writes one sees typed parameters alone. Must not know any verb.
 * Called by every file of methods.
 */
import * as z from 'zod/mini'
import { err, type Result } from '../kernel/flow/verdict.ts'

/** `Rest`: nothing, or the client of `Method`. Refusal beside those of `run`: frame_malformed. */
export function method<S extends z.ZodMiniType, Rest extends readonly unknown[]>(
  schema: S,
  run: (params: z.output<S>, ...rest: Rest) => Promise<Result<unknown>>,
): (params: unknown, ...rest: Rest) => Promise<Result<unknown>> {
  return async (params, ...rest) => {
    const parsed = z.safeParse(schema, params)
    return parsed.success ? run(parsed.data, ...rest) : err('frame_malformed')
  }
}
