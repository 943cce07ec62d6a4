/**
 * Task records with their open effect rows (B-31, DESIGN §3): one row each, so that a transition is one statement. A record that
 * cannot be parsed is reported and skipped, so that it does not stop a principal's other tasks. Called by createStore.
 */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { StoredTask } from '../../kernel/powers/stores.ts'
import { isFinal, type Task } from '../../kernel/task/task.ts'
import { atMost, type Shared, type StoreContext, slots } from './database/database.ts'
import { createRecent } from './database/recent.ts'
import { tasks } from './schema/schema.ts'

type TaskStore = Pick<
  Store,
  'addTask' | 'saveTask' | 'loadTask' | 'findTask' | 'activeTasks' | 'activePrincipals' | 'recentTasks'
>

// Conditions of partial indexes are literal text: SQLite cannot match a bound parameter to them.
const ACTIVE = sql.raw('final = 0')

/** Most cached records, overall and per principal of active ones, so that an unchanged one is not parsed again. */
const RECENT_TASKS = 32

interface Row {
  readonly id: string
  readonly doc: string
  readonly open: string
}

interface Values extends Row {
  readonly principal: string
  readonly turn: number
  readonly final: boolean
}

type Owned = Pick<Task, 'id' | 'principal'>

/** Most principals whose newest tasks are cached. */
const MOST_PRINCIPALS = 8

interface Newest {
  add(task: Task): void
  /** Newest first. `read`: at most so many rows, and how many of them could not be parsed. */
  of(principal: string, limit: number, read: () => Found): readonly Task[]
}

interface Found {
  readonly tasks: readonly Task[]
  readonly rows: number
}

/**
 * The newest tasks of a principal: every message asks for the last few, and each is a kilobyte and a half. The store has one writer; a
 * rollback drops the cache.
 */
function createNewest({ onUndone }: StoreContext): Newest {
  const known = new Map<string, { readonly limit: number; readonly tasks: readonly Task[] }>()
  onUndone(() => known.clear())
  return {
    add(task) {
      const held = known.get(task.principal)
      if (held === undefined) return
      const { limit, tasks } = held
      const at = tasks.findIndex(({ id }) => id === task.id)
      const [first] = tasks
      if (at >= 0) known.set(task.principal, { limit, tasks: tasks.with(at, task) })
      else if (first === undefined || task.turn > first.turn)
        known.set(task.principal, { limit, tasks: [task, ...tasks].slice(0, limit) })
      // An older task: its position has to be queried.
      else known.delete(task.principal)
    },
    of(principal, limit, read) {
      const held = known.get(principal)
      if (held !== undefined && held.limit >= limit) return held.tasks.slice(0, limit)
      const { tasks, rows } = read()
      if (known.size >= MOST_PRINCIPALS) known.clear()
      if (limit <= RECENT_TASKS && tasks.length === rows) known.set(principal, { limit, tasks })
      return tasks
    },
  }
}

interface Active {
  find(id: string): StoredTask | undefined
  add(task: Owned, stored: StoredTask): void
  remove(task: Owned): void
  principals(): readonly string[]
  /** In turn order; undefined when some are not cached and must be read. */
  held(principal: string): readonly StoredTask[] | undefined
}

/** By principal and id; null for a task that is not cached. */
type ActiveTasks = Map<string, Map<string, StoredTask | null>>

/**
 * Principals with tasks that are not final, and the first few of those tasks: counted in memory instead of queried, because every
 * message needs it. The store has one writer; a rollback drops the cache.
 */
function createActive({ onUndone }: StoreContext, load: () => readonly Owned[]): Active {
  let known: ActiveTasks | undefined
  onUndone(() => {
    known = undefined
  })
  const add = (map: ActiveTasks, { id, principal }: Owned, stored: StoredTask | null): void => {
    const tasks = map.get(principal) ?? new Map<string, StoredTask | null>()
    const hasRoom = tasks.has(id) || tasks.size < RECENT_TASKS
    map.set(principal, tasks.set(id, hasRoom ? stored : null))
  }
  const loaded = (): ActiveTasks => {
    const map: ActiveTasks = new Map()
    for (const task of load()) add(map, task, null)
    return map
  }
  return {
    add(task, stored) {
      if (known !== undefined) add(known, task, stored)
    },
    remove({ id, principal }) {
      const tasks = known?.get(principal)
      tasks?.delete(id)
      if (tasks?.size === 0) known?.delete(principal)
    },
    find(id) {
      for (const tasks of known?.values() ?? []) {
        const stored = tasks.get(id)
        if (stored) return stored
      }
      return undefined
    },
    principals() {
      known ??= loaded()
      return [...known.keys()]
    },
    held(principal) {
      const tasks = [...(known?.get(principal)?.values() ?? [])]
      const held = tasks.filter((stored) => stored !== null)
      return held.length === tasks.length ? held.sort((a, b) => a.task.turn - b.task.turn) : undefined
    },
  }
}

