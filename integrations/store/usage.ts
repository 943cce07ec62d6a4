/**
 * Cost of model calls (P-24, D-11): one row per call, summed in SQL. Must not hold text of anybody (D-19), and must not decide what
 * may be spent: kernel/inference/budget.ts does. Called by createStore.
 */
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import {
  USAGE_SPAN,
  type UsageKey,
  type UsageRow,
  type UsageSettled,
} from '../../kernel/features/usage/port.ts'
import { once } from '../../kernel/flow/once.ts'
import type { Spent } from '../../kernel/inference/budget.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import { type StoreContext, slots } from './database/database.ts'
import { createNumbers } from './database/numbers.ts'
import { createRowsSince, createTaskTimes } from './rows-since.ts'
import { modelUsage } from './schema/schema.ts'

type UsageStore = Pick<
  Store,
  'openUsage' | 'settleUsage' | 'noteUsage' | 'spentOn' | 'tokensSince' | 'tokensOf' | 'usageBy'
>

const COLUMNS = Object.freeze({
  day: modelUsage.day,
  task: modelUsage.task,
  purpose: modelUsage.purpose,
  model: modelUsage.model,
}) satisfies Readonly<Record<UsageKey, unknown>>

const NOTHING: Spent = Object.freeze({ tokens: 0, cost: 0 })
/** Milliseconds by which a clock may be set back while a task runs: its calls are counted all the same. */
const CLOCK_SET_BACK = 86_400_000
/** Milliseconds that rows are kept: two days longer than shown, because days begin at different hours in other time zones. */
const KEPT = (USAGE_SPAN + 2) * 86_400_000
/** Length of `YYYY-MM-DD`. */
const DATE = 10

export function createUsageStore(context: StoreContext): UsageStore {
  const { db } = context
  const number = createNumbers(context, modelUsage)
  const insert = once(() =>
    db
      .insert(modelUsage)
      .values({
        ...slots('seq', 'at', 'day', 'task', 'principal', 'template', 'purpose', 'model', 'metered'),
        ...slots('input', 'output', 'cost', 'state', 'cacheRead', 'cacheWritten'),
      })
      .returning({ seq: modelUsage.seq })
      .prepare(),
  )
  const update = once(() =>
    db
      .update(modelUsage)
      .set({
        state: slot('state'),
        input: slot('input'),
        output: slot('output'),
        cacheRead: slot('cacheRead'),
        cacheWritten: slot('cacheWritten'),
        cost: slot('cost'),
      })
      .where(eq(modelUsage.seq, sql.placeholder('seq')))
      .prepare(),
  )
  const spent = (where: SQL) =>
    db
      .select(SPENT)
      .from(modelUsage)
      .where(and(where, eq(modelUsage.metered, true)))
      .prepare()
  const ofDay = once(() => spent(eq(modelUsage.day, sql.placeholder('day'))))
  const ofTask = once(() =>
    spent(
      sql`${eq(modelUsage.task, sql.placeholder('task'))} and ${gte(modelUsage.seq, sql.placeholder('from'))}`,
    ),
  )
  const [since, madeAt] = [createRowsSince(db, modelUsage), createTaskTimes(db)]
  const spentFor = (task: string): Spent => {
    const made = madeAt(task)
    return ofTask().get({ task, from: made === null ? 0 : since(made - CLOCK_SET_BACK) }) ?? NOTHING
  }
  const today = createDaySum((day) => ofDay().get({ day }) ?? NOTHING)
  /** Unsettled calls of this process, with the cost that counts towards a cap. */
  const held = new Map<number, Counted>()
  const add = (row: object): number => {
    const added = insert().get({ ...row, seq: number() })
    if (added === undefined) throw new Error('a call of a model could not be counted')
    return added.seq
  }
  let tidied = ''
  /** Runs once a day, at the first call of the day. */
  const tidy = ({ day, at }: UsageRow): void => {
    if (day === tidied) return
    const oldest = new Date(at - KEPT).toISOString().slice(0, DATE)
    db.delete(modelUsage).where(lt(modelUsage.day, oldest)).run()
    tidied = day
  }
  return {
    openUsage(row) {
      tidy(row)
      const { tokens, ...named } = row
      const { input, output } = tokens
      const call = add({ ...named, input, output, state: 'held', cacheRead: 0, cacheWritten: 0 })
      const counted = countedOf(row, row)
      if (counted === null) return call
      held.set(call, counted)
      today.moved(null, counted)
      return call
    },
    settleUsage(call, settled) {
      update().run({ seq: call, ...columnsOf(settled) })
      const before = held.get(call)
      held.delete(call)
      // Opened by another process: its reserved cost is only in its row.
      if (before === undefined) today.forget()
      else today.moved(before, { day: before.day, ...spentBy(settled) })
    },
    noteUsage(row, settled) {
      tidy(row)
      const { tokens: _, ...named } = row
      add({ ...named, ...columnsOf(settled) })
      const counted = countedOf(row, settled)
      if (counted !== null) today.moved(null, counted)
    },
    spentOn: (of) => ('day' in of ? today.of(of.day) : spentFor(of.task)),
    tokensSince: ({ principal, from, but }) =>
      db
        .select({ tokens: SPENT.tokens })
        .from(modelUsage)
        .where(
          and(
            gte(modelUsage.seq, since(from - CLOCK_SET_BACK)),
            gte(modelUsage.at, from),
            eq(modelUsage.principal, principal),
            but === null ? undefined : sql`${modelUsage.task} is not ${but}`,
          ),
        )
        .get()?.tokens ?? 0,
    tokensOf(tasks, from) {
      const rows = db
        .select({ task: modelUsage.task, tokens: SPENT.tokens })
        .from(modelUsage)
        .where(and(gte(modelUsage.seq, since(from - CLOCK_SET_BACK)), inArray(modelUsage.task, [...tasks])))
        .groupBy(modelUsage.task)
        .all()
      return new Map(rows.map(({ task, tokens }) => [task ?? '', tokens]))
    },
    usageBy(key, from, limit) {
      const column = COLUMNS[key]
      const order = key === 'day' ? [desc(column)] : [desc(SUMS.cost), desc(SPENT.tokens)]
      return db
        .select({ name: column, ...SUMS })
        .from(modelUsage)
        .where(gte(modelUsage.day, from))
        .groupBy(column)
        .orderBy(...order)
        .limit(limit)
        .all()
    },
  }
}

