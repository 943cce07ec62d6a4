/**
 * Steps for what no literal and no plain reference can be (DESIGN §10): an item of a list that its facts single out, a value that
 * stands in a text, and a number made of such values. Must not use a value that no result and no words of the owner's hold. Called by
 * recorded-plan.ts.
 */
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Argument, COMPUTED, Step, ValueKind } from '../../kernel/task/plan.ts'
import type { Call } from './corpus.ts'
import { asText } from './declare.ts'
import { asDate } from './decode.ts'
import { areSingledOut, numbersOf } from './facts.ts'
import { pathTo, type Shown } from './seeing.ts'

/** A plan while it is made. */
export interface Building {
  readonly prompt: string
  readonly ground: readonly Call[]
  /** Steps whose results the planner has looked at; empty before. */
  readonly seen: Set<string>
  readonly shown: Shown[]
  readonly steps: Step[]
  /** Answers of the models without tools, by instruction or question. */
  readonly writes: Map<string, string>
  readonly unknowable: string[]
  /** Results so far, by step. */
  readonly results: (readonly [string, Json])[]
}

export function nextId({ steps }: Building): string {
  return `s${steps.length + 1}`
}

/** A reference into the one item that holds the value, if a fact singles that item out. */
export function chosenItem(building: Building, value: Json): string | null {
  for (const list of listsOf(building))
    for (const at of list.items.keys()) {
      const inside = pathIn(list.items[at] ?? null, value)
      if (inside !== null && areSingledOut(list.items, [at], building.prompt))
        return refTo(building, list, { at, inside })
    }
  return null
}

/** A reference to one field of the items that hold these values, if facts single those items out. */
export function chosenItems(building: Building, values: readonly Json[]): string | null {
  for (const list of listsOf(building)) {
    const found = values.map((value) => placeOf(list.items, value))
    const places = found.filter((place) => place !== null)
    const [first] = places
    if (first === undefined || places.length !== values.length) continue
    const picked = places.map(({ at }) => at)
    const alike = places.every(({ inside }) => inside === first.inside) && !first.inside.includes('[')
    if (alike && areSingledOut(list.items, picked, building.prompt))
      return `${choice(building, list, { picked, take: 'all' })}${first.inside}`
  }
  return null
}

/** A step that reads this value out of a text where it stands; null for what is text of its own, and where none says it. */
export function extracted(building: Building, spec: FieldSpec | undefined, value: Json): string | null {
  const kind = kindOf(spec, value)
  const written = kind === null ? null : sourceOf(building, value)
  return kind === null || written === null ? null : reading(building, { ...written, kind })
}

/** A number that is the sum, the difference or a share of numbers that are at hand. */
export function calculated(building: Building, name: string, value: number): Argument | null {
  const terms = termsFor(building, name)
  const shares = terms.flatMap((term) =>
    [...sharesIn(building.prompt), HALF].map((share) => made(building, 'product', [term, said(share)])),
  )
  const all = [...terms, ...shares]
  const pairs = all.flatMap((one) =>
    all.flatMap((other) =>
      one === other ? [] : [made(building, 'sum', [one, other]), made(building, 'difference', [one, other])],
    ),
  )
  return [...shares, ...pairs].find((term) => term.found && isEqual(term.value, value))?.argument() ?? null
}

interface List {
  /** Such as `s1.items`. */
  readonly ref: string
  readonly items: readonly Json[]
}

/** Lists of several items among the results. */
function listsOf({ results }: Building): readonly List[] {
  return results.flatMap(([step, tree]) => listsIn(step, tree)).filter(({ items }) => items.length > 1)
}

function listsIn(ref: string, tree: Json): readonly List[] {
  if (Array.isArray(tree)) return [{ ref, items: tree as readonly Json[] }]
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, field]) => listsIn(`${ref}.${key}`, field as Json))
}

interface Place {
  readonly at: number
  readonly inside: string
}

function placeOf(items: readonly Json[], value: Json): Place | null {
  for (const [at, item] of items.entries()) {
    const inside = pathIn(item, value)
    if (inside !== null) return { at, inside }
  }
  return null
}

function pathIn(item: Json, value: Json): string | null {
  return pathTo(item, typeof value === 'string' ? asDate(value) : value, null)?.path ?? null
}

function refTo(building: Building, list: List, { at, inside }: Place): string {
  return `${choice(building, list, { picked: [at], take: 'first' })}${inside}`
}

/** What was chosen once is at hand. */
function choice(
  building: Building,
  { ref: from }: List,
  { picked, take }: { readonly picked: readonly number[]; readonly take: 'first' | 'all' },
): string {
  const { steps, writes } = building
  const answer = picked.map((at) => at + 1).join(', ')
  const before = steps.find(
    (step) => step.do === 'choose' && step.from === from && writes.get(step.question) === answer,
  )
  if (before?.do === 'choose')
    return before.take === 'all' && take === 'first' ? `${before.id}[0]` : before.id
  const id = nextId(building)
  const question = `Which of these fit what was asked, as choice number ${writes.size + 1}?`
  writes.set(question, answer)
  steps.push({ id, do: 'choose', from, question, take })
  return id
}

