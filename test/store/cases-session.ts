/** Store cases of stored data: sealed rows, sessions, audit and outbox. Run by contract.ts. */
import { expect } from 'vitest'
import { brokenAuditLine } from '../../integrations/store/audit.ts'
import { PART_BYTES } from '../../integrations/store/sealed.ts'
import { describeLabel, type Label, labelOf, PUBLIC } from '../../kernel/flow/label.ts'
import {
  auditOf,
  type Cases,
  causeOf,
  countOf,
  deliveryOf,
  idsOf,
  memoryOf,
  OWNER,
  PEER,
  patterned,
  refOf,
  SINK,
  sealedOf,
  taskOf,
  turnOf,
} from './records.ts'

const TEN = { tasks: 10, archived: 500 }

export const SEALED: Cases = [
  [
    'gives back bytes and address, replaces and deletes',
    (store) => {
      const row = sealedOf('r1', new Uint8Array([0, 1, 255]))
      store.putSealed(row)
      expect(store.getSealed('r1')).toEqual(row)
      const next = { ...row, version: 2, bytes: new Uint8Array([9]) }
      store.putSealed(next)
      expect(store.getSealed('r1')).toEqual(next)
      store.deleteSealed(['r1', 'never'])
      expect(store.getSealed('r1')).toBeNull()
    },
  ],
  [
    'holds five megabytes in parts, and leaves none of them behind (T-12)',
    (store, db) => {
      const large = sealedOf('r1', patterned(5 * PART_BYTES + 3))
      store.putSealed(large)
      expect(Number(countOf(db, 'sealed_parts'))).toBe(5)
      const back = store.getSealed('r1')
      // `toEqual` takes seconds for five million elements.
      expect(back?.bytes.length).toBe(large.bytes.length)
      expect(back?.bytes.every((byte, at) => byte === large.bytes[at])).toBe(true)
      store.putSealed({ ...large, bytes: patterned(PART_BYTES + 1) })
      expect(countOf(db, 'sealed_parts')).toBe(1)
      store.deleteSealed(['r1'])
      expect(countOf(db, 'sealed_parts')).toBe(0)
    },
  ],
  [
    'takes a row whose part is gone for unreadable',
    (store, db, malformed) => {
      store.putSealed(sealedOf('r1', patterned(2 * PART_BYTES)))
      db.run('delete from sealed_parts')
      expect(store.getSealed('r1')).toBeNull()
      expect(malformed).toEqual([{ table: 'sealed', id: 'r1' }])
    },
  ],
  [
    'expires temporary rows when their time has come, and no others (C-04)',
    (store) => {
      const bytes = new Uint8Array([1])
      for (const [id, until] of [
        ['kept', null],
        ['due', 100],
        ['later', 101],
      ] as const)
        store.putSealed({ ...sealedOf(id, bytes), until })
      expect(store.nextExpiry()).toBe(100)
      expect(store.expireSealed(100)).toBe(1)
      expect(['kept', 'due', 'later'].map((id) => store.getSealed(id)?.id ?? null)).toEqual([
        'kept',
        null,
        'later',
      ])
    },
  ],
  [
    'gives an end to rows that have none',
    (store) => {
      const bytes = new Uint8Array([1])
      store.putSealed({ ...sealedOf('kept', bytes), until: null })
      store.putSealed({ ...sealedOf('due', bytes), until: 100 })
      store.putSealed({ ...sealedOf('other', bytes), until: null })
      store.boundSealed(['kept', 'due', 'never'], 200)
      const untils = ['kept', 'due', 'other'].map((id) => store.getSealed(id)?.until)
      expect(untils).toEqual([200, 100, null])
    },
  ],
  [
    'lets temporary rows live longer, never shorter, and leaves those that stay',
    (store) => {
      const bytes = new Uint8Array([1])
      for (const [id, until] of [
        ['kept', null],
        ['due', 100],
        ['later', 300],
        ['other', 100],
      ] as const)
        store.putSealed({ ...sealedOf(id, bytes), until })
      expect(store.nextExpiry()).toBe(100)
      store.keepSealed(['kept', 'due', 'later', 'never'], 200)
      const untils = ['kept', 'due', 'later', 'other'].map((id) => store.getSealed(id)?.until)
      expect(untils).toEqual([null, 200, 300, 100])
      expect([store.expireSealed(100), store.nextExpiry()]).toEqual([1, 200])
    },
  ],
]

