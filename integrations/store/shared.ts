/**
 * Stores values that many rows share once, and refers to them by number: guards of sealed values (label, taint, contents), plans,
 * and what tasks take from their template. Rows of older versions contain the whole value, and are still read. Must not interpret
 * text of a planner as a reference, so that it can name no value. Called by the stores of this folder.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { eq, sql } from 'drizzle-orm'
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { once } from '../../kernel/flow/once.ts'
import type { EffectRow, SealedRef, Task } from '../../kernel/task/task.ts'
import { readDocument, readRef, type Unpack } from './database/columns.ts'
import { type Shared, type StoreContext, slots } from './database/database.ts'
import { sharedValues } from './schema/shared-schema.ts'

/** Maximum number of cached values, and of texts with their numbers; each has a few kilobytes at most. */
const MOST_CACHED = 256

/** Bytes of a text's hash that form its number. The texts are compared as well, so a crafted collision has no effect. */
const NUMBER_BYTES = 4

const UTF8 = new TextEncoder()

type Parts = Readonly<Record<string, unknown>>

export function createShared(context: Pick<StoreContext, 'db' | 'onUndone'>): Shared {
  const { numberOf, valueAt } = createValues(context)
  /** Cache of stored forms by object, because guarded objects are passed on from step to step and from task to task. */
  let shortened = new WeakMap<object, unknown>()
  context.onUndone(() => {
    shortened = new WeakMap()
  })
  const shortOf = ({ id, ...guard }: Parts): unknown => {
    const as = numberOf(JSON.stringify(guard))
    return as === null ? { id, ...guard } : { id, as }
  }
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(short)
    if (!isPlainRecord(value)) return value
    if (!isRepeated(value)) return eachPart(value, short)
    const stored = shortened.get(value) ?? shortOf(value)
    shortened.set(value, stored)
    return stored
  }
  const whole: Unpack = (stored) => {
    if (Array.isArray(stored)) return stored.map(whole)
    if (!isPlainRecord(stored)) return stored
    const { as, ...rest } = stored
    return typeof as === 'number' ? { ...eachPart(rest, whole), ...valueAt(as) } : eachPart(stored, whole)
  }
  const wholeTask: Unpack = (stored) => {
    if (!isPlainRecord(stored)) return stored
    const { plan, ...rest } = stored
    return { ...(whole(rest) as Parts), plan: typeof plan === 'number' ? valueAt(plan) : plan }
  }
  const refText = (ref: SealedRef): string => JSON.stringify(short(ref))
  return {
    refText,
    readRef: (text, malformed) => readRef(text, malformed, whole),
    isSameRef(text, ref) {
      const stored = readRef(text, () => {}, whole)
      return stored !== undefined && refText(stored) === refText(ref)
    },
    taskText({ plan, ceiling, tools, maxToolCalls, place, sink, ...task }) {
      const given = { ceiling, tools, maxToolCalls, place, sink }
      const as = numberOf(JSON.stringify(given))
      return JSON.stringify({
        ...{ ...(short(task) as Parts), ...(as === null ? given : { as }) },
        plan: plan === null ? null : (numberOf(JSON.stringify(plan)) ?? plan),
      })
    },
    // Their ids are derived from the task's id and their numbers, so they are not stored.
    rowsText: (open) => JSON.stringify(open.map(({ id: _, task: __, ...row }) => short(row))),
    readTask: (text, malformed) =>
      readDocument<Task>(text, ['id', 'principal', 'state', 'sink', 'results'], malformed, wholeTask),
    readRows(text, task, malformed) {
      const stored = readDocument<{ rows: EffectRow[] }>(`{"rows":${text}}`, ['rows'], malformed, whole)
      return stored?.rows.map((row) => ({ ...row, id: `${task}:${row.n}`, task }))
    },
  }
}

/** Whether it is a value's label and taint, or a taint alone. */
function isRepeated({ label, taint, origins, touchedBy }: Parts): boolean {
  return (
    (isPlainRecord(label) && isPlainRecord(taint)) || (Array.isArray(origins) && Array.isArray(touchedBy))
  )
}

function eachPart(value: Parts, map: Unpack): Parts {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]))
}

interface Values {
  /** Stores the text if it is new. Null if another text has its number; the value then stays in its row. */
  numberOf(text: string): number | null
  /** Throws if there is no such value. */
  valueAt(id: number): Parts
}

function createValues({ db, onUndone }: Pick<StoreContext, 'db' | 'onUndone'>): Values {
  const stored = once(() =>
    db
      .select({ value: sharedValues.value })
      .from(sharedValues)
      .where(eq(sharedValues.id, sql.placeholder('id')))
      .prepare(),
  )
  const insert = once(() => db.insert(sharedValues).values(slots('id', 'value')).prepare())
  const numbers = new Map<string, number>()
  const values = new Map<number, Parts>()
  onUndone(() => {
    numbers.clear()
    values.clear()
  })
  return {
    numberOf(text) {
      const known = numbers.get(text)
      if (known !== undefined) return known
      const id = sha256(UTF8.encode(text))
        .subarray(0, NUMBER_BYTES)
        .reduce((number, byte) => number * 256 + byte, 1)
      const row = stored().get({ id })
      if (row === undefined) insert().run({ id, value: text })
      else if (row.value !== text) return null
      cache(numbers, text, id)
      return id
    },
    valueAt(id) {
      const known = values.get(id)
      if (known !== undefined) return known
      const value: unknown = JSON.parse(stored().get({ id })?.value ?? '')
      if (!isPlainRecord(value)) throw new SyntaxError('a shared value is no record')
      cache(values, id, value)
      return value
    },
  }
}

function cache<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= MOST_CACHED) map.clear()
  map.set(key, value)
}
