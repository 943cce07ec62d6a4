/** Store cases of the machine: events, tasks, effects, transactions, tokens and approvals. Run by contract.ts. */
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { EVENT_MEMORY } from '../../integrations/store/events.ts'
import { createStore } from '../../integrations/store/store.ts'
import type { Approval } from '../../kernel/task/approval.ts'
import type { IdentityLink } from '../../kernel/task/identity-link.ts'
import { approvalOf, type Cases, effectOf, idsOf, OWNER, PEER, refOf, taskOf, turnOf } from './records.ts'

export const EVENTS: Cases = [
  [
    'numbers turns by principal and refuses a second delivery (B-24)',
    (store) => {
      const turns = ['a', 'b', 'a'].map((id) => store.admit({ id, principal: OWNER, at: 1 }))
      expect(turns).toEqual([1, 2, null])
      expect(store.admit({ id: 'a', principal: PEER, at: 1 })).toBe(1)
    },
  ],
  [
    'numbers turns by what is stored: a task takes its number, an undone or a repeated one does not (B-26)',
    (store, db) => {
      const begun = (id: string, turn: number) => taskOf(id, turn, { at: 'extracting' })
      store.addTask(begun('t1', store.nextTurn(OWNER)), [])
      store.addTask(begun('t1', store.nextTurn(OWNER)), [])
      const undone = () => {
        store.addTask(begun('t2', store.nextTurn(OWNER)), [])
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect([store.nextTurn(OWNER), store.nextTurn(PEER)]).toEqual([2, 1])
      store.admit({ id: 'a', principal: OWNER, at: 1 })
      store.appendTurn(turnOf(7))
      expect([store.nextTurn(OWNER), createStore(db).nextTurn(OWNER)]).toEqual([8, 8])
      store.addTask(begun('t8', 8), [])
      expect(createStore(db).nextTurn(OWNER)).toBe(9)
    },
  ],
  [
    'forgets old ids in time, and never a turn number',
    (store) => {
      store.admit({ id: 'old', principal: OWNER, at: 0 })
      store.admit({ id: 'young', principal: OWNER, at: EVENT_MEMORY })
      for (let n = 3; n <= 64; n += 1) store.admit({ id: `e${n}`, principal: OWNER, at: EVENT_MEMORY + 1 })
      expect(store.admit({ id: 'young', principal: OWNER, at: EVENT_MEMORY + 1 })).toBeNull()
      expect(store.admit({ id: 'old', principal: OWNER, at: EVENT_MEMORY + 1 })).toBe(65)
    },
  ],
]

export const TASKS: Cases = [
  [
    'gives back the record it was given, and its newest state',
    (store) => {
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
      const next = { ...taskOf('t1', 1, { at: 'synthesizing' }), callsUsed: 3 }
      store.saveTask(next, [])
      expect(store.loadTask('t1')).toEqual(next)
      expect(store.loadTask('t2')).toBeNull()
    },
  ],
  [
    'lists what is not final in turn order, and the recent ones newest first, by principal (B-10)',
    (store) => {
      store.saveTask(taskOf('t3', 3, { at: 'planning' }), [])
      store.saveTask(taskOf('t1', 1, { at: 'completed' }), [])
      store.saveTask(taskOf('t2', 2, { at: 'extracting' }), [])
      store.saveTask({ ...taskOf('p1', 1, { at: 'extracting' }), principal: PEER }, [])
      expect(idsOf(store.activeTasks(OWNER).map(({ task }) => task))).toEqual(['t2', 't3'])
      expect(idsOf(store.recentTasks(OWNER, 2))).toEqual(['t3', 't2'])
      expect(idsOf(store.recentTasks(PEER, 9))).toEqual(['p1'])
      expect([...store.activePrincipals()].sort()).toEqual([OWNER, PEER])
      store.saveTask({ ...taskOf('p1', 1, { at: 'cancelled' }), principal: PEER }, [])
      expect(store.activePrincipals()).toEqual([OWNER])
    },
  ],
  [
    'gives the newest tasks however often it was asked before: after a new one, a changed one, an older one, an undone one',
    (store) => {
      const recent = (limit: number) =>
        store.recentTasks(OWNER, limit).map(({ id, callsUsed }) => [id, callsUsed])
      const save = (turn: number, callsUsed: number): void =>
        store.saveTask({ ...taskOf(`t${turn}`, turn, { at: 'completed' }), callsUsed }, [])
      expect(recent(3)).toEqual([])
      store.addTask({ ...taskOf('t2', 2, { at: 'planning' }), callsUsed: 1 }, [])
      expect(recent(3)).toEqual([['t2', 1]])
      save(2, 2)
      save(4, 4)
      save(6, 6)
      save(8, 8)
      const newest = [
        ['t8', 8],
        ['t6', 6],
        ['t4', 4],
      ]
      expect([recent(3), recent(1), recent(3)]).toEqual([newest, newest.slice(0, 1), newest])
      expect(recent(9)).toEqual([...newest, ['t2', 2]])
      save(5, 5)
      expect(recent(4).map(([id]) => id)).toEqual(['t8', 't6', 't5', 't4'])
      const undone = () => {
        save(9, 9)
        save(8, 0)
        expect(recent(2)).toEqual([
          ['t9', 9],
          ['t8', 0],
        ])
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect([recent(2), store.loadTask('t8')?.callsUsed]).toEqual([newest.slice(0, 2), 8])
      expect(store.recentTasks(PEER, 3)).toEqual([])
    },
  ],
  [
    'gives a running task as it is now, and as it was where a change was undone',
    (store) => {
      const at = (id: string) => store.findTask(id)?.task.state.at
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
      expect([[...store.activePrincipals()], at('t1')]).toEqual([[OWNER], 'planning'])
      store.saveTask(taskOf('t1', 1, { at: 'synthesizing' }), [])
      expect(at('t1')).toBe('synthesizing')
      const undone = () => {
        store.saveTask(taskOf('t1', 1, { at: 'delivering', phase: 'sending' }), [])
        store.addTask(taskOf('t2', 2, { at: 'planning' }), [])
        expect([at('t1'), at('t2')]).toEqual(['delivering', 'planning'])
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect([at('t1'), at('t2')]).toEqual(['synthesizing', undefined])
      store.saveTask(taskOf('t1', 1, { at: 'completed' }), [])
      expect(at('t1')).toBe('completed')
    },
  ],
  [
    'leaves out a damaged record, says which, and keeps the others',
    (store, db, malformed) => {
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
      store.saveTask(taskOf('t2', 2, { at: 'planning' }), [])
      db.run(`update tasks set doc = substr(doc, 1, 20) where id = 't1'`)
      expect(idsOf(store.activeTasks(OWNER).map(({ task }) => task))).toEqual(['t2'])
      expect(store.loadTask('t1')).toBeNull()
      expect(malformed).toContainEqual({ table: 'tasks', id: 't1' })
    },
  ],
  [
    'leaves out a record that is JSON but no task',
    (store, db, malformed) => {
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
      db.run(`update tasks set doc = '{"id":"t1"}'`)
      expect(store.loadTask('t1')).toBeNull()
      expect(malformed).toEqual([{ table: 'tasks', id: 't1' }])
    },
  ],
  [
    'keeps the rows that are open beside their task, in order, and replaces them with it',
    (store) => {
      const task = taskOf('t1', 1, { at: 'planning' })
      store.saveTask(task, [effectOf('t1', 1), { ...effectOf('t1', 2), status: 'started' }])
      expect(store.findTask('t1')?.open.map((row) => [row.id, row.status])).toEqual([
        ['t1:1', 'pending'],
        ['t1:2', 'started'],
      ])
      store.saveTask(task, [effectOf('t1', 2)])
      expect(store.activeTasks(OWNER)).toEqual([{ task, open: [effectOf('t1', 2)] }])
    },
  ],
  [
    'leaves out a task whose open rows are damaged, and says which',
    (store, db, malformed) => {
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [effectOf('t1', 1)])
      db.run(`update tasks set open = substr(open, 1, 9)`)
      expect(store.activeTasks(OWNER)).toEqual([])
      expect(malformed).toEqual([{ table: 'tasks', id: 't1' }])
    },
  ],
  [
    'adds a task once: the second of its id changes nothing',
    (store) => {
      const task = taskOf('t1', 1, { at: 'planning' })
      expect(store.addTask(task, [effectOf('t1', 1)])).toBe(true)
      expect(store.addTask({ ...task, turn: 2 }, [])).toBe(false)
      expect(store.findTask('t1')).toEqual({ task, open: [effectOf('t1', 1)] })
    },
  ],
  [
    'counts nobody as active for a task that was undone, nor less for one that was not ended',
    (store) => {
      const attempt = (work: () => void) => () =>
        store.transaction(() => {
          work()
          throw new Error('crash')
        })
      expect(store.activePrincipals()).toEqual([])
      expect(attempt(() => store.addTask(taskOf('t1', 1, { at: 'planning' }), []))).toThrow('crash')
      expect(store.activePrincipals()).toEqual([])
      store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
      expect(attempt(() => store.saveTask(taskOf('t1', 1, { at: 'completed' }), []))).toThrow('crash')
      expect([store.activePrincipals(), idsOf(store.activeTasks(OWNER).map(({ task }) => task))]).toEqual([
        [OWNER],
        ['t1'],
      ])
    },
  ],
  [
    'shows active tasks in turn order as they are now, however often it was asked before',
    (store) => {
      const shown = () =>
        store.activeTasks(OWNER).map(({ task, open }) => [task.id, task.state.at, open.length])
      expect(shown()).toEqual([])
      store.saveTask(taskOf('t2', 2, { at: 'planning' }), [])
      store.addTask(taskOf('t1', 1, { at: 'planning' }), [])
      store.saveTask(taskOf('t2', 2, { at: 'synthesizing' }), [effectOf('t2', 1)])
      const now = [
        ['t1', 'planning', 0],
        ['t2', 'synthesizing', 1],
      ]
      expect(shown()).toEqual(now)
      const undone = () => {
        store.saveTask(taskOf('t1', 1, { at: 'completed' }), [])
        store.saveTask(taskOf('t2', 2, { at: 'planning' }), [])
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(shown()).toEqual(now)
      store.saveTask(taskOf('t1', 1, { at: 'completed' }), [])
      expect(shown()).toEqual([['t2', 'synthesizing', 1]])
    },
  ],
  [
    'shows every active task of many',
    (store) => {
      expect(store.activeTasks(OWNER)).toEqual([])
      const turns = Array.from({ length: 40 }, (_, n) => n + 1)
      for (const turn of turns) store.addTask(taskOf(`t${turn}`, turn, { at: 'planning' }), [])
      expect(store.activeTasks(OWNER).map(({ task }) => task.turn)).toEqual(turns)
    },
  ],
  [
    'finds nothing of a transition that was undone',
    (store) => {
      const before = taskOf('t1', 1, { at: 'planning' })
      store.saveTask(before, [effectOf('t1', 1)])
      const work = () =>
        store.transaction(() => {
          store.saveTask(taskOf('t1', 1, { at: 'synthesizing' }), [])
          throw new Error('crash')
        })
      expect(work).toThrow('crash')
      expect(store.findTask('t1')).toEqual({ task: before, open: [effectOf('t1', 1)] })
    },
  ],
]

export const TRANSACTIONS: Cases = [
  [
    'undoes everything when the work throws',
    (store) => {
      const work = () =>
        store.transaction(() => {
          store.admit({ id: 'a', principal: OWNER, at: 1 })
          store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
          throw new Error('crash')
        })
      expect(work).toThrow('crash')
      expect(store.loadTask('t1')).toBeNull()
      expect(store.admit({ id: 'a', principal: OWNER, at: 1 })).toBe(1)
    },
  ],
  [
    'undoes an inner transaction alone, and an inner one with its outer',
    (store) => {
      store.transaction(() => {
        store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
        const inner = () =>
          store.transaction(() => {
            store.saveTask(taskOf('t2', 2, { at: 'planning' }), [])
            throw new Error('inner')
          })
        expect(inner).toThrow('inner')
      })
      expect(idsOf(store.activeTasks(OWNER).map(({ task }) => task))).toEqual(['t1'])
      const outer = () =>
        store.transaction(() => {
          store.transaction(() => store.saveTask(taskOf('t3', 3, { at: 'planning' }), []))
          throw new Error('outer')
        })
      expect(outer).toThrow('outer')
      expect(idsOf(store.activeTasks(OWNER).map(({ task }) => task))).toEqual(['t1'])
    },
  ],
  [
    'returns what the work returns, and refuses work that waits',
    (store) => {
      expect(store.transaction(() => 7)).toBe(7)
      const waiting = () =>
        store.transaction(() => {
          store.saveTask(taskOf('t1', 1, { at: 'planning' }), [])
          return Promise.resolve()
        })
      expect(waiting).toThrow('must not wait')
      expect(store.loadTask('t1')).toBeNull()
    },
  ],
]

export const USES: Cases = [
  [
    'counts a single-use token once (A-36)',
    (store) => {
      expect([store.countUse('c1', 1), store.countUse('c1', 1), store.uses('c1')]).toEqual([true, false, 1])
    },
  ],
  [
    'counts up to the maximum, by token, and nothing for a maximum of none',
    (store) => {
      expect([1, 2, 3].map(() => store.countUse('c1', 2))).toEqual([true, true, false])
      expect([store.countUse('c2', 0), store.uses('c2'), store.uses('c1')]).toEqual([false, 0, 2])
    },
  ],
]

export const APPROVALS: Cases = [
  [
    'gives back an approval with its card, and its newest state (F-06)',
    (store) => {
      store.saveApproval(approvalOf('a1', 5), refOf('card'))
      const decided: Approval = {
        ...approvalOf('a1', 5),
        state: 'approved',
        decidedAt: 9,
        decidedBy: OWNER,
        decidedFrom: 'edge',
      }
      store.saveApproval(decided, null)
      expect(store.loadApproval('a1')).toEqual({ approval: decided, card: refOf('card'), number: 1 })
      expect(store.loadApproval('a2')).toBeNull()
    },
  ],
  [
    'keeps the card that was shown (F-04)',
    (store) => {
      store.saveApproval(approvalOf('a1', 5), refOf('card'))
      store.saveApproval(approvalOf('a1', 5), refOf('swapped'))
      expect(store.loadApproval('a1')?.card.id).toBe('card')
    },
  ],
  [
    'numbers each approval once, and gives no number twice',
    (store, db) => {
      for (const id of ['a1', 'a2']) store.saveApproval(approvalOf(id, 5), refOf('card'))
      store.saveApproval({ ...approvalOf('a2', 5), state: 'expired' }, null)
      const again = createStore(db)
      again.saveApproval(approvalOf('a3', 5), refOf('card'))
      expect(['a1', 'a2', 'a3'].map((id) => again.loadApproval(id)?.number)).toEqual([1, 2, 3])
      expect([1, 2, 4].map((number) => again.approvalNumbered(number)?.approval.id)).toEqual([
        'a1',
        'a2',
        undefined,
      ])
    },
  ],
  [
    'numbers what was asked before there were numbers when it is first listed, in the order of asking, and keeps that',
    (store, db) => {
      store.saveApproval(approvalOf('a2', 20), refOf('card'))
      store.saveApproval(approvalOf('a1', 10), refOf('card'))
      db.run(sql.raw('update approvals set number = null'))
      store.saveApproval(approvalOf('a0', 1), refOf('card'))
      const listed = () =>
        createStore(db)
          .pendingApprovals(OWNER)
          .map(({ approval, number }) => [approval.id, number])
      const numbered = [
        ['a0', 1],
        ['a1', 2],
        ['a2', 3],
      ]
      expect(listed()).toEqual(numbered)
      expect(listed()).toEqual(numbered)
    },
  ],
  [
    'takes an approval without a card for unreadable: nobody may say yes to what cannot be shown',
    (store, _, malformed) => {
      store.saveApproval(approvalOf('a1', 5), null)
      expect([store.loadApproval('a1'), store.pendingApprovals(null)]).toEqual([null, []])
      expect(malformed[0]).toEqual({ table: 'approvals', id: 'a1' })
    },
  ],
  [
    'lists pending ones oldest first, of one principal or all (F-05)',
    (store) => {
      const card = refOf('card')
      store.saveApproval(approvalOf('a2', 20), card)
      store.saveApproval(approvalOf('a1', 10), card)
      store.saveApproval({ ...approvalOf('a0', 1), state: 'expired' }, card)
      store.saveApproval({ ...approvalOf('b1', 15), principal: PEER }, card)
      const pending = (principal: string | null) =>
        idsOf(store.pendingApprovals(principal).map((row) => row.approval))
      expect(pending(OWNER)).toEqual(['a1', 'a2'])
      expect(pending(null)).toEqual(['a1', 'b1', 'a2'])
    },
  ],
]

const LINK: IdentityLink = {
  ...{ id: 'l1', message: 'm1', state: 'asked', createdAt: 5, expiresAt: 9 },
  ends: [
    { principal: OWNER, code: 'c1', wrong: 0, sink: null },
    { principal: PEER, code: 'c2', wrong: 0, sink: null },
  ],
}

export const LINKS: Cases = [
  [
    'gives back a link with its newest state, oldest first, after a restart too (F-16)',
    (store, db) => {
      store.saveIdentityLink({ ...LINK, id: 'l2', createdAt: 7 }, null)
      store.saveIdentityLink(LINK, null)
      const live = { ...LINK, state: 'live' } as const
      store.saveIdentityLink(live, refOf('card'))
      for (const one of [store, createStore(db)]) {
        expect(one.identityLinks().map(({ link }) => [link.id, link.state])).toEqual([
          ['l1', 'live'],
          ['l2', 'asked'],
        ])
        expect(one.identityLinks()[0]).toEqual({ link: live, card: refOf('card') })
      }
    },
  ],
  [
    'keeps the card that was agreed to',
    (store, db) => {
      store.saveIdentityLink(LINK, refOf('card'))
      store.saveIdentityLink({ ...LINK, state: 'removed' }, null)
      store.saveIdentityLink({ ...LINK, state: 'removed' }, refOf('swapped'))
      expect(createStore(db).identityLinks()[0]?.card?.id).toBe('card')
    },
  ],
  [
    'forgets a link whose transaction was undone',
    (store) => {
      const undone = () => {
        store.saveIdentityLink(LINK, null)
        expect(store.identityLinks()).toHaveLength(1)
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(store.identityLinks()).toEqual([])
    },
  ],
]
