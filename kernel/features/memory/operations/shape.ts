/** How a memory entry is shown: as data and in words (E-20). Pure. Called by the operations on memory. */
import { ageOf, oneLine } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { flag, id, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { plainRow } from '../plain-row.ts'
import { ENTRIES_A_PAGE } from '../port.ts'

export const ENTRY = record({
  id: id('internal'),
  number: number('internal'),
  kind: oneOf(['fact', 'result'], 'internal'),
  tool: maybe(text('internal')),
  text: text('sensitive'),
  label: text('internal'),
  told: flag('internal'),
  at: number('internal'),
})

/** An entry after a correction, and its text before. */
export const CORRECTED = record({ ...ENTRY.fields, before: text('sensitive') })

type Entry = ValueOf<typeof ENTRY>

/** The text before and after, and how to undo the correction. */
export function correctedWords(entry: ValueOf<typeof CORRECTED>, view: Telling): string {
  const said = { text: oneLine(entry.text), before: oneLine(entry.before), undo: view.say('memory.undo') }
  return [view.tell('memory.amended', said), ...elsewhere(entry, view)].join('\n')
}

/** The number is the argument of `forget` and `correct`, and is never reused. */
export function entryWords(entry: Entry, view: Telling): string {
  const { number: count, text: said, tool, label, told, at, kind } = entry
  const { now, tell, inChat } = view
  const open = told ? [tell('memory.open')] : []
  const ago = tell('memory.ago', { age: ageOf(at, now) })
  if (inChat === true) {
    const plain = kind === 'fact' ? said : plainRow(said).text || tell('memory.wordless')
    return `${count}. ${oneLine(plain)} (${[ago, ...open].join(', ')})`
  }
  const from = [tool ?? tell('memory.said'), label, ...open, ago]
  return `${count}. ${oneLine(said)}\n   ${oneLine(from.join(' · '))}`
}

/** Maximum results after the facts of a chat's first page; a list of memory is mostly asked for its facts. */
const FIRST_RESULTS = 3

/** One page: facts, then, in a section of their own, results of earlier answers. `page` counts from 1. */
export function pageWords(entries: readonly Entry[], page: number, view: Telling): string {
  const { tell } = view
  if (entries.length === 0) return tell('memory.none')
  const first = view.inChat === true ? firstOf(entries) : ENTRIES_A_PAGE
  const from = page === 1 ? 0 : first + (page - 2) * ENTRIES_A_PAGE
  const rows = entries.slice(from, page === 1 ? first : from + ENTRIES_A_PAGE)
  if (rows.length === 0) return tell('memory.no_more')
  const [facts, results] = [
    rows.filter(({ kind }) => kind === 'fact'),
    rows.filter(({ kind }) => kind !== 'fact'),
  ]
  const left = entries.length - from - rows.length
  return [
    ...facts.map((one) => entryWords(one, view)),
    ...(results.length === 0 ? [] : [tell('memory.from_answers')]),
    ...results.map((one) => entryWords(one, view)),
    ...(left > 0 ? [tell('memory.more', { left })] : []),
  ].join('\n')
}

function firstOf(entries: readonly Entry[]): number {
  const facts = entries.filter(({ kind }) => kind === 'fact').length
  return Math.min(ENTRIES_A_PAGE, facts + FIRST_RESULTS)
}

export function elsewhere({ told, kind }: Entry, { place, tell }: Telling): readonly string[] {
  if (told) return [tell('memory.at_edge')]
  return place === 'edge' && kind === 'result' ? [tell('memory.at_home')] : []
}
