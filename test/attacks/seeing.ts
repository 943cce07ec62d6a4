/**
 * What a planner that has looked at results can tell apart: of several items exactly those in whose same field the owner's
 * own words stand, and each of them where all are asked about. It sees numbers and dates too, but which of them is meant
 * would be a judgement; none is made here. Judged by the text at hand; `wasShown` then asks the very prompt whether the
 * kernel had said so. Called by recorded-plan.ts and utility.ts.
 */
import { type Json, valueAt } from '../../kernel/flow/json.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { parseReference } from '../../kernel/task/plan.ts'
import type { Call } from './corpus.ts'
import { asDate } from './decode.ts'

export interface Shown {
  /** Of the item, such as `s1.items[2]`. */
  readonly path: string
  readonly why: 'rank' | 'all'
}

/** Whose words and calls decide; null where a planner has seen nothing. */
export interface Telling {
  readonly prompt: string
  readonly ground: readonly Call[]
  readonly call: Call
  readonly name: string
}

export interface Found {
  readonly path: string
  readonly shown: readonly Shown[]
}

/** Where a value stands in a result, and what one must have been shown to say so. */
export function pathTo(tree: Json, value: Json, telling: Telling | null): Found | null {
  if (JSON.stringify(tree) === JSON.stringify(value)) return { path: '', shown: [] }
  if (typeof tree !== 'object' || tree === null) return null
  if (Array.isArray(tree)) return itemTo(tree, value, telling)
  for (const [key, field] of Object.entries(tree)) {
    const inner = pathTo(field as Json, value, telling)
    if (inner !== null) return under(`.${key}`, inner)
  }
  return null
}

/** In the prompt that a planner had before it named the item. */
export function wasShown({ parts }: FinalPrompt, { path, why }: Shown): boolean {
  const target = parseReference(path)
  if (!target.ok) return false
  const { root, path: inside } = target.value
  const fields = parts.metadata.find((part) => part.root === root)?.fields
  // A list is shown as its count and its items.
  const steps = inside.flatMap((step) => (typeof step === 'number' ? ['items', step] : [step]))
  const item = fields === undefined ? undefined : valueAt(fields as Json, steps)
  return item !== undefined && (why === 'all' || JSON.stringify(item).includes('"rank"'))
}

function itemTo(list: readonly Json[], value: Json, telling: Telling | null): Found | null {
  for (const [index, item] of list.entries()) {
    const inner = pathTo(item, value, telling)
    if (inner === null) continue
    if (list.length === 1) return under('[0]', inner)
    if (telling === null) return null
    const why = isMarked(list, inner.path, telling)
      ? 'rank'
      : isOfAll(list, inner.path, telling)
        ? 'all'
        : null
    if (why !== null)
      return under(`[${index}]`, { path: inner.path, shown: [{ path: '', why }, ...inner.shown] })
  }
  return null
}

function under(step: string, { path, shown }: Found): Found {
  return { path: step + path, shown: shown.map((one) => ({ ...one, path: step + one.path })) }
}

/** The items that hold the owner's words in some one field are those that the call asks about, no more and no fewer. */
function isMarked(list: readonly Json[], path: string, { prompt, call, name }: Telling): boolean {
  const keys = keysOf(path)
  if (keys === null) return false
  const said = new Set(longWords(prompt))
  const wanted = call.args[name] ?? null
  const asked = setOf(Array.isArray(wanted) ? wanted : [wanted])
  return fieldsOf(list).some((field) => {
    const marked = list.filter((item) => {
      const text = valueAt(item, field)
      return typeof text === 'string' && longWords(text).some((word) => said.has(word))
    })
    return marked.length > 0 && isSame(setOf(marked.map((item) => valueAt(item, keys))), asked)
  })
}

/** Every item of the list is asked about by a call of the same kind: which one is which need not be known. */
function isOfAll(list: readonly Json[], path: string, { ground, call, name }: Telling): boolean {
  const keys = keysOf(path)
  const asked = ground.filter((one) => one.function === call.function).map(({ args }) => args[name])
  return keys !== null && isSame(setOf(list.map((item) => valueAt(item, keys))), setOf(asked))
}

/** Paths of the fields that an item has itself; the item's own for a bare text. */
function fieldsOf([first]: readonly Json[]): readonly (readonly string[])[] {
  return typeof first === 'object' && first !== null ? Object.keys(first).map((key) => [key]) : [[]]
}

function keysOf(path: string): readonly string[] | null {
  return path.includes('[') ? null : path.split('.').filter((key) => key !== '')
}

function setOf(values: readonly (Json | undefined)[]): ReadonlySet<string> {
  return new Set(values.map(plain))
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value))
}

function plain(value: Json | undefined): string {
  return JSON.stringify(typeof value === 'string' ? asDate(value) : (value ?? null))
}

function longWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3)
}
