/**
 * Audit of refusals on the link. An enrolled device gets one line for each, rate-limited per minute; what anybody can cause without
 * a key gets one line an hour and kind. The rest is counted, and the alarm writes the count when the window ends. Must not decide
 * what is refused. Called by KernelObject.
 */
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import { beyond, MINUTE, type RateWindow } from '../rate-window.ts'

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

export interface DenialPowers {
  readonly now: () => number
  readonly write: (facts: ReasonFacts) => void
  /** Requests a call of `close` at this time, epoch milliseconds. */
  readonly wakeAt: (at: number) => void
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

export function createDenials(kv: SyncKvStorage, { now, write, wakeAt }: DenialPowers): Denials {
  const isOver = ({ since }: Window, { per }: Rate): boolean => Math.abs(now() - since) >= per
  const end = ({ facts, leftOut }: Window): void => {
    if (leftOut > 0) write({ ...facts, left_out: leftOut })
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
      if (isLine) write({ of, ...facts })
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
