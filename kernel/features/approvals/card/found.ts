/**
 * Explains arguments on a card that say little by themselves: the words around an extracted value in its source, the chosen item
 * (DESIGN §10), and the thing behind an id. Called by ask.ts and together.ts; clarify.ts and remarks.ts use its short texts.
 */

import { membersIn, recordAt, resolveRef } from '../../../call/resolve.ts'
import { followAsked } from '../../../call/values/asked.ts'
import { openFound } from '../../../call/values/value.ts'
import { isPlainRecord, type Json, stringsIn } from '../../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../../flow/labeled.ts'
import { type LabeledRecord, pick } from '../../../flow/record.ts'
import type { Actions, OwnerFacts } from '../../../powers/ports.ts'
import type { SealedReading } from '../../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import { parseReference, referencesIn, type ToolStep } from '../../../task/plan.ts'
import type { Task } from '../../../task/task.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import { argName, cardWords } from '../../../tool/worded.ts'
import { previewOf } from '../../../wording/visible.ts'
import { tell } from '../../../wording/words.ts'
import { beforeQuestion, whenOn } from './card.ts'

/** Maximum UTF-16 units of a chosen item on a card. */
const MAX_ITEM = 300
/** Maximum UTF-16 units of the text for the thing behind an id: enough to recognise it. */
const MAX_THING = 160

/** The card with one line for each such argument, before its question. */
export async function withFound(
  powers: SealedReading & Actions & OwnerFacts & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  {
    step,
    action,
    card,
    remarks,
  }: {
    readonly step: ToolStep
    readonly action: RegisteredAction
    readonly card: Labeled<string>
    /** What a lookup found about the call; null or undefined without one. */
    readonly remarks: LabeledRecord | null | undefined
  },
): Promise<Labeled<string>> {
  const lines: Labeled<string>[] = []
  const place = { timezone: powers.profile().timezone, now: task.createdAt }
  const told = remarksOf(action, remarks).map((remark) => derive(remark, (value) => shortText(value, place)))
  const named = namedBy(action, remarks)
  for (const [name, argument] of Object.entries(step.args)) {
    const from = followAsked(powers, { task, written: argument, of: null, path: [] })
    const refs = from === null ? [] : referencesIn(from.written)
    // One line for each item of a list.
    const all = await Promise.all(
      refs.map(async (one) => (await membersIn(powers, from?.task ?? task, one)) ?? [one]),
    )
    for (const ref of all.flat()) {
      const spec = action.args.fields[name]
      const called = argName(action, name)
      const isId = (spec?.kind === 'list' ? spec.of : spec)?.kind === 'id'
      const isDate = spec?.kind === 'date'
      const line =
        (await lineFor(powers, from?.task ?? task, { name: called, ref, isDate })) ??
        (isId && named.get(name) !== all.flat().length
          ? await thingOf(powers, from?.task ?? task, { name: called, ref, told })
          : null)
      if (line !== null) lines.push(line)
    }
  }
  if (lines.length === 0) return card
  return combine<string, string>([card, ...lines], ([text = '', ...added]) =>
    beforeQuestion(text, [...new Set(added)]),
  )
}

/**
 * Number of items that a lookup found per argument. If it found all, the remarks describe them better than
 * the plan's own lines; otherwise both are shown.
 */
function namedBy(
  action: RegisteredAction,
  found: LabeledRecord | null | undefined,
): ReadonlyMap<string, number> {
  if (found === null || found === undefined) return new Map()
  const counts = Object.keys(cardWords(action)?.remarks ?? {}).map((field) => {
    const value = pick(found, [field])
    const rows = [...Array(MOST_FOUND + 1).keys()]
    return value.ok
      ? rows.findLast((count) =>
          test(value.value, (inner) => Array.isArray(inner) && inner.filter(isPlainRecord).length === count),
        )
      : 0
  })
  const count = Math.max(0, ...counts.map((one) => one ?? 0))
  const given = Object.values(action.remarks?.given ?? {})
  const lists = count === 0 ? [] : given.filter((name) => action.args.fields[name]?.kind === 'list')
  return new Map(lists.map((name) => [name, count]))
}

/** Maximum items of one list that are counted; for a longer list the lines of the plan are shown. */
const MOST_FOUND = 100

/** The records that the remarks of this card show. */
function remarksOf(
  action: RegisteredAction,
  found: LabeledRecord | null | undefined,
): readonly Labeled<Json>[] {
  if (found === null || found === undefined) return []
  return Object.keys(cardWords(action)?.remarks ?? {}).flatMap((field) => {
    const value = pick(found, [field])
    return value.ok && test(value.value, (inner) => isPlainRecord(inner)) ? [value.value] : []
  })
}

/** The words around an extracted value, or the chosen item. Null for a calculated date, which the card already shows in words. */
async function lineFor(
  powers: SealedReading & Actions & OwnerFacts,
  task: Task,
  { name, ref, isDate }: { readonly name: string; readonly ref: string; readonly isDate: boolean },
): Promise<Labeled<string> | null> {
  const parsed = parseReference(ref)
  if (!parsed.ok) return null
  const { root, path } = parsed.value
  const result = task.results[root]
  if (result?.kind === 'value') {
    const found = await openFound(powers, result.ref)
    if (!found.ok || (isDate && test(found.value, ({ around }) => around === null))) return null
    return derive(found.value, ({ around }) =>
      previewOf(tell('approvals.found_in', { name }), around ?? tell('approvals.computed'), () => null),
    )
  }
  if ((result?.kind !== 'alias' && result?.kind !== 'aliases') || result.chosen === undefined) return null
  const item = await resolveRef(powers, task, typeof path[0] === 'number' ? `${root}[${path[0]}]` : root)
  return item.ok
    ? derive(item.value, (value) => {
        const place = { timezone: powers.profile().timezone, now: task.createdAt }
        const own = isPlainRecord(value) ? shortText(value, place) : itemText(value)
        return previewOf(tell('approvals.chosen', { name }), own, () => null)
      })
    : null
}

/** The other fields of the record that contains the id; empty if a remark on the card says the same. */
async function thingOf(
  powers: SealedReading & Actions & OwnerFacts,
  task: Task,
  {
    name,
    ref,
    told,
  }: { readonly name: string; readonly ref: string; readonly told: readonly Labeled<string>[] },
): Promise<Labeled<string> | null> {
  const at = await recordAt(powers, task, ref)
  if (at === null) return null
  const place = { timezone: powers.profile().timezone, now: task.createdAt }
  const thing = pick(at.record, at.path.slice(0, -1))
  if (!thing.ok) return null
  const text = derive(thing.value, (value) => shortText(value, place))
  return combine([text, ...told], ([own = '', ...others]) =>
    own === '' || others.includes(own)
      ? ''
      : previewOf(tell('approvals.stands_for', { name }), itemText(own, MAX_THING), () => null),
  )
}

/**
 * Names and times of a record, in the owner's zone; no ids and no addresses of things. `now`: times of
 * another year have the year.
 */
export function shortText(value: Json, on: { readonly timezone: string; readonly now: number }): string {
  const fields = isPlainRecord(value) ? Object.entries(value) : []
  const shown = fields.flatMap(([key, field]) => {
    if (typeof field !== 'string' || /^id$|Id$/.test(key) || /^https?:/.test(field)) return []
    return [whenOn(key, field, on) ?? field]
  })
  return itemText(shown)
}

export function itemText(item: Json, most: number = MAX_ITEM): string {
  const text = stringsIn(item)
    .filter((part) => part.trim() !== '')
    .join(' · ')
    .replace(/\s+/gu, ' ')
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
