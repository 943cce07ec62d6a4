/**
 * Whether facts of the items themselves single out those that a recorded solution picked: a word of the owner's in a field,
 * a number on one side of a number of the owner's, the most or the least of a number where the owner asks for it. A choice
 * that follows from none of them counts as made by no fact. Must not name a field. Called by recorded-plan.ts.
 */
import type { Json } from '../../kernel/flow/json.ts'

/** Words that ask for the most or the least of something. */
const SUPERLATIVE = /\b(?:most|least|best|worst|top|first|last|[a-z]{2,}est)\b/i
/** Filters that one choice may combine, such as a kind and a price. */
const MOST_FILTERS = 2

/** One way to tell items apart: the positions that it holds for. */
type Filter = ReadonlySet<number>

/** True if some facts of the items hold for exactly the picked positions. */
export function areSingledOut(items: readonly Json[], picked: readonly number[], prompt: string): boolean {
  const wanted = new Set(picked)
  if (wanted.size === 0 || wanted.size === items.length) return wanted.size > 0
  const rows = items.map(measuresOf)
  const filters = [...wordFilters(items, prompt), ...boundFilters(rows, prompt)].filter((filter) =>
    [...wanted].every((at) => filter.has(at)),
  )
  const all: Filter = new Set(items.keys())
  const sets = combined(filters, all)
  const asksForMost = SUPERLATIVE.test(prompt)
  return sets.some(
    (set) => isSame(set, wanted) || (asksForMost && extremes(rows, set).some((most) => isSame(most, wanted))),
  )
}

/** Numbers in a text, as they are written, with their values. */
export function numbersOf(text: string): readonly { readonly written: string; readonly value: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}]|[.,]\d)/gu)].map(
    ([written]) => ({ written, value: Number(written.replaceAll(',', '')) }),
  )
}

const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Whether the owner says this number, in digits or as a word; one thing is "a" thing. */
export function saysNumber(prompt: string, value: number): boolean {
  const digits = [...prompt.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?/g)].map(([text]) =>
    Number(text.replaceAll(',', '')),
  )
  const words = value === 1 ? 'one|an?' : NUMBER_WORDS[value]
  return digits.includes(value) || (words !== undefined && new RegExp(`\\b(?:${words})\\b`, 'i').test(prompt))
}

function combined(filters: readonly Filter[], all: Filter): readonly Filter[] {
  let sets: readonly Filter[] = [all]
  for (let depth = 0; depth < MOST_FILTERS; depth += 1)
    sets = [...sets, ...sets.flatMap((set) => filters.map((filter) => both(set, filter)))]
  return sets
}

function both(a: Filter, b: Filter): Filter {
  return new Set([...a].filter((at) => b.has(at)))
}

/** A word that the owner used, or a day, stands in the same field of these items. */
function wordFilters(items: readonly Json[], prompt: string): readonly Filter[] {
  const words = [...new Set(stemsOf(prompt))]
  const days = daysIn(prompt)
  return fieldsOf(items).flatMap((field) => {
    const texts = items.map((item) => textOf(field(item)))
    const stems = texts.map((text) => new Set(stemsOf(text)))
    return [
      ...words.map((word) => holding(stems, (own) => own.has(word))),
      ...days.map((day) => holding(texts, (text) => text.includes(day))),
    ]
  })
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** "May 5th", "5 May" and `2024-05-05`, as a date has them: `-05-05`. */
function daysIn(prompt: string): readonly string[] {
  const month = `(${MONTHS.join('|')})[a-z]*\\.?`
  const day = '(\\d{1,2})(?:st|nd|rd|th)?'
  const found = [
    ...[...prompt.matchAll(new RegExp(`\\b${month} ${day}\\b`, 'gi'))].map(([, name, number]) => [
      name,
      number,
    ]),
    ...[...prompt.matchAll(new RegExp(`\\b${day} (?:of )?${month}\\b`, 'gi'))].map(([, number, name]) => [
      name,
      number,
    ]),
  ]
  const two = (number: number): string => String(number).padStart(2, '0')
  return [
    ...found.map(
      ([name = '', number]) => `-${two(MONTHS.indexOf(name.toLowerCase()) + 1)}-${two(Number(number))}`,
    ),
    ...[...prompt.matchAll(/\d{4}(-\d{2}-\d{2})/g)].map(([, rest = '']) => rest),
  ]
}

/** A number of an item lies on one side of a number that the owner typed. */
function boundFilters(rows: readonly Measures[], prompt: string): readonly Filter[] {
  return numbersOf(prompt).flatMap(({ value: bound }) =>
    measureNames(rows).flatMap((name) => [
      holding(rows, (row) => isNumber(row[name]) && row[name] < bound),
      holding(rows, (row) => isNumber(row[name]) && row[name] <= bound),
      holding(rows, (row) => isNumber(row[name]) && row[name] > bound),
      holding(rows, (row) => isNumber(row[name]) && row[name] >= bound),
    ]),
  )
}

/** Within a set, the items with the most and those with the least of each measure; all of them where they tie. */
function extremes(rows: readonly Measures[], set: Filter): readonly Filter[] {
  return measureNames(rows).flatMap((name) => {
    const values = [...set].flatMap((at) => {
      const value = rows[at]?.[name]
      return isNumber(value) ? [value] : []
    })
    if (values.length !== set.size) return []
    return [Math.max(...values), Math.min(...values)].map(
      (extreme) => new Set([...set].filter((at) => rows[at]?.[name] === extreme)),
    )
  })
}

/** Numbers of an item by field: the first, the least and the most of each. */
type Measures = Readonly<Record<string, number>>

function measuresOf(item: Json): Measures {
  return Object.fromEntries(
    leavesOf('', item).flatMap(([name, values]) => {
      const numbers = values.flatMap(numbersIn)
      const [first] = numbers
      if (first === undefined) return []
      return [
        [`${name} first`, first],
        [`${name} least`, Math.min(...numbers)],
        [`${name} most`, Math.max(...numbers)],
      ] as const
    }),
  )
}

/** Fields at any depth, each with all that its lists hold. */
function leavesOf(name: string, value: Json): readonly (readonly [string, readonly Json[]])[] {
  if (Array.isArray(value)) return [[name, value as readonly Json[]]]
  if (typeof value !== 'object' || value === null) return [[name, [value]]]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(`${name}.${key}`, inner as Json))
}

function measureNames(rows: readonly Measures[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

function numbersIn(value: Json): readonly number[] {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'string') return []
  const date = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? numbersOf(value).map((one) => one.value) : [date]
}

function fieldsOf(items: readonly Json[]): readonly ((item: Json) => Json)[] {
  const names = items.flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : []))
  if (names.length === 0) return [(item) => item]
  return [...new Set(names)].map(
    (name) => (item) => (item as { readonly [key: string]: Json })?.[name] ?? null,
  )
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Words that stand in any text, and so tell nothing apart. */
const FUNCTION_WORDS = new Set(
  'the and for are was has had have his her its our you your but not any all can out who how did get got let may she him they them this that with from will would what when which where there then than been were into also just please'.split(
    ' ',
  ),
)

/** Words of three letters or more, without the ending of a plural. */
function stemsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !FUNCTION_WORDS.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}

function holding<T>(items: readonly T[], holds: (item: T) => boolean): Filter {
  return new Set([...items.keys()].filter((at) => holds(items[at] as T)))
}

function isSame(a: Filter, b: Filter): boolean {
  return a.size === b.size && [...a].every((at) => b.has(at))
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined
}