/** Null if it does not count for a cap. */
function countedOf(
  { day, metered }: UsageRow,
  figures: Pick<UsageSettled, 'tokens' | 'cost'>,
): Counted | null {
  return metered ? { day, ...spentBy(figures) } : null
}

function spentBy({ tokens: { input, output }, cost }: Pick<UsageSettled, 'tokens' | 'cost'>): Spent {
  return { tokens: input + output, cost: cost ?? 0 }
}

function columnsOf({ tokens: { input, output, cached }, cost, failed }: UsageSettled) {
  const { read: cacheRead, written: cacheWritten } = cached ?? { read: 0, written: 0 }
  return { state: failed ? 'failed' : 'done', input, output, cacheRead, cacheWritten, cost }
}

/** Placeholder for a column of an update, by its own name. */
const slot = (name: string): SQL => sql`${sql.placeholder(name)}`

/** Zero when there are no rows. */
const total = (of: unknown): SQL<number> => sql<number>`coalesce(sum(${of}), 0)`

const SPENT = Object.freeze({
  tokens: total(sql`${modelUsage.input} + ${modelUsage.output}`),
  cost: total(modelUsage.cost),
})

const SUMS = Object.freeze({
  calls: sql<number>`count(*)`,
  failed: total(sql`${modelUsage.state} = 'failed'`),
  input: total(modelUsage.input),
  output: total(modelUsage.output),
  cacheRead: total(modelUsage.cacheRead),
  cacheWritten: total(modelUsage.cacheWritten),
  cost: total(modelUsage.cost),
  unpriced: total(sql`${modelUsage.metered} and ${modelUsage.cost} is null`),
})

/** The columns of a row that count for a cap. */
export interface Counted extends Spent {
  readonly day: string
}

interface DaySum {
  of(day: string): Spent
  /** A row was added, or replaced one with the figures `before`. */
  moved(before: Counted | null, after: Counted): void
  /** Drops the sum: the next read sums the rows. */
  forget(): void
}

function createDaySum(sum: (day: string) => Spent): DaySum {
  let known: Counted | null = null
  return {
    of(day) {
      if (known?.day !== day) known = { day, ...sum(day) }
      return { tokens: known.tokens, cost: known.cost }
    },
    moved(before, after) {
      if (known?.day !== after.day) return
      const { day, tokens, cost } = known
      known = {
        day,
        tokens: tokens + after.tokens - (before?.tokens ?? 0),
        cost: cost + after.cost - (before?.cost ?? 0),
      }
    },
    forget() {
      known = null
    },
  }
}
