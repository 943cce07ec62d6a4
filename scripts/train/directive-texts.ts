/**
 * Training texts of the sanitizer: directives and harmless texts of the corpora in test/prompt/corpus, without the real texts
 * that are kept for measuring. Called by scripts/train.ts, inputs.ts and the bench.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Taught } from './directives.ts'

const ROWS = z.array(
  z.object({ id: z.string(), text: z.string(), family: z.string(), lang: z.optional(z.string()) }),
)
const CORPUS = z.object({ hijack: ROWS, benign: ROWS })
const REAL = z.object({
  rows: z.array(
    z.object({
      part: z.enum(['learned', 'measured']),
      ...{ kind: z.string(), lang: z.string(), licence: z.string(), source: z.string(), text: z.string() },
    }),
  ),
})

/** `own`: written for this project. The other texts have many authors; they are the ones held out. */
export interface Sample extends Taught {
  readonly id: string
  readonly corpus: 'identity' | 'tuned' | 'kept' | 'written' | 'real'
  readonly family: string
  readonly lang: string
}
export type RealText = z.infer<typeof REAL>['rows'][number]

/**
 * Rows labelled as a directive whose text holds none: cut off before it, or a question about the weather. Counted as misses
 * when measuring, and not trained on.
 */
export const WITHOUT_DIRECTIVE: ReadonlySet<string> = new Set([
  'hj098',
  'hj112',
  'hj114',
  'hj149',
  'hj150',
  'hj151',
])

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/prompt/corpus/${name}.json`, import.meta.url), 'utf8'))

export function realTexts(part: RealText['part']): readonly RealText[] {
  return REAL.parse(read('real')).rows.filter((row) => row.part === part)
}

/** All samples, including the rows without a directive. */
export function samples(): readonly Sample[] {
  const corpora = (['identity', 'tuned', 'kept', 'written'] as const).flatMap((corpus) => {
    const { hijack, benign } = CORPUS.parse(read(corpus))
    const named = (rows: z.infer<typeof ROWS>, isDirective: boolean): readonly Sample[] =>
      rows.map(({ lang = 'en', ...row }) => ({ ...row, lang, isDirective, corpus }))
    return [...named(hijack, true), ...named(benign, false)]
  })
  const real = realTexts('learned').map(({ kind, lang, text, source }): Sample => {
    return { id: source, text, lang, family: kind, isDirective: false, corpus: 'real' }
  })
  return [...corpora, ...real]
}

export const isLearned = ({ id, corpus }: Sample): boolean =>
  corpus !== 'identity' || !WITHOUT_DIRECTIVE.has(id)
