/** Complete records for the store's cases; each case changes the fields it is about. Called by the cases of this folder. */
import { sql } from 'drizzle-orm'
import type { MalformedRow } from '../../integrations/store/database/columns.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import type { MemoryEntry } from '../../kernel/features/memory/port.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { taintOf } from '../../kernel/flow/taint.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { SealedRow } from '../../kernel/powers/sealed-port.ts'
import type { AuditEvent, OutboxRow, Turn } from '../../kernel/powers/stores.ts'
import type { Approval } from '../../kernel/task/approval.ts'
import type { EffectRow, SealedRef, Task, TaskState } from '../../kernel/task/task.ts'

export type Work = (store: Store, db: SyncDatabase, malformed: readonly MalformedRow[]) => void
export type Cases = readonly (readonly [string, Work])[]

export const OWNER = 'principal:owner'
export const PEER = 'principal:telegram:peer:7'
export const SINK = 'sink:terminal:owner'

export function refOf(id: string): SealedRef {
  const label = labelOf([{ origin: 'tool:email.list', field: '*', level: 'sensitive', compartment: null }])
  return { id, version: 1, label, taint: taintOf('raw', 'tool:email.list'), holds: { what: 'text' } }
}

export function taskOf(id: string, turn: number, state: TaskState): Task {
  return {
    id,
    trace: `trace-${id}`,
    template: 'owner_private',
    principal: OWNER,
    event: `event-${id}`,
    place: 'home',
    turn,
    ceiling: { level: 'sensitive', compartments: [] },
    tools: ['email.list'],
    maxToolCalls: 5,
    sink: SINK,
    state,
    path: 'full',
    words: refOf(`words-${id}`),
    said: refOf(`said-${id}`),
    memory: { w1: refOf('w1') },
    plan: { steps: [{ id: 's1', do: 'tool', tool: 'email.list', args: { max: 3 } }], explanation: '' },
    planned: refOf('x'),
    planRounds: 1,
    planner: 'rules',
    results: { s1: { kind: 'sealed', ref: refOf('r1') } },
    traces: [],
    callsUsed: 1,
    answer: null,
    model: null,
    trouble: null,
    nextEffect: 4,
    createdAt: 1_700_000_000_000,
  }
}

export function effectOf(task: string, n: number): EffectRow {
  return { id: `${task}:${n}`, task, n, effect: { do: 'plan', round: n }, status: 'pending' }
}

export function sealedOf(id: string, bytes: Uint8Array): SealedRow {
  return { id, principal: OWNER, store: 'sessions', version: 1, label: 'sensitive', bytes, until: null }
}

export function approvalOf(id: string, createdAt: number): Approval {
  return {
    id,
    task: 't1',
    step: 's2',
    principal: OWNER,
    tool: 'email.send',
    sink: 'sink:mail:owner',
    digest: 'ab'.repeat(32),
    reason: 'write_raw',
    label: 'sensitive',
    place: 'home',
    card: 'card1',
    state: 'pending',
    createdAt,
    expiresAt: createdAt + 300_000,
    decidedAt: null,
    decidedBy: null,
    decidedFrom: null,
    kind: 'tainted_write',
    template: 'owner_private',
    change: null,
    message: null,
    toldAt: null,
    options: null,
    choice: null,
    due: null,
  }
}

export function turnOf(turn: number): Turn {
  return { turn, principal: OWNER, task: `t${turn}`, words: refOf(`words${turn}`), answer: null, at: turn }
}

export function memoryOf(task: string, record: string): MemoryEntry {
  return {
    turn: 1,
    principal: OWNER,
    task,
    action: 'email.list',
    ref: refOf(`${task}-${record}`),
    at: 1_700_000_000_000,
  }
}

export function auditOf(task: string, at: number): AuditEvent {
  const facts = { tool: 'email.list', bytes: 17, ok: true, reason: null }
  return { at, place: 'home', kind: 'tool_invoked', trace: 'trace', task, principal: OWNER, facts }
}

export function deliveryOf(id: string): OutboxRow {
  return {
    id,
    sink: SINK,
    principal: OWNER,
    task: 't1',
    turn: 1,
    kind: 'answer',
    approval: null,
    text: refOf(`text-${id}`),
    label: 'sensitive',
    at: 1_700_000_000_000,
  }
}

export function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map((row) => row.id)
}

/** Bytes that differ by position, so that parts in a wrong order are detected. */
export function patterned(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + (at >> 12)) & 255
  return bytes
}

export function countOf(db: SyncDatabase, table: string): number {
  const rows = db.values<[number]>(sql`select count(*) from ${sql.identifier(table)}`)
  return rows[0]?.[0] ?? 0
}

/** The database's own message for a refusal, which drizzle wraps in one of its errors. */
export function causeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error) : String(error)
  }
  return 'no error'
}
