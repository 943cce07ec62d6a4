/** Result of each request, and the number of successful ones by area. Called by main.ts. */
import type { Case } from './case.ts'
import type { Line } from './talk.ts'

export interface CaseResult extends Pick<Case, 'id' | 'area' | 'language'> {
  /** `open`: a prompt had no recorded answer. */
  readonly state: 'done' | 'open' | 'failed'
  readonly why: readonly string[]
  /** Issue that adds the actions it needs; null for a request that must succeed today. */
  readonly with: string | null
  readonly cards: number
  readonly ms: number
  /** Digests of prompts without an answer. */
  readonly missing: readonly string[]
  readonly transcript: readonly Line[]
}

export function lineOf({ id, state, why }: CaseResult): string {
  return `${state.padEnd(6)} ${id}${why.length > 0 ? `: ${why.join('; ')}` : ''}\n`
}

/** The transcript as the owner saw it, each line indented. */
export function transcriptOf({ transcript }: CaseResult): string {
  return transcript.map(({ who, text }) => `  ${`${who}: ${text}`.replaceAll('\n', '\n    ')}\n`).join('')
}

export interface Counts {
  readonly done: number
  readonly open: number
  readonly failed: number
}

export interface Summary {
  readonly all: Counts
  readonly byArea: Readonly<Record<string, Counts>>
  /** Requests that need future actions; not in the other counts. */
  readonly later: Counts
}

export function summaryOf(results: readonly CaseResult[]): Summary {
  const now = results.filter((result) => result.with === null)
  const areas = [...new Set(now.map(({ area }) => area))].sort()
  return {
    all: countsOf(now),
    byArea: Object.fromEntries(areas.map((area) => [area, countsOf(now.filter((one) => one.area === area))])),
    later: countsOf(results.filter((result) => result.with !== null)),
  }
}

function countsOf(results: readonly CaseResult[]): Counts {
  const of = (state: CaseResult['state']): number => results.filter((one) => one.state === state).length
  return { done: of('done'), open: of('open'), failed: of('failed') }
}

export function tableOf(results: readonly CaseResult[]): string {
  const { all, byArea, later } = summaryOf(results)
  const rows: readonly (readonly [string, Counts])[] = [
    ...Object.entries(byArea),
    ['all', all],
    ['with a later issue', later],
  ]
  const line = ([name, { done, open, failed }]: readonly [string, Counts]): string =>
    `| ${name} | ${done} | ${open} | ${failed} |`
  return ['', '| area | done | open | failed |', '| --- | --- | --- | --- |', ...rows.map(line), ''].join(
    '\n',
  )
}
