/**
 * The structure-aware mutator: takes a valid tree and makes one node of it wrong. Deterministic: a change is three
 * numbers. What only text can hold (a key twice) is written by `textOf`. Called by inputs.ts.
 */
import type { Json } from '../../kernel/flow/json.ts'
import { CANARY } from './target.ts'

export interface Change {
  readonly op: number
  readonly at: number
  readonly with: number
}

/** Deeper than any parser's own limit, and than the stack of one that recurses without a limit. */
const DEEP = 20_000
/** Longest string that a change makes where a target names no bound, UTF-16 units. */
const ENORMOUS = 120_000
/** Items of a list that floods. */
const MANY = 2_000

/** Stands for a member that is written twice under its name; only `textOf` knows it. */
const TWICE = '\u0000twice'

const WRONG_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  CANARY,
  '$ref',
  'a.b',
  '0',
]

/** What a field that expects something else is given. Numbers that JSON cannot spell become null in text. */
const WRONG_VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 255, 256].map(
    (value) => () => value,
  ),
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE].map((value) => () => value),
  ...['', ' ', '0', '\u0000', '\ud800', '\udc00x', '\u202e', '\u2028', '\ufeff', 'é', '🙂', '\n', '..'].map(
    (value) => () => value,
  ),
  ...['__proto__', 'constructor', CANARY, `${CANARY} words`, '*', '%00', 'null', '-1', '1e9'].map(
    (value) => () => value,
  ),
  () => [],
  () => ({}),
  () => [[]],
  () => [CANARY],
  () => ({ [CANARY]: CANARY }),
  () => own('__proto__', { polluted: CANARY }),
  () => own('constructor', { prototype: { polluted: CANARY } }),
  () => ({ toJSON: CANARY, length: 2 ** 32, 0: CANARY }),
  () => nested(40, (inner) => [inner]),
  () => nested(DEEP, (inner) => [inner]),
  () => nested(DEEP, (inner) => ({ a: inner })),
  () => Array.from({ length: MANY }, () => CANARY),
  () => Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${index}`, index])),
]

interface Place {
  readonly holder: Record<string | number, unknown> | null
  readonly key: string | number
  readonly value: unknown
}

type Operation = (tree: Place, place: Place, with_: number, bounds: readonly number[]) => unknown

const replace: Operation = (_, __, with_) => (WRONG_VALUES[with_ % WRONG_VALUES.length] ?? (() => null))()
/** One of the tree's own values where another belongs. */
const exchange: Operation = (tree, _, with_) => copyOf(placeAt(tree.value, with_).value)
const lengthen: Operation = (_, { value }, with_, bounds) => {
  const lengths = [...bounds, ENORMOUS].flatMap((bound) => [bound - 1, bound, bound + 1])
  const length = lengths[with_ % lengths.length] ?? 0
  if (Array.isArray(value)) return flooded(value, Math.min(length, MANY))
  const piece = typeof value === 'string' && value !== '' ? value : 'x'
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, Math.max(0, length))
}
const addKey: Operation = (_, { value }, with_) => {
  const key = WRONG_KEYS[with_ % WRONG_KEYS.length] ?? ''
  return isRecord(value) ? withOwn(value, key, replaceBy(with_ >>> 4)) : own(key, value)
}
const drop: Operation = (_, { value }, with_) => {
  if (Array.isArray(value)) return value.filter((_item, index) => index !== with_ % Math.max(1, value.length))
  if (!isRecord(value)) return undefined
  const gone = Object.keys(value)[with_ % Math.max(1, Object.keys(value).length)]
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone))
}
/** The same name twice, with two values: whoever reads the first and whoever reads the last see two documents. */
const twice: Operation = (_, { value }, with_) => {
  if (!isRecord(value) || Object.keys(value).length === 0) return value
  const key = Object.keys(value)[with_ % Object.keys(value).length] ?? ''
  return withOwn(value, TWICE + key, replaceBy(with_ >>> 4))
}
const wrap: Operation = (_, { value }, with_) => (with_ % 2 === 0 ? [value] : { [CANARY]: value })
const stuff: Operation = (_, { value }) => (typeof value === 'string' ? `${value}${CANARY}` : CANARY)

const OPERATIONS: readonly Operation[] = [
  replace,
  replace,
  exchange,
  lengthen,
  addKey,
  drop,
  twice,
  wrap,
  stuff,
]

/** How many operations there are; `Change.op` counts modulo this. */
export const CHANGE_KINDS = OPERATIONS.length

/** A fresh tree with the changes made, one after another. */
export function changeTree(sample: Json, changes: readonly Change[], bounds: readonly number[]): unknown {
  return changes.reduce<unknown>((tree, change) => {
    const whole: Place = { holder: null, key: '', value: copyOf(tree) }
    const place = placeAt(whole.value, change.at)
    const operation = OPERATIONS[change.op % CHANGE_KINDS] ?? replace
    const value = operation(whole, place, change.with, bounds)
    if (place.holder === null) return value
    setOwn(place.holder, place.key, value)
    return whole.value
  }, copyOf(sample))
}

/** JSON text of a tree, of any depth, with members that stand twice. */
export function textOf(tree: unknown): string {
  const pieces: string[] = []
  const work: (string | { readonly value: unknown })[] = [{ value: tree }]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === 'string') pieces.push(next)
    else if (Array.isArray(next.value))
      work.push(']', ...separated(next.value.map((value) => [{ value }])), '[')
    else if (isRecord(next.value)) work.push('}', ...separated(membersOf(next.value)), '{')
    else pieces.push(JSON.stringify(next.value) ?? 'null')
  }
  return pieces.join('')
}

type Piece = string | { readonly value: unknown }

function membersOf(record: Readonly<Record<string, unknown>>): readonly (readonly Piece[])[] {
  return Object.entries(record).map(([key, value]) => [
    `${JSON.stringify(key.startsWith(TWICE) ? key.slice(TWICE.length) : key)}:`,
    { value },
  ])
}

/** In reverse, because the writer's work is a stack. */
function separated(items: readonly (readonly Piece[])[]): readonly Piece[] {
  return items.flatMap((item, index) => (index === 0 ? item : [',', ...item])).reverse()
}

/** A copy of plain data of any depth; `structuredClone` recurses. */
function copyOf(tree: unknown): unknown {
  const whole: Record<string, unknown> = { tree }
  const work: Record<string, unknown>[] = [whole]
  for (let holder = work.pop(); holder !== undefined; holder = work.pop()) {
    for (const key of Object.keys(holder)) {
      const value = holder[key]
      if (typeof value !== 'object' || value === null) continue
      const copy = Array.isArray(value) ? [...value] : withOwn(value as Record<string, unknown>)
      setOwn(holder, key, copy)
      work.push(copy as unknown as Record<string, unknown>)
    }
  }
  return whole['tree']
}

/** Every node, the root first, without recursion; stops at `most`. */
function placesOf(tree: unknown, most = 2_000): readonly Place[] {
  const found: Place[] = [{ holder: null, key: '', value: tree }]
  for (let at = 0; at < found.length && found.length < most; at += 1) {
    const value = found[at]?.value
    if (typeof value !== 'object' || value === null) continue
    const holder = value as Record<string, unknown>
    for (const key of Object.keys(holder)) found.push({ holder, key, value: holder[key] })
  }
  return found
}

/** The list's own items over and over; a long string among them would make gigabytes. */
function flooded(list: readonly unknown[], length: number): readonly unknown[] {
  const short = list.filter((item) => textOf(item).length <= 1_000)
  return Array.from({ length }, (_item, at) => short[at % Math.max(1, short.length)] ?? CANARY)
}

function placeAt(tree: unknown, at: number): Place {
  const places = placesOf(tree)
  return places[at % places.length] ?? { holder: null, key: '', value: tree }
}

function replaceBy(with_: number): unknown {
  return (WRONG_VALUES[with_ % WRONG_VALUES.length] ?? (() => null))()
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withOwn(
  record: Readonly<Record<string, unknown>>,
  key?: string,
  value?: unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(record)) setOwn(copy, name, record[name])
  if (key !== undefined) setOwn(copy, key, value)
  return copy
}

/** As `JSON.parse` does it: `__proto__` is a property like any other. */
function setOwn(holder: object, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function own(key: string, value: unknown): Record<string, unknown> {
  return withOwn({}, key, value)
}

function nested(depth: number, wrapIn: (inner: unknown) => unknown): unknown {
  let tree: unknown = CANARY
  for (let level = 0; level < depth; level += 1) tree = wrapIn(tree)
  return tree
}
