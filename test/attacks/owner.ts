/**
 * Owners who answer cards. One refuses everything; the other reads each card and approves it exactly where it shows all of
 * the request and nothing else. Neither knows the plan, only what the card shows. Called by the suites.
 */

import { AUTHORS, type Authors } from '../../kernel/features/approvals/card/authors.ts'
import { renderCard } from '../../kernel/features/approvals/card/card.ts'
import type { ApprovalView } from '../../kernel/features/approvals/port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { type Provenance, test } from '../../kernel/flow/labeled.ts'
import { LEVELS, type Level } from '../../kernel/flow/level.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { TAINT_LEVELS, type TaintLevel, taintOf } from '../../kernel/flow/taint.ts'
import { REASON_CODES, type ReasonCode } from '../../kernel/reasons.ts'
import type { RegisteredAction, Registry } from '../../kernel/tool/registry.ts'
import { continues, showUnseen } from '../../kernel/wording/visible.ts'
import { tell } from '../../kernel/wording/words.ts'
import type { Call } from './corpus.ts'

export type Owner = (view: ApprovalView) => 'approve' | 'deny'

export const refusesAll: Owner = () => 'deny'

/** `asked` are calls by action id. Each is approved once. */
export function approvesOnly(asked: readonly Call[], registry: Registry): Owner {
  const open = [...asked]
  return ({ tool, full }) => {
    const action = registry.actions.get(tool)
    if (action === undefined) return 'deny'
    const index = open.findIndex((call) => call.function === tool && isExactly(full, call, action))
    if (index < 0) return 'deny'
    open.splice(index, 1)
    return 'approve'
  }
}

function isExactly(card: string, { args }: Call, action: RegisteredAction): boolean {
  const leaves = leavesIn(args)
  const judged = withoutSources(card)
  const expected = new Set([
    ...leaves.flatMap((leaf) => [...wordsOf(leaf), ...wordsOf(showUnseen(leaf)), ...wordsOf(momentOf(leaf))]),
    ...frameOf(action),
  ])
  const isShown = (leaf: string): boolean =>
    shows(judged, leaf) || (SAID[leaf] !== undefined && shows(judged, SAID[leaf]))
  return leaves.every(isShown) && wordsOf(judged).every((word) => expected.has(word))
}

/**
 * A card without the lines that show where a value was found: they quote a source so that the owner can judge the value, and
 * are no part of what runs. The kernel begins each with the name of an argument; no line of a value begins so. Also without those about the
 * other calls of the plan, which have cards of their own: no line of a value begins without a space.
 */
export function withoutSources(card: string): string {
  let within = false
  return card
    .split('\n')
    .filter((line) => {
      within = QUOTES_SOURCE.test(line) || (within && continues(line))
      return !within && !OF_OTHERS.some((way) => way.test(line))
    })
    .join('\n')
}

const QUOTES_SOURCE = new RegExp(
  `^ {2}(?:${(['approvals.found_in', 'approvals.chosen', 'approvals.stands_for'] as const)
    .map((words) => tell(words, { name: '\\w+' }))
    .join('|')}):`,
)

const OF_OTHERS: readonly RegExp[] = [
  new RegExp(`^${tell('approvals.together', { at: '\\d+', count: '\\d+' })}$`),
  new RegExp(`^${tell('approvals.other_of', { what: '.*' })}$`, 's'),
]

/** Whether a card shows this text, however it is laid out. */
export function shows(card: string, leaf: string): boolean {
  const shown = wordsOf(card).join(' ')
  // What cannot be seen is named on the card, between the words that it stood between.
  return leaf
    .split(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u)
    .every((part) => shown.includes(wordsOf(part).join(' ')))
}

/** What is true or false, as people say it. */
const SAID: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** An instant as its owner says it: the day in words, and the time of day; a yes or no as one. */
function momentOf(leaf: string): string {
  const at = /^\d{4}-\d\d-\d\d(?:T|$)/.test(leaf) ? Date.parse(leaf) : Number.NaN
  if (Number.isNaN(at)) return SAID[leaf] ?? ''
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const format = { ...parts, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', format).format(at)
}

/** Every text, number and boolean, as it is written. */
export function leavesIn(value: Json): readonly string[] {
  if (value === null) return []
  return typeof value === 'object'
    ? Object.values(value).flatMap((inner: Json) => leavesIn(inner))
    : [String(value)]
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

const WRITTEN = [
  'approvals.part_yours',
  'approvals.part_mine',
  'approvals.part_looked_up',
  'approvals.part_others',
  'approvals.part_approved',
  'approvals.all_yours',
  'approvals.all_mine',
  'approvals.all_looked_up',
  'approvals.all_others',
  'approvals.all_approved',
] as const

/** The words that any card of this action has, whatever it is about. */
function frameOf(action: RegisteredAction): readonly string[] {
  const known = frames.get(action)
  if (known !== undefined) return known
  const guards = LEVELS.flatMap((level) => TAINT_LEVELS.map((taint) => guardOf(level, taint)))
  const [plain = kernelWords()] = guards
  const written: readonly Authors[] = [...AUTHORS.map((author) => ({ [author]: [''] })), ALL_AUTHORS]
  const words = [
    ...REASON_CODES.flatMap((reason) => frameWith(action, { reason, guard: plain, authors: ALL_AUTHORS })),
    ...guards.flatMap((guard) => frameWith(action, { reason: 'write_raw', guard, authors: ALL_AUTHORS })),
    ...written.flatMap((authors) => frameWith(action, { reason: 'write_raw', guard: plain, authors })),
    ...Object.values(action.card?.past ?? {}).flatMap(wordsOf),
  ]
  const names = [...Object.keys(action.args.fields), ...Object.values(action.card?.names ?? {})]
  // A card without arguments says of nobody what they wrote.
  const authors = WRITTEN.flatMap((part) => wordsOf(tell(part, { names: '' })))
  // The line at its end that says for a program what stands above in words.
  const exact = wordsOf(tell('approvals.exact', { all: '' }))
  const frame = [...new Set([...words, ...authors, ...exact, ...names.flatMap(wordsOf)])]
  frames.set(action, frame)
  return frame
}

function guardOf(level: Level, taint: TaintLevel): Provenance {
  return {
    label: labelOf([{ origin: 'frame', field: '*', level, compartment: null }]),
    taint: taintOf(taint, 'frame'),
  }
}

const ALL_AUTHORS: Authors = Object.fromEntries(AUTHORS.map((author) => [author, ['']]))

/** A card with nothing on it. */
function frameWith(
  action: RegisteredAction,
  {
    reason,
    guard,
    authors,
  }: { readonly reason: ReasonCode; readonly guard: Provenance; readonly authors: Authors },
): readonly string[] {
  const sink = action.sink ?? TERMINAL
  let text = ''
  const input = { action, reason, sink, contacts: [], cut: true, authors, timezone: 'UTC', now: 0 }
  test(renderCard(receive({}, guard), input), (card) => {
    text = card
    return true
  })
  return wordsOf(text)
}

const TERMINAL = 'sink:terminal:owner'
const frames = new WeakMap<RegisteredAction, readonly string[]>()
