/**
 * How long a test runs that proves by length (STYLE 19): a sample in `npm test`, all of it in `npm run soak`. Called by tests.
 */
import { env } from 'node:process'

/** Set by `scripts/soak.ts` alone. */
export const SOAKING: boolean = env['PFAR_SOAK'] === '1'

export function soaked<Value>(choice: { readonly sample: Value; readonly whole: Value }): Value {
  return SOAKING ? choice.whole : choice.sample
}

/** Each that many of the rows, the first among them; all of them in `npm run soak`. */
export function sampled<Row>(rows: readonly Row[], each: number): readonly Row[] {
  return rows.filter((_, at) => SOAKING || at % each === 0)
}
