/** Sizes of the long tests (STYLE 19): a sample in `npm test`, everything in `npm run soak`. Called by tests. */
import { env } from 'node:process'
import { turnOf } from '../../scripts/test/turns.ts'

/** True in `npm run soak`; the variable is set only by `scripts/soak.ts`. */
export const SOAKING: boolean = env['PFAR_SOAK'] === '1'

export function soaked<Value>(choice: { readonly sample: Value; readonly whole: Value }): Value {
  return SOAKING ? choice.whole : choice.sample
}

/** Every `each`-th row, starting with the first; all rows in `npm run soak`. */
export function sampled<Row>(rows: readonly Row[], each: number): readonly Row[] {
  return rows.filter((_, at) => SOAKING || at % each === 0)
}

/**
 * The share of the rows for this commit (scripts/test/turns.ts). All rows without a turn, as when one folder is run, and in
 * `npm run soak`.
 */
export function inTurn<Row>(rows: readonly Row[], turns: number): readonly Row[] {
  const hash = SOAKING ? '' : (env['PFAR_TURN'] ?? '')
  return hash === '' ? rows : rows.filter((_, at) => at % turns === turnOf(hash, turns))
}
