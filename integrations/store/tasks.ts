/**
 * Task records and their effect rows (B-31, DESIGN §3). A record that cannot be read back is reported and left out,
 * so that one damaged row does not stop a principal's other tasks. Called by createStore.
 */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Store } from '../../kernel/powers/ports.ts'
import { type Effect, type EffectRow, isFinal, type Task } from '../../kernel/task/task.ts'
import { readDocument } from './columns.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { effects, tasks } from './schema.ts'

type TaskStore = Pick<
  Store,
  | 'saveTask'
  | 'loadTask'
  | 'activeTasks'
  | 'activePrincipals'
  | 'recentTasks'
  | 'addEffects'
  | 'markEffect'
  | 'openEffects'
>

// Conditions of partial indexes stand in the statement as text: SQLite cannot match a bound parameter to them.
const ACTIVE = sql.raw('final = 0')
const OPEN = sql.raw("status <> 'done'")

export function createTaskStore(context: StoreContext): TaskStore {
  return { ...createRecords(context), ...createEffects(context) }
}

function createRecords({
  db,
  malformed,
}: StoreContext): Omit<TaskStore, 'addEffects' | 'markEffect' | 'openEffects'> {
  const save = lazy(() =>
    db
      .insert(tasks)
      .values(slots('id', 'principal', 'turn', 'final', 'doc'))
      .onConflictDoUpdate({ target: tasks.id, set: { final: sql`excluded.final`, doc: sql`excluded.doc` } })
      .prepare(),
  )
  const byId = lazy(() =>
    db
      .select({ id: tasks.id, doc: tasks.doc })
      .from(tasks)
      .where(eq(tasks.id, sql.placeholder('id')))
      .prepare(),
  )
  const active = lazy(() =>
    db
      .select({ id: tasks.id, doc: tasks.doc })
      .from(tasks)
      .where(and(eq(tasks.principal, sql.placeholder('principal')), ACTIVE))
      .orderBy(asc(tasks.turn))
      .prepare(),
  )
  const recent = lazy(() =>
    db
      .select({ id: tasks.id, doc: tasks.doc })
      .from(tasks)
      .where(eq(tasks.principal, sql.placeholder('principal')))
      .orderBy(desc(tasks.turn))
      .limit(sql.placeholder('limit'))
      .prepare(),
  )
  const principals = lazy(() =>
    db.selectDistinct({ principal: tasks.principal }).from(tasks).where(ACTIVE).prepare(),
  )
  const read = (row: { readonly id: string; readonly doc: string }): readonly Task[] => {
    const report = () => malformed({ table: 'tasks', id: row.id })
    const task = readDocument<Task>(row.doc, ['id', 'principal', 'state', 'sink', 'results'], report)
    return task === undefined ? [] : [task]
  }
  return {
    saveTask(task) {
      const { id, principal, turn } = task
      save().run({ id, principal, turn, final: isFinal(task.state), doc: JSON.stringify(task) })
    },
    loadTask: (id) => byId().all({ id }).flatMap(read)[0] ?? null,
    activeTasks: (principal) => active().all({ principal }).flatMap(read),
    activePrincipals: () =>
      principals()
        .all()
        .map((row) => row.principal),
    recentTasks: (principal, limit) => recent().all({ principal, limit }).flatMap(read),
  }
}

function createEffects({
  db,
  malformed,
}: StoreContext): Pick<TaskStore, 'addEffects' | 'markEffect' | 'openEffects'> {
  // A row that is there already keeps its status: adding twice must not run an effect twice.
  const add = lazy(() =>
    db
      .insert(effects)
      .values(slots('id', 'task', 'n', 'status', 'doc'))
      .onConflictDoNothing()
      .prepare(),
  )
  const mark = lazy(() =>
    db
      .update(effects)
      .set({ status: sql`${sql.placeholder('status')}` })
      .where(eq(effects.id, sql.placeholder('id')))
      .prepare(),
  )
  const open = lazy(() =>
    db
      .select()
      .from(effects)
      .where(and(eq(effects.task, sql.placeholder('task')), OPEN))
      .orderBy(asc(effects.n))
      .prepare(),
  )
  const read = ({ doc, ...row }: typeof effects.$inferSelect): readonly EffectRow[] => {
    const effect = readDocument<Effect>(doc, ['do'], () => malformed({ table: 'effects', id: row.id }))
    return effect === undefined ? [] : [{ ...row, effect }]
  }
  return {
    addEffects(rows) {
      for (const { id, task, n, status, effect } of rows)
        add().run({ id, task, n, status, doc: JSON.stringify(effect) })
    },
    markEffect: (id, status) => void mark().run({ id, status }),
    openEffects: (task) => open().all({ task }).flatMap(read),
  }
}
