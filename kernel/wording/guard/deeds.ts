/**
 * Knowledge about the writes that ran: their values in the task's record, the owner's own words, and the rows that they
 * changed. Each part is computed on first use, for an answer with a claim. Must not judge. Pure; called by unit.ts.
 */
import type { Json } from '../../flow/json.ts'
import { mentions } from './claimed.ts'
import { ownSentences, tellsOf } from './claims.ts'
import { type Known, knownOf, type Wall } from './particulars.ts'

export interface DeedRecord {
  /** Values and results of the writes that ran, each with its action. */
  readonly lines: readonly Deed[]
  /** The owner's own message. */
  readonly ownMessage: Json
  readonly wall: Wall
}

export interface Deed {
  readonly id: string
  readonly values: Json
}

interface Knowing {
  readonly knownOf: (actions: readonly string[]) => Known | null
  readonly knownToAll: () => Known
  readonly hadPeople: (action: string) => boolean
}

export function knowing(
  record: DeedRecord | undefined,
  { read, others }: { readonly read: readonly Json[]; readonly others: readonly Json[] },
): Knowing {
  const wall = record?.wall ?? { now: 0, zone: 'UTC' }
  const made = new Map<string, Known>()
  const once = (name: string, make: () => Known): Known => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known
  }
  return {
    knownOf(actions) {
      if (record === undefined) return null
      return once([...actions].toSorted().join(' '), () => {
        const lines = record.lines.filter(({ id }) => actions.includes(id))
        const values = lines.map((line) => line.values)
        // The record has nothing of an earlier task, so what was read about it counts.
        const isUntold = actions.some((action) => lines.every(({ id }) => id !== action))
        const rows = rowsBehind(values, others)
        return knownOf([...values, ...rows], [record.ownMessage, ...(isUntold ? read : [])], wall)
      })
    },
    knownToAll: () => once('', () => knownOf([], read, wall)),
    hadPeople: (action) =>
      record?.lines.some(({ id, values }) => id === action && namesPeople(values)) === true,
  }
}

/** Whether an argument of the write is a list of addresses. Arguments that remove people (`uninvite`) do not count. */
function namesPeople(values: Json): boolean {
  const given = typeof values === 'object' && values !== null ? Object.entries(values) : []
  return given.some(
    ([name, value]) =>
      !name.startsWith('un') &&
      Array.isArray(value) &&
      value.some((one) => /^[^@\s]+@[^@\s]+$/.test(String(one))),
  )
}

/** Whether a text reports the writes of an action: with a verb for it, or by their particulars. */
export function reportsWrite(text: string, action: string, { lines, ownMessage, wall }: DeedRecord): boolean {
  if (tellsOf(text, action)) return true
  const values = lines.filter(({ id }) => id === action).map((line) => line.values)
  const [deed, asked] = [knownOf(values, [], wall), knownOf([], [ownMessage], wall)]
  return ownSentences(text).some(({ start, end }) => mentions(text.slice(start, end), deed, asked))
}

/** Rows whose id is an argument of a write. For a reply, for example, only the row says who wrote the original mail. */
function rowsBehind(values: readonly Json[], others: readonly Json[]): readonly Json[] {
  const given = new Set(values.flatMap(textsIn))
  const within = (value: Json): readonly Json[] => {
    if (typeof value !== 'object' || value === null) return []
    const id = Array.isArray(value) ? undefined : (value as { readonly [key: string]: Json })['id']
    const below = Object.values(value).flatMap((inner: Json) => within(inner))
    return typeof id === 'string' && given.has(id) ? [value, ...below] : below
  }
  return others.flatMap(within)
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: Json) => textsIn(inner))
}
