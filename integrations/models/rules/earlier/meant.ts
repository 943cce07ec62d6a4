/**
 * Finds the row that a request refers to: one that was shown or discussed, or one to be looked up by its
 * words or time. Must not plan what is done with it. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { SelectStep, ToolStep } from '../../../../kernel/task/plan.ts'
import { namesADay } from '../../../dates/read.ts'
import type { Among, Phrase, Picks } from '../../../tools/phrase.ts'
import { fieldOf, isTrue, itemsOf, shownOrder, textOf } from '../answers/content.ts'
import type { Said } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, saidArgs } from '../steps.ts'
import { listWithSaid } from './named-row.ts'
import { shownList } from './shown.ts'

export interface Meant {
  /** Steps that must run first. */
  readonly before: readonly (ToolStep | SelectStep)[]
  /** Path of the row: `s1`, `w1.emails[2]`. */
  readonly path: string
}

/** By its words or its time, looked up; else what was talked about last, if it was one thing. */
export function pickedOne({ tool, list, talked }: Picks, said: Said, parts: PromptParts): Meant | null {
  const shown = newestOf(talked, parts)
  if (isNamed(said)) {
    const at = shown === null ? null : placeAt(shown.rows, said, parts)
    if (at !== null) return { before: [], path: `${shown?.path}[${at}]` }
    const pick: SelectStep = {
      ...{ id: 's2', do: 'select', from: `s1.${list}`, take: isOfAll(said) ? 'first' : 'one' },
      ...(said.has('topic') && { matching: 'said.topic' }),
    }
    return { before: [call('s1', tool, saidArgs(said, { from: 'from', to: 'to' })), pick], path: 's2' }
  }
  if (shown === null) return null
  if (shown.rows === null) return { before: [], path: shown.path }
  return shown.rows.length === 1 ? { before: [], path: `${shown.path}[0]` } : null
}

/** The plan for the row that was shown and begins at the time of the message, without the look for it; null where there is none. */
export function planOfShown(plan: Phrase['plan'], said: Said, parts: PromptParts): Phrase['plan'] | null {
  const [look, pick, ...others] = plan
  const [root = '', list = ''] = String(pick?.['from'] ?? '').split('.')
  if (pick?.['do'] !== 'select' || root !== look?.['id'] || typeof look?.['tool'] !== 'string') return null
  const shown = newestOf({ [look['tool']]: list }, parts)
  const at = shown === null ? null : placeAt(shown.rows, said, parts)
  if (shown === null || at === null) return null
  const row = `${shown.path}[${at}].`
  return JSON.parse(JSON.stringify(others).replaceAll(`"$ref":"${String(pick['id'])}.`, `"$ref":"${row}`))
}

interface Shown {
  /** Of the thing, or of the list of things. */
  readonly path: string
  /** Null for one thing. */
  readonly rows: readonly Json[] | null
}

/** What was talked about last. */
function newestOf(talked: Picks['talked'], { metadata }: PromptParts): Shown | null {
  const [newest] = metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && Object.hasOwn(talked, action))
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
  if (newest === undefined) return null
  const list = talked[newest.action] ?? null
  if (list === null) return { path: newest.root, rows: null }
  return { path: `${newest.root}.${list}`, rows: itemsOf(fieldOf(newest.fields as Json, list), 'items') }
}

/** "The one at two", right after tomorrow's were shown: a time without a day is of them, if exactly one begins then. */
function placeAt(rows: Shown['rows'], said: Said, parts: PromptParts): number | null {
  const isOfClock = said.has('from') && !said.has('topic') && !said.wholeDay && !namesADay(parts.request)
  if (rows === null || !isOfClock) return null
  const { zone } = momentOf(parts)
  const clockOf = (text: string): number => {
    const at = Date.parse(text)
    return at - zone.instantOf(zone.dayOf(at), 0)
  }
  const begins = clockOf(said.from)
  const [at, ...others] = rows.flatMap((row, place) =>
    clockOf(textOf(row, 'from')) === begins ? [place] : [],
  )
  return at === undefined || others.length > 0 ? null : at
}

/** Any time of it stands for all of them. */
function isOfAll(said: Said): boolean {
  return said.has('series') || said.move === 'ends'
}

/** By words or a time of its own. What may be of a job names nothing but the new time. */
export function isNamed(said: Said): boolean {
  return said.has('topic') || (said.has('from') && said.intent !== 'job_time')
}

/** Whether a question about such a thing waits. */
export function isAsked({ talked }: Picks, { metadata }: PromptParts): boolean {
  return metadata.some(({ root, action }) => /^(?:q\d|waiting)/.test(root) && Object.hasOwn(talked, action))
}

/**
 * A position is of the list that was shown last; a person is looked for there if words of the request stand
 * in it, and else in a new list. Null when the request does not say which row.
 */
export function meantOne(among: Among, said: Said, parts: PromptParts): Meant | null {
  const { tool, shows = [], list, first, count } = among
  const lists = [tool, ...shows]
  const isOfPerson = said.has('person')
  const named = isOfPerson ? personIn(parts) : ''
  const shown = isOfPerson ? listWithSaid({ lists, list }, parts, named) : shownList(lists, list, parts)
  const args = isOfPerson && count !== undefined ? { count } : {}
  const before: readonly ToolStep[] = shown === null ? [{ id: 's1', do: 'tool', tool, args }] : []
  const root = shown?.root ?? 's1'
  if (isOfPerson) {
    const id = `s${before.length + 1}`
    const from = `${root}.${list}`
    const pick: SelectStep = { id, do: 'select', from, take: 'first', matching: 'said.person' }
    return { before: [...before, pick], path: id }
  }
  const index = indexOf(said, shown?.rows ?? null, first)
  return index === null ? null : { before, path: `${root}.${list}[${index}]` }
}

/** The person of the message, as typed. */
function personIn({ metadata }: PromptParts): string {
  const fields = (metadata.find(({ root }) => root === 'said')?.fields ?? {}) as Json
  const person = fieldOf(fields, 'person') ?? null
  return textOf(person, 'says') || (typeof person === 'string' ? person : '')
}

/** Index, in the tool's order, of the row at the named position in the answer. */
function indexOf({ count }: Said, items: readonly Json[] | null, first: string): number | null {
  if (items === null) return count === null ? null : Math.max(count, 1) - 1
  if (count === null) return items.length === 1 ? 0 : null
  return shownOrder(items.map((item) => isTrue(item, first))).at(count < 0 ? count : count - 1) ?? null
}
