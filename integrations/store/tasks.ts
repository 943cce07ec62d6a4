/**
 * Task records with their open effect rows (B-31, DESIGN §3): one row of the table, so that a transition is one
 * statement. A record that cannot be read back is reported and left out, so that one damaged row does not stop a
 * principal's other tasks. Called by createStore.
 */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Store, StoredTask } from '../../kernel/powers/ports.ts'
import { type EffectRow, isFinal, type Task } from '../../kernel/task/task.ts'
import { readDocument } from './columns.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { createRecent } from './recent.ts'
import { tasks } from './schema.ts'

type TaskStore = Pick<
  Store,
  'saveTask' | 'loadTask' | 'findTask' | 'activeTasks' | 'activePrincipals' | 'recentTasks'
>

// Conditions of partial indexes stand in the statement as text: SQLite cannot match a bound parameter to them.
const ACTIVE = sql.raw('final = 0')

/** Records kept in memory, so that one that has not changed since is not parsed again. */
const RECENT_TASKS = 32

interface Row {
  readonly id: string
  readonly doc: string
  readonly open: string
}

export function createTaskStore(context: StoreContext): TaskStore {
  const statements = prepare(context)
  const recent = createRecent<{ readonly stored: StoredTask; readonly openText: string }>(RECENT_TASKS)
  const read = (row: Row): readonly StoredTask[] => {
    const known = recent.get(row.id, row.doc)
    if (known !== undefined && known.openText === row.open) return [known.stored]
    const found = parse(row, () => context.malformed({ table: 'tasks', id: row.id }))
    if (found === undefined) return []
    recent.set(row.id, row.doc, { stored: found, openText: row.open })
    return [found]
  }
  const find = (id: string): StoredTask | null => statements.byId().all({ id }).flatMap(read)[0] ?? null
  return {
    saveTask(task, open) {
      const { id, principal, turn } = task
      const final = isFinal(task.state)
      const row = { id, doc: JSON.stringify(task), open: JSON.stringify(open) }
      statements.save().run({ ...row, principal, turn, final })
      if (!final) recent.set(id, row.doc, { stored: { task, open }, openText: row.open })
    },
    findTask: find,
    loadTask: (id) => find(id)?.task ?? null,
    activeTasks: (principal) => statements.active().all({ principal }).flatMap(read),
    activePrincipals: () =>
      statements
        .principals()
        .all()
        .map((row) => row.principal),
    recentTasks: (principal, limit) =>
      statements
        .recent()
        .all({ principal, limit })
        .flatMap(read)
        .map(({ task }) => task),
  }
}

function parse({ doc, open }: Row, malformed: () => void): StoredTask | undefined {
  const task = readDocument<Task>(doc, ['id', 'principal', 'state', 'sink', 'results'], malformed)
  const rows = readDocument<{ rows: EffectRow[] }>(`{"rows":${open}}`, ['rows'], malformed)?.rows
  return task === undefined || rows === undefined ? undefined : { task, open: rows }
}

function prepare({ db }: StoreContext) {
  const columns = { id: tasks.id, doc: tasks.doc, open: tasks.open }
  const ofPrincipal = eq(tasks.principal, sql.placeholder('principal'))
  return {
    save: lazy(() =>
      db
        .insert(tasks)
        .values(slots('id', 'principal', 'turn', 'final', 'doc', 'open'))
        .onConflictDoUpdate({
          target: tasks.id,
          set: { final: sql`excluded.final`, doc: sql`excluded.doc`, open: sql`excluded.open` },
        })
        .prepare(),
    ),
    byId: lazy(() =>
      db
        .select(columns)
        .from(tasks)
        .where(eq(tasks.id, sql.placeholder('id')))
        .prepare(),
    ),
    active: lazy(() =>
      db.select(columns).from(tasks).where(and(ofPrincipal, ACTIVE)).orderBy(asc(tasks.turn)).prepare(),
    ),
    recent: lazy(() =>
      db
        .select(columns)
        .from(tasks)
        .where(ofPrincipal)
        .orderBy(desc(tasks.turn))
        .limit(sql.placeholder('limit'))
        .prepare(),
    ),
    principals: lazy(() =>
      db.selectDistinct({ principal: tasks.principal }).from(tasks).where(ACTIVE).prepare(),
    ),
  }
}
