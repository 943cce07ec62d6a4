/**
 * The audit of what was refused on the link. What an enrolled device did has a line each, up to a rate a minute; what anybody can
 * bring about without a key has one line an hour and kind. What comes beyond is counted, and the object's alarm writes the count when
 * the time is over. Must not decide what is refused. Called by KernelObject.
 */
import type { ReasonFacts } from '../kernel/flow/verdict.ts'
import { beyond, MINUTE, type RateWindow } from './rate-window.ts'

/** Who was refused: a stranger without a good signature, an enrolled device, someone who tried to pair, or who wrote by a channel what none sends. */
export type DenialSource = 'knock' | 'link' | 'pairing' | 'channel'

/** Lines a minute of enrolled devices: a flood must neither fill the audit nor bury its other lines. */
export const MAX_DENIALS = 20
/** Milliseconds for which one line stands for all of its kind: the audit keeps each for ever, and so does every backup. */
export const HOUR = 3_600_000

const WINDOW = 'denials:'

export interface Denials {
  /** Notes one refusal, or counts it. `left_out` in the facts: so many more of which the Worker did not tell. */
  deny(of: DenialSource, facts: ReasonFacts): void
  /** Writes the counts of the times that are over. Called by the alarm. */
  close(): void
}

export interface DenialPowers {
  readonly now: () => number
  readonly write: (facts: ReasonFacts) => void
  /** Asks that `close` be called at this time, epoch milliseconds. */
  readonly wakeAt: (at: number) => void
}

/** Durable: an eviction neither forgets a count nor opens the rate anew. */
interface Window extends RateWindow {
  /** What the line of the count says. */
  readonly facts: ReasonFacts
  /** Refusals that have no line of their own. */
  readonly leftOut: number
}

/** As an earlier version left it: a source's minute. */
type Stored = RateWindow & Partial<Window>

interface Rate {
  readonly lines: number
  /** Milliseconds. */
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
  /** There is one alarm for all: the first that ends counts. */
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

/** A kind is a source and a code; of enrolled devices all are one, as each line says which device. */
function keyOf(of: DenialSource, { of: within, code }: ReasonFacts): string {
  return of === 'link' ? `${WINDOW}link` : `${WINDOW}${of}:${within}:${code}`
}

function read(key: string, stored: Stored): Window {
  return { facts: { of: key.slice(WINDOW.length) }, leftOut: beyond(stored, MAX_DENIALS), ...stored }
}

function rateOf(key: string): Rate {
  return key === `${WINDOW}link` ? ENROLLED : ANYBODY
}
