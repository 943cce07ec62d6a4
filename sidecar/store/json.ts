/** Parses JSON that may come from outside. Must not throw on it. Called by everything that reads a JSON file or message. */
import * as z from 'zod/mini'
import { parseJson } from '../../kernel/flow/json.ts'

/** Null if the text is not JSON, or does not fit the schema. */
export function readJson<T>(schema: z.ZodMiniType<T>, text: string | Uint8Array): T | null {
  const parsed = z.safeParse(
    schema,
    parseJson(typeof text === 'string' ? text : Buffer.from(text).toString()),
  )
  return parsed.success ? parsed.data : null
}
