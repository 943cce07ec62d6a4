/**
 * What calls of models cost (P-24, D-11): a row a call, summed where it lies. Must not hold a word of anybody (D-19), and
 * must not decide what may be spent: kernel/inference/budget.ts does. Called by createStore.
 */
import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../kernel/powers/ports.ts'
import type { UsageKey, UsageSettled } from '../../kernel/powers/usage-port.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { modelUsage } from './schema.ts'

type UsageStore = Pick<Store, 'openUsage' | 'settleUsage' | 'noteUsage' | 'spentOn' | 'usageBy'>

const COLUMNS = Object.freeze({
  day: modelUsage.day,
  task: modelUsage.task,
  purpose: modelUsage.purpose,
  model: modelUsage.model,
}) satisfies Readonly<Record<UsageKey, unknown>>

export function createUsageStore({ db }: StoreContext): UsageStore {
  const insert = lazy(() =>
    db
      .insert(modelUsage)
      .values({
        ...slots('at', 'day', 'task', 'principal', 'template', 'purpose', 'model', 'metered'),
        ...slots('input', 'output', 'cost', 'state', 'cacheRead', 'cacheWritten'),
      })
      .returning({ seq: modelUsage.seq })
      .prepare(),
  )
  const update = lazy(() =>
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
  const ofDay = lazy(() => spent(eq(modelUsage.day, sql.placeholder('day'))))
  const ofTask = lazy(() => spent(eq(modelUsage.task, sql.placeholder('task'))))
  return {
    openUsage({ tokens: { input, output }, ...row }) {
      const held = { state: 'held', cacheRead: 0, cacheWritten: 0 }
      const added = insert().get({ ...row, input, output, ...held })
      if (added === undefined) throw new Error('a call of a model could not be counted')
      return added.seq
    },
    settleUsage(call, settled) {
      update().run({ seq: call, ...columnsOf(settled) })
    },
    noteUsage({ tokens: _, ...row }, settled) {
      insert().get({ ...row, ...columnsOf(settled) })
    },
    spentOn: (of) => ('day' in of ? ofDay().get(of) : ofTask().get(of)) ?? { tokens: 0, cost: 0 },
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

function columnsOf({ tokens: { input, output, cached }, cost, failed }: UsageSettled) {
  const { read: cacheRead, written: cacheWritten } = cached ?? { read: 0, written: 0 }
  return { state: failed ? 'failed' : 'done', input, output, cacheRead, cacheWritten, cost }
}

/** A column of an update, by its own name. */
const slot = (name: string): SQL => sql`${sql.placeholder(name)}`

/** Zero for no row at all. */
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