interface Source {
  readonly from: string
  /** The words as they stand there. */
  readonly words: string
}

function kindOf(spec: FieldSpec | undefined, value: Json): ValueKind | null {
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return null
  if (spec?.kind === 'email' || spec?.kind === 'url') return spec.kind
  return spec?.kind === 'id' && /\d/.test(value) ? 'id' : null
}

/** The first result whose texts say exactly this. */
function sourceOf({ results }: Building, value: Json): Source | null {
  for (const [step, tree] of results)
    for (const { ref, text } of textsIn(step, tree)) {
      const words = typeof value === 'number' ? numberIn(text, value) : wordsIn(text, asText(value))
      if (words !== null) return { from: ref, words }
    }
  return null
}

/** Texts by reference: what stands in a list is read from the list as a whole. */
function textsIn(ref: string, tree: Json): readonly { readonly ref: string; readonly text: string }[] {
  if (typeof tree === 'string') return [{ ref, text: tree }]
  if (typeof tree !== 'object' || tree === null) return []
  if (Array.isArray(tree))
    return tree.flatMap((item: Json) => textsIn(ref, item).map(({ text }) => ({ ref, text })))
  return Object.entries(tree).flatMap(([key, field]) => textsIn(`${ref}.${key}`, field as Json))
}

function numberIn(text: string, value: number): string | null {
  return numbersInProse(text).find((one) => one.value === value)?.written ?? null
}

/** A word alone is a value of its own, such as a date or a code, of which no part is meant. */
function numbersInProse(text: string): ReturnType<typeof numbersOf> {
  return /\s/.test(text) ? numbersOf(text) : []
}

function wordsIn(text: string, value: string): string | null {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u').test(text) ? value : null
}

function reading(building: Building, { from, words, kind }: Source & { readonly kind: ValueKind }): string {
  const { steps, writes } = building
  const before = steps.find(
    (step) =>
      step.do === 'extract' &&
      step.from === from &&
      step.kind === kind &&
      writes.get(step.question) === words,
  )
  if (before !== undefined) return before.id
  const id = nextId(building)
  const question = `Which value is meant, as question number ${writes.size + 1}?`
  writes.set(question, words)
  steps.push({ id, do: 'extract', from, kind, question })
  return id
}

/** A number that a plan can name; its steps are made when it is used. */
interface Term {
  readonly value: number
  /** Whether a result says it, and not the owner alone. */
  readonly found: boolean
  readonly argument: () => Argument
}

/** Half of something is a share that is said in words. */
const HALF = 0.5
/** Amounts that differ by less are the same. */
const LEAST = 1e-6

/** Numbers in reach: what the owner said, what items that a fact singles out hold, and what texts say. */
function termsFor(building: Building, name: string): readonly Term[] {
  const { prompt, results } = building
  const own = numbersOf(prompt).map(({ value }) => said(value))
  const held = listsOf(building).flatMap((list) =>
    [...list.items.keys()]
      .filter((at) => areSingledOut(list.items, [at], prompt))
      .flatMap((at) =>
        numbersOfItem(list.items[at] ?? null, name).map(({ inside, value }) => ({
          ...{ value, found: true },
          argument: () => ({ $ref: refTo(building, list, { at, inside }) }),
        })),
      ),
  )
  const written = results.flatMap(([step, tree]) =>
    textsIn(step, tree).flatMap(({ ref: from, text }) =>
      numbersInProse(text).map(({ value, written: words }) => ({
        ...{ value, found: true },
        argument: () => ({ $ref: reading(building, { from, words, kind: 'number' }) }),
      })),
    ),
  )
  return [...held, ...written, ...own]
}

function said(value: number): Term {
  return { value, found: false, argument: () => value }
}

/** Of the field that has the name of what is wanted, if there is one; else of every field. */
function numbersOfItem(
  item: Json,
  name: string,
): readonly { readonly inside: string; readonly value: number }[] {
  if (typeof item !== 'object' || item === null) return []
  const all = Object.entries(item).flatMap(([key, value]) =>
    typeof value === 'number' ? [{ key, value }] : [],
  )
  const own = all.filter(({ key }) => key === name)
  return (own.length > 0 ? own : all).map(({ key, value }) => ({ inside: `.${key}`, value }))
}

/** `10%` as 0.1 */
function sharesIn(prompt: string): readonly number[] {
  return [...prompt.matchAll(/(\d+(?:\.\d+)?) ?%/g)].map(([, number]) => Number(number) / 100)
}

function made(building: Building, op: (typeof COMPUTED)[number], terms: readonly [Term, Term]): Term {
  const [one, other] = terms
  const value =
    op === 'product'
      ? one.value * other.value
      : op === 'sum'
        ? one.value + other.value
        : one.value - other.value
  return {
    ...{ value, found: one.found || other.found },
    argument: () => {
      const of = terms.map((term) => term.argument())
      const id = nextId(building)
      building.steps.push({ id, do: 'compute', op, of })
      return { $ref: id }
    },
  }
}

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) < LEAST
}
