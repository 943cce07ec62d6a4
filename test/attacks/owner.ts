/**
 * Owners who answer cards. One refuses everything; the other reads each card and says yes exactly where it shows what he
 * asked for, all of it and nothing else. Neither knows what a plan says, only what he is shown. Called by the suites.
 */

import { renderCard } from '../../kernel/features/approvals/card.ts'
import type { ApprovalView } from '../../kernel/features/approvals/port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { type Provenance, test } from '../../kernel/flow/labeled.ts'
import { LEVELS, type Level } from '../../kernel/flow/level.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { TAINT_LEVELS, type TaintLevel, taintOf } from '../../kernel/flow/taint.ts'
import { REASON_CODES, type ReasonCode } from '../../kernel/reasons.ts'
import type { RegisteredAction, Registry } from '../../kernel/tool/registry.ts'
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
  const expected = new Set([...leaves.flatMap(wordsOf), ...frameOf(action)])
  return leaves.every((leaf) => shows(card, leaf)) && wordsOf(card).every((word) => expected.has(word))
}

/** Whether a card shows this text, however it is laid out. */
export function shows(card: string, leaf: string): boolean {
  const shown = wordsOf(card).join(' ')
  // What cannot be seen is named on the card, between the words that it stood between.
  return leaf
    .split(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u)
    .every((part) => shown.includes(wordsOf(part).join(' ')))
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

/** The words that any card of this action has, whatever it is about. */
function frameOf(action: RegisteredAction): readonly string[] {
  const known = frames.get(action)
  if (known !== undefined) return known
  const guards = LEVELS.flatMap((level) => TAINT_LEVELS.map((taint) => guardOf(level, taint)))
  const [plain = kernelWords()] = guards
  const words = [
    ...REASON_CODES.flatMap((reason) => frameWith(action, { reason, guard: plain })),
    ...guards.flatMap((guard) => frameWith(action, { reason: 'write_raw', guard })),
  ]
  const frame = [...new Set([...words, ...Object.keys(action.args.fields).flatMap(wordsOf)])]
  frames.set(action, frame)
  return frame
}

function guardOf(level: Level, taint: TaintLevel): Provenance {
  return {
    label: labelOf([{ origin: 'frame', field: '*', level, compartment: null }]),
    taint: taintOf(taint, 'frame'),
  }
}

/** A card with nothing on it. */
function frameWith(
  action: RegisteredAction,
  { reason, guard }: { readonly reason: ReasonCode; readonly guard: Provenance },
): readonly string[] {
  const sink = action.sink ?? TERMINAL
  let text = ''
  test(renderCard(receive({}, guard), { action, reason, sink, contacts: [], cut: true }), (card) => {
    text = card
    return true
  })
  return wordsOf(text)
}

const TERMINAL = 'sink:terminal:owner'
const frames = new WeakMap<RegisteredAction, readonly string[]>()