export function createTaskStore(context: StoreContext): TaskStore {
  const statements = prepare(context)
  const recent = createRecent<{ readonly stored: StoredTask; readonly openText: string }>(RECENT_TASKS)
  const { shared } = context
  const read = (row: Row): readonly StoredTask[] => {
    const known = recent.get(row.id, row.doc)
    if (known !== undefined && known.openText === row.open) return [known.stored]
    const found = parse(shared, row, () => context.malformed({ table: 'tasks', id: row.id }))
    if (found === undefined) return []
    recent.set(row.id, row.doc, { stored: found, openText: row.open })
    return [found]
  }
  const active = createActive(context, () => statements.allActive().all())
  const newest = createNewest(context)
  const find = (id: string): StoredTask | null =>
    active.find(id) ?? statements.byId().all({ id }).flatMap(read)[0] ?? null
  const written = ({ task, open }: StoredTask, write: (row: Values) => boolean): boolean => {
    const { id, principal, turn } = task
    const final = isFinal(task.state)
    const row = { id, doc: shared.taskText(task), open: shared.rowsText(open) }
    if (!write({ ...row, principal, turn, final })) return false
    newest.add(task)
    if (final) active.remove(task)
    else {
      const stored = { task, open }
      active.add(task, stored)
      recent.set(id, row.doc, { stored, openText: row.open })
    }
    return true
  }
  const activeOf = (principal: string): readonly StoredTask[] => {
    if (!active.principals().includes(principal)) return []
    return active.held(principal) ?? statements.active().all({ principal }).flatMap(read)
  }
  return {
    addTask(task, open) {
      const isNew = written({ task, open }, (row) => statements.add().get({ ...row }) !== undefined)
      if (isNew) context.turns.recordStored(task.principal, task.turn)
      return isNew
    },
    saveTask(task, open) {
      written({ task, open }, (row) => {
        // A task that is not final leaves the indexed columns unchanged: each index touched by an update costs a written row.
        if (row.final || statements.move().get({ ...row }) === undefined) statements.save().run({ ...row })
        return true
      })
    },
    findTask: find,
    loadTask: (id) => find(id)?.task ?? null,
    activeTasks: activeOf,
    activePrincipals: active.principals,
    recentTasks: (principal, limit) =>
      newest.of(principal, limit, () => {
        const rows = statements.recent().all({ principal, limit })
        return { tasks: rows.flatMap(read).map(({ task }) => task), rows: rows.length }
      }),
  }
}

function parse(shared: Shared, { id, doc, open }: Row, malformed: () => void): StoredTask | undefined {
  const task = shared.readTask(doc, malformed)
  const rows = shared.readRows(open, id, malformed)
  return task === undefined || rows === undefined ? undefined : { task, open: rows }
}

function prepare({ db }: StoreContext) {
  const columns = { id: tasks.id, doc: tasks.doc, open: tasks.open }
  const ofPrincipal = eq(tasks.principal, sql.placeholder('principal'))
  return {
    save: once(() =>
      db
        .insert(tasks)
        .values(slots('id', 'principal', 'turn', 'final', 'doc', 'open'))
        .onConflictDoUpdate({
          target: tasks.id,
          set: { final: sql`excluded.final`, doc: sql`excluded.doc`, open: sql`excluded.open` },
        })
        .prepare(),
    ),
    move: once(() =>
      db
        .update(tasks)
        .set({ doc: sql`${sql.placeholder('doc')}`, open: sql`${sql.placeholder('open')}` })
        .where(and(eq(tasks.id, sql.placeholder('id')), ACTIVE))
        .returning({ id: tasks.id })
        .prepare(),
    ),
    add: once(() =>
      db
        .insert(tasks)
        .values(slots('id', 'principal', 'turn', 'final', 'doc', 'open'))
        .onConflictDoNothing()
        .returning({ id: tasks.id })
        .prepare(),
    ),
    byId: once(() =>
      db
        .select(columns)
        .from(tasks)
        .where(eq(tasks.id, sql.placeholder('id')))
        .prepare(),
    ),
    active: once(() =>
      db.select(columns).from(tasks).where(and(ofPrincipal, ACTIVE)).orderBy(asc(tasks.turn)).prepare(),
    ),
    recent: once(() =>
      db
        .select(columns)
        .from(tasks)
        .where(ofPrincipal)
        .orderBy(desc(tasks.turn))
        .limit(atMost(sql.placeholder('limit')))
        .prepare(),
    ),
    allActive: once(() =>
      db.select({ id: tasks.id, principal: tasks.principal }).from(tasks).where(ACTIVE).prepare(),
    ),
  }
}
