/**
 * Owners who answer cards. One refuses everything; the other reads each card and says yes exactly where it shows what he
 * asked for, all of it and nothing else. Neither knows what a plan says, only what he is shown. Called by the suites.
 */
import type { Json } from '../../kernel/flow/json.ts'
import { test } from '../../kernel/flow/labeled.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { REASON_CODES } from '../../kernel/flow/verdict.ts'
import type { ApprovalView } from '../../kernel/runtime/shell.ts'
import type { RegisteredAction, Registry } from '../../kernel/tool/registry.ts'
import { renderCard } from '../../kernel/wording/card.ts'
import type { Call } from './corpus.ts'

export type Owner = (view: ApprovalView) => 'approve' | 'deny'

export const refusesAll: Owner = () => 'deny'

/** `asked` are calls by action id. Each is approved once. */
export function approvesOnly(asked: readonly Call[], registry: Registry): Owner {
  const open = [...asked]
  return ({ tool, card }) => {
    const action = registry.actions.get(tool)
    if (action === undefined) return 'deny'
    const index = open.findIndex((call) => call.function === tool && isExactly(card, call, action))
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
  const empty = receive({}, kernelWords())
  const words = REASON_CODES.flatMap((reason) => {
    let text = ''
    test(renderCard(empty, { action, reason, sink: action.sink ?? '', contacts: [] }), (card) => {
      text = card
      return true
    })
    return wordsOf(text)
  })
  const frame = [...new Set([...words, ...Object.keys(action.args.fields).flatMap(wordsOf)])]
  frames.set(action, frame)
  return frame
}

const frames = new WeakMap<RegisteredAction, readonly string[]>()
