/** Store cases of values that many rows hold alike, and of rows that an earlier version wrote in full. Run by contract.ts. */
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { createStore } from '../../integrations/store/store.ts'
import type { Task } from '../../kernel/task/task.ts'
import { type Cases, countOf, deliveryOf, effectOf, OWNER, refOf, SINK, taskOf, turnOf } from './records.ts'

const begun = (id: string, turn: number): Task => taskOf(id, turn, { at: 'extracting' })

/** Rows as they were before values were shared. */
function oldTask(db: SyncDatabase, task: Task): void {
  const open = JSON.stringify([effectOf(task.id, 1)])
  db.run(
    sql`insert into tasks (id, principal, turn, final, doc, open)
      values (${task.id}, ${task.principal}, ${task.turn}, 0, ${JSON.stringify(task)}, ${open})`,
  )
}

export const SHARED: Cases = [
  [
    'stores what tasks, turns and deliveries have alike once, and gives back each as it was',
    (store, db) => {
      store.addTask(begun('t1', 1), [])
      store.appendTurn(turnOf(1))
      store.putDelivery(deliveryOf('d1'))
      const before = countOf(db, 'shared_values')
      for (let turn = 2; turn <= 9; turn += 1) {
        store.addTask(begun(`t${turn}`, turn), [effectOf(`t${turn}`, 1)])
        store.appendTurn(turnOf(turn))
        store.putDelivery(deliveryOf(`d${turn}`))
      }
      expect(countOf(db, 'shared_values')).toBe(before)
      const texts = db.all<{ text: string }>(
        sql`select doc || open as text from tasks union all select words from turns union all select text from deliveries`,
      )
      expect(texts).toHaveLength(27)
      expect(texts.filter(({ text }) => text.includes('atoms'))).toEqual([])
      const later = createStore(db)
      expect(later.findTask('t9')).toEqual({ task: begun('t9', 9), open: [effectOf('t9', 1)] })
      expect(later.recentTurns(OWNER, 1)).toEqual([turnOf(9)])
      expect(later.findDelivery('d9')).toMatchObject(deliveryOf('d9'))
    },
  ],
  [
    'reads a task, its rows and a delivery of a version that wrote them in full, and takes the same delivery for the same',
    (_, db) => {
      oldTask(db, begun('t1', 1))
      const { text, ...row } = deliveryOf('d1')
      db.run(
        sql`insert into deliveries (id, sink, principal, task, turn, kind, label, at, text)
          values (${row.id}, ${row.sink}, ${row.principal}, ${row.task}, ${row.turn}, ${row.kind}, ${row.label}, ${row.at}, ${JSON.stringify(text)})`,
      )
      const store = createStore(db)
      expect(store.activeTasks(OWNER)).toEqual([{ task: begun('t1', 1), open: [effectOf('t1', 1)] }])
      const [first] = store.deliveriesAfter(SINK, 0, 9)
      store.putDelivery(deliveryOf('d1'))
      expect(store.deliveriesAfter(SINK, 0, 9)).toEqual([first])
    },
  ],
  [
    'takes nothing in a plan for the number of a value',
    (store, db) => {
      store.addTask(begun('t1', 1), [])
      const [value] = db.all<{ id: number }>(sql`select id from shared_values limit 1`)
      const args = { as: value?.id ?? 0 }
      const plan = { steps: [{ id: 's1', do: 'tool', tool: 'email.list', args }], explanation: '' } as const
      store.addTask({ ...begun('t2', 2), plan }, [])
      expect(createStore(db).loadTask('t2')?.plan).toEqual(plan)
      oldTask(db, { ...begun('t3', 3), plan })
      expect(createStore(db).loadTask('t3')?.plan).toEqual(plan)
    },
  ],
  [
    'leaves in its row what has the number of another value',
    (store, db) => {
      store.addTask(begun('t1', 1), [])
      db.run(sql`update shared_values set value = '{"other":1}'`)
      const later = createStore(db)
      later.addTask(begun('t2', 2), [effectOf('t2', 1)])
      expect(createStore(db).findTask('t2')).toEqual({ task: begun('t2', 2), open: [effectOf('t2', 1)] })
    },
  ],
  [
    'reports a row whose value is gone, and reads the others',
    (store, db, malformed) => {
      store.addTask(begun('t1', 1), [])
      store.addTask({ ...begun('t2', 2), words: { ...refOf('w'), version: 2 } }, [])
      store.saveTask({ ...begun('t1', 1), state: { at: 'completed' } }, [])
      db.run(sql`delete from shared_values where value like '%"version":2%'`)
      const seen: string[] = []
      const later = createStore(db, ({ id }) => seen.push(id))
      expect([later.loadTask('t2'), later.loadTask('t1')?.id, seen]).toEqual([null, 't1', ['t2']])
      expect(malformed).toEqual([])
    },
  ],
  [
    'stores a value again whose first row was rolled back',
    (store, db) => {
      const undone = () => {
        store.addTask(begun('t1', 1), [])
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(countOf(db, 'shared_values')).toBe(0)
      store.addTask(begun('t2', 2), [])
      expect(createStore(db).loadTask('t2')).toEqual(begun('t2', 2))
    },
  ],
]
