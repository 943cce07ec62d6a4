/**
 * How long a test runs that proves by length (STYLE 19): a sample in `npm test`, all of it in `npm run soak`. Called by tests.
 */
import { env } from 'node:process'
import { turnOf } from '../../scripts/test/turns.ts'

/** Set by `scripts/soak.ts` alone. */
export const SOAKING: boolean = env['PFAR_SOAK'] === '1'

export function soaked<Value>(choice: { readonly sample: Value; readonly whole: Value }): Value {
  return SOAKING ? choice.whole : choice.sample
}

/** Each that many of the rows, the first among them; all of them in `npm run soak`. */
export function sampled<Row>(rows: readonly Row[], each: number): readonly Row[] {
  return rows.filter((_, at) => SOAKING || at % each === 0)
}

/** A share of the rows, another for the next commit (scripts/test/turns.ts); all of them without a turn, as for one folder and in `npm run soak`. */
export function inTurn<Row>(rows: readonly Row[], turns: number): readonly Row[] {
  const hash = SOAKING ? '' : (env['PFAR_TURN'] ?? '')
  return hash === '' ? rows : rows.filter((_, at) => at % turns === turnOf(hash, turns))
}
