/** How a reminder or task is shown: as data and in words. Pure. Called by the operations on them. */
import { oneLine } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { namedDay, namedMoment, weekdayNames } from '../../../wording/output.ts'
import { isOnList } from '../lists.ts'
import { REPEATS, spokenRepeat } from '../repeat.ts'

const ENTRY_FIELDS = {
  number: number('internal'),
  kind: oneOf(['reminder', 'task'], 'internal'),
  text: text('sensitive'),
  due: maybe(number('internal')),
  repeat: maybe(oneOf(REPEATS, 'internal')),
  every: number('internal'),
  ends: maybe(text('internal')),
  chat: text('internal'),
  list: maybe(text('sensitive')),
} as const

export const ENTRY = record(ENTRY_FIELDS)

type Entry = ValueOf<typeof ENTRY>

/** The number is the argument of `/done` and `/unremind`, and is never reused. */
export function entryWords(
  { number: count, text: said, due, repeat, every, ends }: Entry,
  view: Telling,
): string {
  const when = due === null ? [] : [namedMoment(due, view.timezone, view.now)]
  const end = ends === null ? [] : [endsWords(ends, view)]
  const line = [...when, ...again(repeat, every, view), ...end].join(', ')
  return `${count}. ${line === '' ? '' : `${line}: `}${oneLine(said)}`
}

/** Each list below its name. `asked`: the one that was asked for, whose name goes without saying. */
export function listsWords(open: readonly Entry[], asked: string | null, view: Telling): string {
  const lists = [...new Set(open.map(({ list }) => list))]
  const isThere = asked === null || lists.some((one) => isOnList(one, asked))
  const isBare = isThere && lists.length < 2 && (asked !== null || lists[0] === null)
  const blocks = lists.flatMap((one) => [
    ...(isBare ? [] : [one === null ? view.tell('reminders.own_list') : `${one}:`]),
    ...open.filter(({ list }) => list === one).map((entry) => entryWords(entry, view)),
  ])
  return [...(isThere ? [] : [view.tell('reminders.no_list', { list: asked })]), ...blocks].join('\n')
}

function endsWords(ends: string, { tell, now }: Telling): string {
  return tell('reminders.ends', { day: namedDay(Date.parse(`${ends}T00:00:00Z`), 'UTC', now) })
}

function again(repeat: Entry['repeat'], every: number, { tell }: Telling): readonly string[] {
  if (repeat === null) return []
  if (repeat === 'on_days') return [tell('reminders.on_days', { days: weekdayNames(every) })]
  const { unit, every: many } = spokenRepeat(repeat, every)
  return [tell(many > 1 ? `reminders.${unit}_many` : `reminders.${unit}`, { every: String(many) })]
}
