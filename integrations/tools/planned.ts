/**
 * Builds the plan of a package's request: each slot becomes a reference to an extracted field, or the text as typed. Pure; must
 * not know a tool. Called by the rules planner, and by package.ts for the plans of templates.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { Argument } from '../../kernel/task/plan.ts'
import { minutesOf } from '../dates/lengths.ts'
import { mainClause } from './main-clause.ts'
import type { Phrase } from './phrase.ts'

/** Message field of each slot. */
const FIELDS = {
  ...{ who: 'person', what: 'topic', address: 'url', mail: 'email', unread: 'unread', count: 'count' },
  ...{ 'when.from': 'from', 'when.to': 'to' },
  ...{ into: 'into', tell: 'tells', series: 'series' },
  ...{ 'again.repeat': 'repeat', 'again.every': 'count', 'again.days': 'days' },
  ...{ 'again.until': 'until', 'again.except': 'except' },
  ...{ move: 'moved', 'move.time': 'newTime', 'move.minutes': 'minutes', 'move.days': 'count' },
} as const

export type MessageField = (typeof FIELDS)[keyof typeof FIELDS]

export interface Filling {
  /** Texts of the slots that a sentence took. */
  readonly taken?: Readonly<Record<string, string>>
  /** The message as typed. An address becomes a reference to its place there, so that it stays the owner's own words. */
  readonly typed?: string
  /** Paths of the rows to undo; the path of the result itself, if it is no list. */
  readonly back?: readonly string[] | string
  /** Whether the result to undo has that field, if it is no list; fields that it lacks are omitted. */
  readonly left?: (path: string) => boolean
  /** Paths of all rows that were shown. */
  readonly every?: readonly string[]
  /** What `{whom}` is: addresses as typed, and references to contacts. */
  readonly whom?: readonly Json[]
  /** The span for `{when.from}` and `{when.to}`, if it differs from the extracted one; empty if there is none. */
  readonly when?: Readonly<Record<string, Json>>
  /** Path of the selected row of a list. */
  readonly one?: string
  /** Whether a field was mentioned; others are omitted. Absent: every field may have been. */
  readonly has?: (field: MessageField) => boolean
}

/** `before`: number of steps that precede these; step ids continue after them. */
export function plannedSteps(plan: Phrase['plan'], filling: Filling, before = 0): readonly Json[] {
  return plan.map((step, index) => ({
    ...filledStep(behind(step as Json, before) as typeof step, filling),
    id: `s${before + index + 1}`,
  }))
}

/** Keys whose text names a step. */
const REFERS: ReadonlySet<string> = new Set(['$ref', 'from', 'ref'])

/** Shifts references to steps of this plan by the `before` steps that precede it. */
function behind(value: Json, before: number): Json {
  if (before === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner: Json) => behind(inner, before))
  const entries = Object.entries(value).map(([key, inner]) => {
    const isRef = REFERS.has(key) && typeof inner === 'string'
    return [
      key,
      isRef
        ? inner.replace(/^s(\d+)(?=[.[]|$)/, (_, at: string) => `s${Number(at) + before}`)
        : behind(inner as Json, before),
    ] as const
  })
  return Object.fromEntries(entries)
}

function filledStep(step: Phrase['plan'][number], filling: Filling): { readonly [key: string]: Json } {
  return filled(step, filling) as { readonly [key: string]: Json }
}

/** Whether a slot of a request was filled. */
export function isSaid(
  slot: keyof NonNullable<Phrase['needs']>,
  has: (field: MessageField) => boolean,
): boolean {
  return slot === 'when' ? has('from') && has('to') : has(FIELDS[slot])
}

/** `{place}` alone becomes the text of that slot, `{when.from}` the extracted value; undefined for anything not mentioned. */
function filled(value: Json, filling: Filling): Json | undefined {
  if (typeof value === 'string') return slotFilled(value, filling)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => filled(item, filling)).filter((item) => item !== undefined)
    return items.length === 0 && value.length > 0 ? undefined : items
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner as Json, filling)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)) as Json
}

function slotFilled(
  value: string,
  { taken = {}, typed = '', back, left, every, one, whom, when, has }: Filling,
): Json | undefined {
  const slot = /^\{([\w.]+)\}$/.exec(value)?.[1] ?? ''
  if (when !== undefined && slot.startsWith('when.')) return when[slot.slice('when.'.length)]
  if (slot === 'whom' && whom !== undefined) return [...whom]
  const [, length = ''] = /^(\w+)\.minutes$/.exec(slot) ?? []
  if (Object.hasOwn(taken, length)) return minutesOf(taken[length] ?? '') ?? undefined
  const [, text = '', form = ''] = /^(\w+)\.(whole|head|main|main_head)$/.exec(slot) ?? []
  const said = Object.hasOwn(taken, text) ? taken[text] : undefined
  if (form !== '') {
    if (said === undefined) return undefined
    const told = form.startsWith('main') || isClause(said, typed) ? mainClause(said) : said
    return sentence(form.endsWith('head') ? headOf(told) : told)
  }
  const site = slot === 'site' ? taken['site'] : undefined
  const at = site === undefined ? -1 : typed.indexOf(site)
  if (site !== undefined && at >= 0) return reference(`said.words[${at}][${at + site.length}]`)
  if (Object.hasOwn(taken, slot)) return taken[slot]
  if (typeof back === 'string' && left?.(slot.slice('back.'.length)) === false && slot.startsWith('back.'))
    return undefined
  if (back !== undefined && slot.startsWith('back.'))
    return typeof back === 'string'
      ? reference(`${back}${slot.slice('back'.length)}`)
      : back.map((row) => reference(`${row}${slot.slice('back'.length)}`))
  if (every !== undefined && slot.startsWith('every.'))
    return every.map((row) => reference(`${row}${slot.slice('every'.length)}`))
  if (one !== undefined && slot.startsWith('one.')) return reference(`${one}${slot.slice('one'.length)}`)
  if (!isField(slot)) return value
  return has === undefined || has(FIELDS[slot]) ? reference(`said.${FIELDS[slot]}`) : undefined
}

/** Whether the text follows a German "dass" in the message, whatever sentence it was taken from. */
function isClause(said: string, typed: string): boolean {
  const at = typed.indexOf(said)
  return at > 0 && /(?<!\p{L})da(?:ss|ß)\s+$/iu.test(typed.slice(0, at))
}

/** Capitalises the first letter, as at the start of a letter; a name such as iPhone stays. */
function sentence(text: string): string {
  return /^\p{Ll}+(?:['’]\p{Ll}+)?(?![\p{L}\d./:@_-])/u.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text
}

/** Maximum UTF-16 units and words of a subject that is derived from a text. */
const HEAD_MAX = 60
const HEAD_WORDS = 8

/** The first words of a text, at most its first sentence. */
function headOf(text: string): string {
  const first = /^[^\n]*?(?:[.!?](?=\s|$)|(?=\n|$))/.exec(text.trim())?.[0] ?? ''
  const words = first.replace(/[.,;:]+$/, '').split(' ')
  const fitting = words.filter(
    (_, at) => at < HEAD_WORDS && words.slice(0, at + 1).join(' ').length <= HEAD_MAX,
  )
  return (fitting.length === 0 ? first.slice(0, HEAD_MAX) : fitting.join(' ')).replace(/[.,;:]+$/, '')
}

function isField(slot: string): slot is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, slot)
}

function reference(path: string): Json {
  return { $ref: path } satisfies Argument as Json
}
