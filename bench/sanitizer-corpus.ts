/**
 * Scores the sanitizer on a corpus, by family: directives found, and harmless texts changed. Format: `{hijack: [{text, family}],
 * benign: [{text, family}]}`. Counts, no times. Called by sanitizer.ts, sanitizer-held-out.ts and tests of the sanitizer.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { MAX_RESULT, type Sanitized, sanitize } from '../kernel/prompt/sanitize.ts'

const ROWS = z.array(
  z.object({ text: z.string(), id: z.optional(z.string()), family: z.optional(z.string()) }),
)
const CORPUS = z.object({ hijack: ROWS, benign: ROWS })

export interface Row {
  readonly id: string
  readonly text: string
  readonly family: string
}
export interface Corpus {
  readonly hijack: readonly Row[]
  readonly benign: readonly Row[]
}

export interface FamilyScore {
  readonly rows: number
  /** Number of rows in which something was replaced. */
  readonly hits: number
  readonly recall?: number
  readonly falsePositiveRate?: number
}

export interface Score {
  readonly recall: number
  readonly falsePositiveRate: number
  readonly byFamily: Readonly<Record<string, FamilyScore>>
  /** Ids of hostile rows that stayed unchanged, and of harmless rows that were changed. */
  readonly missed: readonly string[]
  readonly falsePositives: readonly string[]
}

export function readSanitizerCorpus(file: string | URL): Corpus {
  const { hijack, benign } = CORPUS.parse(JSON.parse(readFileSync(file, 'utf8')))
  const named = (rows: z.infer<typeof ROWS>, prefix: string): readonly Row[] =>
    rows.map(({ id, text, family = 'no family' }, at) => ({ id: id ?? `${prefix}${at}`, text, family }))
  return { hijack: named(hijack, 'hijack'), benign: named(benign, 'benign') }
}

export function scoreCorpus({ hijack, benign }: Corpus): Score {
  const missed = hijack.filter(({ text }) => !isHit(text)).map(({ id }) => id)
  const falsePositives = benign.filter(({ text }) => isHit(text)).map(({ id }) => id)
  return {
    recall: share(hijack.length - missed.length, hijack.length),
    falsePositiveRate: share(falsePositives.length, benign.length),
    byFamily: {
      ...families(benign, (id) => falsePositives.includes(id), 'falsePositiveRate'),
      ...families(hijack, (id) => !missed.includes(id), 'recall'),
    },
    ...{ missed, falsePositives },
  }
}

/** Whether anything was replaced. Normalisation alone does not count. */
function isHit(text: string): boolean {
  return removals(sanitize(text, { boundary: 'benchboundary', maxChars: MAX_RESULT })) > 0
}

export function removals({ removed }: Sanitized): number {
  return Object.values(removed).reduce((sum, count) => sum + count, 0)
}

function families(
  rows: readonly Row[],
  hit: (id: string) => boolean,
  rate: 'recall' | 'falsePositiveRate',
): Record<string, FamilyScore> {
  const names = [...new Set(rows.map(({ family }) => family))].sort()
  return Object.fromEntries(
    names.map((name) => {
      const own = rows.filter(({ family }) => family === name)
      const hits = own.filter(({ id }) => hit(id)).length
      return [name, { rows: own.length, hits, [rate]: share(hits, own.length) }]
    }),
  )
}

/** Rounded to four digits; 0 for an empty set. */
function share(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((part / all) * 10_000) / 10_000
}
