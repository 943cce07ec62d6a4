/**
 * Parses a JSON body that the request's signature covers. Must not be called before the signature was checked. Called by the device
 * routes and the copies.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { readSigned } from './signature.ts'

/** Refusals: those of `readSigned`, event_malformed. */
export async function readSignedJson<T>(request: Request, schema: z.ZodMiniType<T>): Promise<Result<T>> {
  const text = await readSigned(request)
  return text.ok ? parseText(schema, text.value) : text
}

/** Refusal: event_malformed. */
export function parseText<T>(schema: z.ZodMiniType<T>, text: string): Result<T> {
  try {
    const parsed = z.safeParse(schema, JSON.parse(text))
    return parsed.success ? ok(parsed.data) : err('event_malformed')
  } catch {
    return err('event_malformed')
  }
}
