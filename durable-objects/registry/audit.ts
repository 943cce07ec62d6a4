/**
 * Audit of the edge's link and models, in the tables that every object has. Refusals are rate-limited: a line each for an
 * enrolled device, one an hour for what anybody can cause; further ones are only counted. Lines are only appended, and exported
 * to home's backup without being opened. Must not read a line. Called by KernelObject.
 */
import { drizzle } from 'drizzle-orm/durable-sqlite'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { beyond, MINUTE, type RateWindow } from '../rate-window.ts'
import { createStorePart, type StorePart } from '../store-part.ts'
import type { KernelPorts } from './ports.ts'

export interface KernelAudit {
  readonly note: KernelPorts['note']
  /** The audit rows, for a backup. */
  part(): StorePart
}

export function createKernelAudit(storage: DurableObjectStorage): KernelAudit {
  let open: Pick<Store, 'appendAudit'> | null = null
  return {
    note(kind, facts) {
      // Most wake-ups write no line, so the tables are migrated at the first line.
      open ??= createStore(migrated(storage))
      const nobody = { trace: null, task: null, principal: null }
      open.appendAudit({ at: Date.now(), place: 'edge', kind, ...nobody, facts })
    },
    part: () => createStorePart(storage, migrated(storage)),
  }
}

function migrated(storage: DurableObjectStorage): SyncDatabase {
  const db = drizzle(storage)
  migrate(db, STORE_MIGRATIONS)
  return db
}

/**
 * Who was refused: a request without a valid signature (`knock`), an enrolled device, a pairing attempt, or a malformed webhook
 * request of a channel.
 */
export type DenialSource = 'knock' | 'link' | 'pairing' | 'channel'

/** Audit lines a minute for enrolled devices: a flood must neither fill the audit nor bury its other lines. */
export const MAX_DENIALS = 20
/** Milliseconds in which one line stands for all refusals of its kind: audit lines are never deleted, and every backup copies them. */
export const HOUR = 3_600_000

const WINDOW = 'denials:'

export interface Denials {
  /**
   * Writes a line for one refusal, or counts it. `left_out` in the facts: further refusals that the Worker counted and did not
   * report.
   */
  deny(of: DenialSource, facts: ReasonFacts): void
  /** Writes the counts of windows that have ended. Called by the alarm. */
  close(): void
}

/** Stored durably: an eviction neither loses the count nor resets the rate. */
interface Window extends RateWindow {
  /** Facts of the line that will report the count. */
  readonly facts: ReasonFacts
  /** Refusals counted without a line of their own. */
  readonly leftOut: number
}

/** Rows of an earlier version: a window of one minute per source. */
type Stored = RateWindow & Partial<Window>

interface Rate {
  readonly lines: number
  /** Length of the window, milliseconds. */
  readonly per: number
}

const ENROLLED: Rate = { lines: MAX_DENIALS, per: MINUTE }
const ANYBODY: Rate = { lines: 1, per: HOUR }

export function createDenials({
  kv,
  now,
  note,
  wakeAt,
}: Pick<KernelPorts, 'kv' | 'now' | 'note' | 'wakeAt'>): Denials {
  const isOver = ({ since }: Window, { per }: Rate): boolean => Math.abs(now() - since) >= per
  const end = ({ facts, leftOut }: Window): void => {
    if (leftOut > 0) note('denial', { ...facts, left_out: leftOut })
  }
  const windows = (): readonly (readonly [string, Window])[] =>
    [...kv.list<Stored>({ prefix: WINDOW })].map(([key, stored]) => [key, read(key, stored)])
  /** All windows share one alarm, set to the earliest end. */
  const arm = (): void => {
    const ends = windows().flatMap(([key, open]) => (open.leftOut > 0 ? [open.since + rateOf(key).per] : []))
    if (ends.length > 0) wakeAt(Math.min(...ends))
  }
  return {
    deny(of, { left_out: unseen, ...facts }) {
      const kind: ReasonFacts = of === 'link' ? { of } : { of, ...facts }
      const key = keyOf(of, kind)
      const rate = rateOf(key)
      const stored = kv.get<Stored>(key)
      const known = stored === undefined ? null : read(key, stored)
      const isNew = known === null || isOver(known, rate)
      if (known !== null && isNew) end(known)
      const open = isNew ? { since: now(), count: 0, facts: kind, leftOut: 0 } : known
      const isLine = open.count < rate.lines
      const leftOut = open.leftOut + (isLine ? 0 : 1) + Number(unseen ?? 0)
      kv.put(key, { ...open, count: open.count + 1, leftOut })
      if (isLine) note('denial', { of, ...facts })
      if (open.leftOut === 0 && leftOut > 0) arm()
    },
    close() {
      for (const [key, open] of windows()) {
        if (!isOver(open, rateOf(key))) continue
        kv.delete(key)
        end(open)
      }
      arm()
    },
  }
}

/** Windows are keyed by source and code. Enrolled devices share one window, because each line names its device. */
function keyOf(of: DenialSource, { of: within, code }: ReasonFacts): string {
  return of === 'link' ? `${WINDOW}link` : `${WINDOW}${of}:${within}:${code}`
}

function read(key: string, stored: Stored): Window {
  return { facts: { of: key.slice(WINDOW.length) }, leftOut: beyond(stored, MAX_DENIALS), ...stored }
}

function rateOf(key: string): Rate {
  return key === `${WINDOW}link` ? ENROLLED : ANYBODY
}