export const SESSION: Cases = [
  [
    'shows the last turns of a principal, newest last',
    (store) => {
      for (const turn of [1, 2, 3]) store.appendTurn({ ...turnOf(turn), answer: refOf(`answer${turn}`) })
      store.appendTurn({ ...turnOf(9), principal: PEER })
      expect(store.recentTurns(OWNER, 2).map((turn) => turn.turn)).toEqual([2, 3])
      expect(store.recentTurns(PEER, 9)).toEqual([{ ...turnOf(9), principal: PEER }])
    },
  ],
  [
    'adds the answer to a turn, for the task whose turn it is',
    (store) => {
      store.appendTurn(turnOf(1))
      store.appendTurn({ ...turnOf(1), answer: refOf('a') })
      store.appendTurn({ ...turnOf(1), task: 'other', answer: refOf('b') })
      expect(store.recentTurns(OWNER, 9)).toEqual([{ ...turnOf(1), answer: refOf('a') }])
    },
  ],
  [
    'shows the same turns however often it was asked before: after a new one, an older one, another task’s, an undone one',
    (store) => {
      const shown = () => [2, 3].map((limit) => store.recentTurns(OWNER, limit).map(({ task }) => task))
      for (const turn of [1, 2, 4]) store.appendTurn(turnOf(turn))
      expect(shown()).toEqual([
        ['t2', 't4'],
        ['t1', 't2', 't4'],
      ])
      store.appendTurn({ ...turnOf(9), principal: PEER })
      store.appendTurn(turnOf(5))
      expect(shown()[0]).toEqual(['t4', 't5'])
      store.appendTurn(turnOf(3))
      expect(shown()).toEqual([
        ['t4', 't5'],
        ['t3', 't4', 't5'],
      ])
      store.appendTurn({ ...turnOf(5), answer: refOf('a') })
      expect(store.recentTurns(OWNER, 2).at(-1)).toEqual({ ...turnOf(5), answer: refOf('a') })
      store.appendTurn({ ...turnOf(8), at: 0 })
      expect(shown()[1]).toEqual(['t3', 't4', 't5'])
      store.appendTurn({ ...turnOf(8), task: 'other', at: 9 })
      expect(shown()[1]).toEqual(['t3', 't4', 't5'])
      const undone = () => {
        store.appendTurn(turnOf(6))
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(shown()[1]).toEqual(['t3', 't4', 't5'])
      expect(store.recentTurns(OWNER, 0)).toEqual([])
    },
  ],
  [
    'loads the turns since the last compaction, finds the others, and knows what they take (O-35, O-36, O-39)',
    (store) => {
      for (const turn of [1, 2, 3, 4]) {
        store.putSealed(sealedOf(`words${turn}`, new Uint8Array(100)))
        store.appendTurn({ ...turnOf(turn), words: refOf(`words${turn}`) })
      }
      store.appendTurn({ ...turnOf(1), principal: PEER })
      const all = { limit: 9, archivedOnly: false }
      const numbers = (turns: readonly { readonly turn: number }[]) => turns.map(({ turn }) => turn)
      expect(store.historySize(OWNER)).toEqual({ turns: 4, bytes: 400 })
      expect(store.runningTurns(OWNER, 2).map(({ turn, bytes }) => [turn, bytes])).toEqual([
        [1, 100],
        [2, 100],
      ])
      expect(store.recentTurns(OWNER, 3)).toHaveLength(3)
      const marker = { principal: OWNER, summary: refOf('notes'), at: 5, told: false }
      const undone = () => {
        store.compact(marker, store.runningTurns(OWNER, 3))
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect([store.compaction(OWNER), store.recentTurns(OWNER, 3).length]).toEqual([null, 3])
      expect(store.compact(marker, store.runningTurns(OWNER, 3))).toBeNull()
      expect(store.compaction(OWNER)).toEqual(marker)
      expect([store.compaction(PEER), store.historySize(PEER).turns]).toEqual([null, 1])
      expect([numbers(store.recentTurns(OWNER, 9)), numbers(store.recentTurns(OWNER, 3))]).toEqual([[4], [4]])
      expect(store.historySize(OWNER)).toEqual({ turns: 1, bytes: 100 })
      expect(numbers(store.earlierTurns(OWNER, { ...all, archivedOnly: true }))).toEqual([3, 2, 1])
      expect(numbers(store.earlierTurns(OWNER, all))).toEqual([4, 3, 2, 1])
      const [, third] = store.earlierTurns(OWNER, all)
      expect(numbers(store.earlierTurns(OWNER, { ...all, before: third }))).toEqual([2, 1])
      store.appendTurn({ ...turnOf(2), answer: refOf('late') })
      expect(numbers(store.recentTurns(OWNER, 9))).toEqual([4])
      store.toldOfCompaction(OWNER)
      expect(store.compaction(OWNER)?.told).toBe(true)
      expect(store.compact({ ...marker, summary: refOf('newer'), told: false }, [])).toEqual(refOf('notes'))
      expect(store.compaction(OWNER)).toMatchObject({ summary: refOf('newer'), told: false })
      expect(store.beginAnew(OWNER)).toEqual(refOf('newer'))
      expect([store.compaction(OWNER), store.historySize(OWNER)]).toEqual([null, { turns: 0, bytes: 0 }])
      expect(numbers(store.earlierTurns(OWNER, { ...all, archivedOnly: true }))).toEqual([4, 3, 2, 1])
      expect([store.beginAnew(OWNER), store.historySize(PEER).turns]).toEqual([null, 1])
    },
  ],
  [
    'knows the size of a conversation however often it was asked before: after a new turn, the same again, another’s, an undone one',
    (store) => {
      const add = (turn: number, task = `t${turn}`): void => {
        store.putSealed(sealedOf(`words${turn}`, new Uint8Array(100)))
        store.appendTurn({ ...turnOf(turn), task, words: refOf(`words${turn}`) })
      }
      const grown = [() => add(1), () => add(3), () => add(3), () => add(2), () => add(3, 'other')].map(
        (change) => {
          change()
          return store.historySize(OWNER)
        },
      )
      expect(grown.map(({ turns, bytes }) => [turns, bytes])).toEqual([
        [1, 100],
        [2, 200],
        [2, 200],
        [3, 300],
        [3, 300],
      ])
      const undone = () => {
        add(4)
        expect(store.historySize(OWNER).turns).toBe(4)
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect([store.historySize(OWNER), store.historySize(PEER).turns]).toEqual([{ turns: 3, bytes: 300 }, 0])
    },
  ],
  [
    'knows the label of a conversation however often it was asked before: after a new turn, the same again, an undone one, a summary',
    (store) => {
      const labelFor = (level: 'internal' | 'sensitive' | 'regulated'): Label =>
        labelOf([{ origin: 'tool:email.list', field: level, level, compartment: null }])
      const joined = (...labels: readonly Label[]): string =>
        describeLabel(labelOf(labels.flatMap(({ atoms }) => atoms)))
      const [low, middle, high] = [labelFor('internal'), labelFor('sensitive'), labelFor('regulated')]
      const add = (turn: number, label: Label): void => {
        store.appendTurn({ ...turnOf(turn), answer: null, words: { ...refOf(`words${turn}`), label } })
      }
      const known = (): string => describeLabel(store.historyLabel(OWNER))
      add(1, low)
      expect([store.historySize(OWNER).turns, known()]).toEqual([1, joined(low)])
      add(2, middle)
      expect(known()).toBe(joined(low, middle))
      const undone = () => {
        add(3, high)
        expect(known()).toBe(joined(low, middle, high))
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(known()).toBe(joined(low, middle))
      add(2, high)
      expect([known(), describeLabel(store.historyLabel(PEER))]).toEqual([joined(low, high), joined()])
      const marker = { principal: OWNER, summary: refOf('notes'), at: 5, told: false }
      store.compact(marker, store.runningTurns(OWNER, 9).slice(1))
      expect(known()).toBe(joined(low))
    },
  ],
  [
    'keeps the results of the last ten tasks and archives the first when the eleventh comes (B-14)',
    (store) => {
      for (let n = 0; n < 11; n += 1)
        expect(store.pushMemory([memoryOf(`t${n}`, 'x'), memoryOf(`t${n}`, 'y')], TEN)).toEqual([])
      expect(store.workingMemory(OWNER, 2)).toEqual([memoryOf('t10', 'y'), memoryOf('t10', 'x')])
      expect(store.workingMemory(OWNER, 99)).toHaveLength(20)
      expect(store.archivedMemory(OWNER, 99)).toEqual([memoryOf('t0', 'y'), memoryOf('t0', 'x')])
    },
  ],
  [
    'keeps the newest of the archive and hands out what is gone for good',
    (store) => {
      const keep = { tasks: 1, archived: 2 }
      const gone = ['t0', 't1', 't2', 't3'].map((task) => store.pushMemory([memoryOf(task, 'x')], keep))
      expect(gone).toEqual([[], [], [], [memoryOf('t0', 'x')]])
      expect(store.archivedMemory(OWNER, 99).map(({ task }) => task)).toEqual(['t2', 't1'])
    },
  ],
  [
    'remembers a result once, and takes a late one for the newest',
    (store) => {
      const one = { tasks: 1, archived: 9 }
      store.pushMemory([memoryOf('t2', 'x')], one)
      store.pushMemory([memoryOf('t2', 'x')], one)
      expect(store.workingMemory(OWNER, 9)).toEqual([memoryOf('t2', 'x')])
      store.pushMemory([memoryOf('t1', 'x')], one)
      expect(store.archivedMemory(OWNER, 9)).toEqual([memoryOf('t2', 'x')])
    },
  ],
  [
    'keeps working memory and archive apart by principal (B-10)',
    (store) => {
      const none = { tasks: 1, archived: 0 }
      store.pushMemory([{ ...memoryOf('p', 'x'), principal: PEER }], none)
      expect(store.pushMemory([memoryOf('t1', 'x')], none)).toEqual([])
      expect(store.pushMemory([memoryOf('t2', 'x')], none)).toEqual([memoryOf('t1', 'x')])
      expect(store.workingMemory(PEER, 9)).toHaveLength(1)
      expect(store.archivedMemory(PEER, 9)).toEqual([])
    },
  ],
  [
    'lets what the edge tells push out nothing but its own, in memory and among facts',
    (store) => {
      const keep = { tasks: 1, archived: 1 }
      store.pushMemory([memoryOf('mine', 'x')], keep)
      const gone = ['a', 'b', 'c'].map((n) => store.pushMemory([memoryOf(`open/${n}`, 'x')], keep))
      expect(gone.flat().map(({ task }) => task)).toEqual(['open/a'])
      expect(store.workingMemory(OWNER, 9).map(({ task }) => task)).toEqual(['open/c', 'mine'])
      store.saveFact({ id: 'f1', principal: OWNER, ref: refOf('x'), at: 1 })
      for (const n of [2, 3, 4])
        store.saveFact({ id: `open/${n}`, principal: OWNER, ref: refOf(`y${n}`), at: n })
      expect(idsOf(store.facts(OWNER, 2))).toEqual(['f1', 'open/4'])
    },
  ],
  [
    'counts for a limit only what may be read, of facts and of both memories (E-19)',
    (store) => {
      const low = { ...refOf('low'), label: PUBLIC }
      for (const n of [1, 2, 3, 4, 5]) {
        const ref = n === 1 ? low : refOf(`x${n}`)
        store.saveFact({ id: `f${n}`, principal: OWNER, ref, at: n })
        store.pushMemory([{ ...memoryOf(`t${n}`, `x${n}`), ref }], TEN)
      }
      const may = (label: Label): boolean => label.atoms.length === 0
      expect(idsOf(store.facts(OWNER, 1, may))).toEqual(['f1'])
      expect(store.workingMemory(OWNER, 1, may).map(({ task }) => task)).toEqual(['t1'])
      store.pushMemory([memoryOf('t6', 'x6')], { tasks: 1, archived: 9 })
      expect(store.archivedMemory(OWNER, 1, may).map(({ task }) => task)).toEqual(['t1'])
      expect(store.facts(OWNER, 2, () => false)).toEqual([])
    },
  ],
  [
    'keeps facts newest first; nobody overwrites what is another principal’s',
    (store) => {
      store.saveFact({ id: 'f1', principal: OWNER, ref: refOf('x'), at: 1 })
      store.saveFact({ id: 'f2', principal: OWNER, ref: refOf('y'), at: 2 })
      store.saveFact({ id: 'f1', principal: PEER, ref: refOf('z'), at: 3 })
      expect(idsOf(store.facts(OWNER, 9))).toEqual(['f2', 'f1'])
      expect(store.facts(OWNER, 9)[1]?.ref).toEqual(refOf('x'))
      expect(store.facts(PEER, 9)).toEqual([])
      expect(idsOf(store.facts(OWNER, 1))).toEqual(['f2'])
    },
  ],
]

export const AUDIT: Cases = [
  [
    'gives back a task’s lines in order (Q-02)',
    (store) => {
      const lines = [auditOf('t1', 1), auditOf('t2', 2), auditOf('t1', 3)]
      for (const line of lines) store.appendAudit(line)
      expect(store.auditOf('t1')).toEqual([lines[0], lines[2]])
      expect(store.auditSince(2, 9)).toEqual([lines[2], lines[1]])
      expect(store.auditSince(0, 2)).toEqual([lines[2], lines[1]])
    },
  ],
  [
    'finds a task’s lines without an index: those after it was made, or all where the clock was set back',
    (store) => {
      const made = 1_700_000_000_000
      for (let n = 0; n < 40; n += 1) store.appendAudit(auditOf('other', made - 40 + n))
      store.addTask(taskOf('t1', 1, { at: 'extracting' }), [])
      const lines = [
        { ...auditOf('t1', made + 1), kind: 'task_created' as const },
        auditOf('other', made + 2),
        auditOf('t1', made + 3),
      ]
      for (const line of lines) store.appendAudit(line)
      expect(store.auditOf('t1')).toEqual([lines[0], lines[2]])
      store.addTask({ ...taskOf('t2', 2, { at: 'extracting' }), createdAt: made + 9 }, [])
      const back = [{ ...auditOf('t2', 5), kind: 'task_created' as const }, auditOf('t2', made + 10)]
      for (const line of back) store.appendAudit(line)
      expect(store.auditOf('t2')).toEqual(back)
    },
  ],
  [
    'sums what was counted for the tasks that ended since a time',
    (store) => {
      const ended = (at: number, rows: number) =>
        store.appendAudit({
          ...auditOf('t1', at),
          kind: 'task_ended',
          facts: { rows, requests: 2, duration: 30 },
        })
      for (const [at, rows] of [
        [1, 7],
        [2, 20],
        [3, 30],
      ] as const)
        ended(at, rows)
      store.appendAudit({ ...auditOf('t1', 4), kind: 'task_ended' })
      expect(store.countedSince(2)).toEqual({ messages: 2, rows: 50, requests: 4, duration: 60 })
      expect(store.countedSince(9)).toEqual({ messages: 0, rows: 0, requests: 0, duration: 0 })
    },
  ],
  [
    'numbers lines one after another over a rollback, and spares SQLite’s own counter',
    (store, db) => {
      store.appendAudit(auditOf('t1', 1))
      const [{ seq: reserved = 0 } = {}] = db.all<{ seq: number }>(
        "select seq from sqlite_sequence where name = 'audit'",
      )
      expect(reserved).toBeGreaterThan(100)
      expect(() =>
        store.transaction(() => {
          store.appendAudit(auditOf('t1', 2))
          throw new Error('undone')
        }),
      ).toThrow('undone')
      store.appendAudit(auditOf('t1', 3))
      expect(db.all('select seq from audit order by seq')).toEqual([{ seq: 1 }, { seq: 2 }])
      expect(db.all("select seq from sqlite_sequence where name = 'audit'")).toEqual([{ seq: reserved }])
    },
  ],
  [
    'can be neither changed nor shortened (Q-01)',
    (store, db) => {
      store.appendAudit(auditOf('t1', 1))
      const causes = ["update audit set facts = '{}'", 'delete from audit'].map((statement) =>
        causeOf(() => db.run(statement)),
      )
      for (const cause of causes) expect(cause).toContain('the audit is append-only')
      expect(store.auditOf('t1')).toHaveLength(1)
    },
  ],
  [
    'shows which line was tampered with when the triggers were removed first (Q-01)',
    (store, db) => {
      for (const at of [1, 2, 3]) store.appendAudit(auditOf('t1', at))
      expect(brokenAuditLine(db)).toBeNull()
      db.run('drop trigger audit_no_update')
      db.run("update audit set facts = replace(facts, '17', '18') where seq = 2")
      expect(brokenAuditLine(db)).toBe(2)
    },
  ],
  [
    'shows the gap that a removed line leaves (Q-01)',
    (store, db) => {
      for (const at of [1, 2, 3]) store.appendAudit(auditOf('t1', at))
      db.run('drop trigger audit_no_delete')
      db.run('delete from audit where seq = 2')
      expect(brokenAuditLine(db)).toBe(3)
    },
  ],
]

export const DELIVERIES: Cases = [
  [
    'hands out a sink’s rows after a number, oldest first',
    (store) => {
      for (const id of ['d1', 'd2', 'd3']) store.putDelivery(deliveryOf(id))
      store.putDelivery({ ...deliveryOf('x1'), sink: 'sink:openline:owner' })
      const [first, second] = store.deliveriesAfter(SINK, 0, 2)
      expect(store.lastDelivery('nobody')).toBeNull()
      expect([first?.id, second?.id]).toEqual(['d1', 'd2'])
      expect(first).toEqual({ ...deliveryOf('d1'), seq: first?.seq })
      expect(idsOf(store.deliveriesAfter(SINK, second?.seq ?? 0, 9))).toEqual(['d3'])
    },
  ],
  [
    'keeps one row an id: the same again is told once, another text comes again',
    (store) => {
      store.putDelivery(deliveryOf('d1'))
      store.putDelivery(deliveryOf('d2'))
      const seen = store.deliveriesAfter(SINK, 0, 9).at(-1)?.seq ?? 0
      store.putDelivery(deliveryOf('d1'))
      expect(store.deliveriesAfter(SINK, seen, 9)).toEqual([])
      store.putDelivery({ ...deliveryOf('d1'), text: refOf('edited') })
      expect(store.deliveriesAfter(SINK, seen, 9).map((row) => row.text.id)).toEqual(['edited'])
      expect(idsOf(store.deliveriesAfter(SINK, 0, 9))).toEqual(['d2', 'd1'])
    },
  ],
  [
    'never gives a number twice, even after its row was replaced',
    (store) => {
      store.putDelivery(deliveryOf('d1'))
      const seen = store.deliveriesAfter(SINK, 0, 9).at(-1)?.seq ?? 0
      store.putDelivery({ ...deliveryOf('d1'), text: refOf('edited') })
      expect(store.deliveriesAfter(SINK, seen, 9)).toHaveLength(1)
    },
  ],
]
