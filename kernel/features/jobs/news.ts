/**
 * Reduces the results of a job to rows that no earlier run has sent (DESIGN §9, G-11, G-12). Rows are
 * identified by ids of the service, stored as digests, never by a date or by text of others. Called by
 * synthesize.ts.
 */

import { digestOf } from '../../flow/digest.ts'
import type { Json } from '../../flow/json.ts'
import { derive, fingerprint, type Labeled, test } from '../../flow/labeled.ts'
import type { Clock, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { NewsDeclaration } from '../../template/job.ts'
import type { Job, JobRun, JobStore } from './port.ts'

/** Rows of one result that are looked at: more than any tool declares. */
const MOST_ROWS = 500
/** Maximum news that a grown number counts as. */
const MOST_COUNTED = 100

interface Content {
  readonly action: string
  readonly content: Labeled
}

/**
 * Reduces the contents to new rows; a result without any is removed with its count. New rows are recorded for
 * this run: a repeated run sends them again, and an undelivered run leaves them new.
 */
export function onlyNew<T extends Content>(
  powers: Clock & Templates & StoreOf<JobStore>,
  { job, run }: { readonly job: Job; readonly run: JobRun },
  contents: readonly T[],
): readonly T[] {
  const declared = newsOf(powers, job)
  const silent = powers.templates.find(({ id }) => id === job.template)?.job?.silent ?? []
  const says = ({ action, content }: Content): boolean =>
    !silent.includes(action) || !test(content, (value) => listsNothing(value))
  if (declared.length === 0) return contents.filter(says)
  const noted = powers.store.news(job.id)
  const told = new Set(noted.flatMap(({ digest, told }) => (told === run.scheduled ? [] : [digest])))
  const all = contents.map((one) => {
    const news = declared.find(({ tool }) => tool === one.action)
    return { one, read: news === undefined ? null : readNews(job.id, news, one.content) }
  })
  const listed = new Set(all.flatMap(({ read }) => read?.keys ?? []))
  const kinds = all.flatMap(({ read }) => (read?.whole === true ? [read.kind] : []))
  const forgotten = noted.flatMap(({ digest }) =>
    kinds.some((kind) => digest.startsWith(kind)) && !listed.has(digest) ? [digest] : [],
  )
  powers.store.noteNews(job.id, {
    ...{ told: run.scheduled, seen: powers.now() },
    ...{ digests: [...listed], forgotten },
  })
  return all.flatMap(({ one, read }) => {
    if (read === null) return says(one) ? [one] : []
    const isNew = read.keys.some((key) => !told.has(key))
    return isNew ? [{ ...one, content: read.without(told) }] : []
  })
}

/** Results of which only new rows are sent, by the file of the job. */
export function newsOf(
  { templates }: Templates,
  { template }: Pick<Job, 'template'>,
): readonly NewsDeclaration[] {
  return templates.find(({ id }) => id === template)?.job?.news ?? []
}

interface ReadNews {
  /** Prefix of the digests of this result. */
  readonly kind: string
  /** One for each row and for each count. */
  readonly keys: readonly string[]
  /** What is no longer listed may be forgotten. */
  readonly whole: boolean
  readonly without: (told: ReadonlySet<string>) => Labeled
}

function readNews(job: string, news: NewsDeclaration, content: Labeled): ReadNews {
  const kind = `${digestOf([job, news.tool]).slice(0, 16)}:`
  const keyOf = (part: Labeled): string =>
    `${kind}${fingerprint(part, (value) => digestOf([job, news.tool, value]))}`
  const rows: string[] = []
  while (rows.length < MOST_ROWS && test(content, (value) => rowsOf(value, news).length > rows.length)) {
    const place = rows.length
    rows.push(keyOf(derive(content, (value) => knownBy(rowsOf(value, news)[place], news.by ?? []))))
  }
  const counted = (news.counts ?? []).flatMap((name) => countedIn(content, name).map((value) => keyOf(value)))
  return {
    kind,
    keys: [...rows, ...counted],
    whole: news.forgets === true && test(content, (value) => fieldOf(value, 'more') !== true),
    without: (told) =>
      derive(content, (value) => {
        const { list } = news
        if (list === undefined || !isRecord(value)) return value
        const left = Object.entries(value).filter(([name]) => news.leaves?.includes(name) !== true)
        const rowsNow = rowsOf(value, news).filter((_, at) => !told.has(rows[at] ?? ''))
        return { ...Object.fromEntries(left), [list]: rowsNow }
      }),
  }
}

/** One digest per unit of a number, so that a larger number has new units. */
function countedIn(content: Labeled, name: string): readonly Labeled[] {
  const units: Labeled[] = []
  const has = (count: number): boolean => test(content, (value) => Number(fieldOf(value, name)) > count)
  while (units.length < MOST_COUNTED && has(units.length)) {
    const unit = units.length
    units.push(derive(content, () => [name, unit]))
  }
  return units
}

/** A row without an id is identified by all of its fields. */
function knownBy(row: Json | undefined, by: readonly string[]): Json {
  const values = by.map((name) => fieldOf(row, name) ?? null)
  return values.includes(null) ? (row ?? null) : values
}

function rowsOf(value: Json, { list, without = {} }: NewsDeclaration): readonly Json[] {
  const found = list === undefined ? [] : fieldOf(value, list)
  if (!Array.isArray(found)) return []
  const isElsewhere = (row: Json): boolean =>
    Object.entries(without).some(([name, values]) => values.includes(String(fieldOf(row, name))))
  return found.filter((row: Json) => !isElsewhere(row))
}

/** A result that lists nothing. One without a list says something by itself. */
export function listsNothing(content: Json): boolean {
  const lists = isRecord(content) ? Object.values(content).filter(Array.isArray) : []
  return lists.length > 0 && lists.every((list) => list.length === 0)
}

type Fields = { readonly [key: string]: Json }

function isRecord(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
