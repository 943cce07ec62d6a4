/**
 * Removes rows of a list from a waiting call, as the owner names them by number or name. That is no approval:
 * a new card asks about the rest (F-11). Must not open a row except to compare it with the owner's words.
 * Called by transcript.ts and shell.ts.
 */

import { resolveCall } from '../../../call/resolve.ts'
import { stringsIn } from '../../../flow/json.ts'
import { type Labeled, test } from '../../../flow/labeled.ts'
import { err, ok, type Refusal, type Result } from '../../../flow/verdict.ts'
import type { Auditing } from '../../../powers/audit.ts'
import type { SealedReading } from '../../../powers/sealed.ts'
import type { StoreOf, Transactions } from '../../../powers/stores.ts'
import type { TypedAnswer } from '../../../task/answers/answer-words.ts'
import type { Approval, DecisionInput } from '../../../task/approval.ts'
import type { TaskReports } from '../../../task/outcome.ts'
import type { GuardPorts } from '../../../wording/guard/guard.ts'
import { namingWords } from '../../memory/telling-words.ts'
import type { Sent } from '../../people/route.ts'
import { type Decided, leaveRowsOut } from '../decisions.ts'
import { type CardsPorts, type RowCard, rowCardOf, rowCardsIn } from '../row-cards.ts'
import { typedAlone } from '../waiting-call.ts'
import { type LeftOutWords, leftOutInMessage, type SaidRow } from './left-out-words.ts'

type ReadPorts = CardsPorts & GuardPorts & SealedReading
export type LeaveOutPorts = ReadPorts & Auditing

interface Chosen {
  /** Positions in the list as it was found, before any rows were left out. */
  readonly rows: readonly number[]
  readonly isEmptied: boolean
}

/**
 * Refusals: those of `resolveCall`; choice_missing for a row that is not on the card, with the rule `name` if the row was named
 * by its text.
 */
async function chosenRows(
  powers: ReadPorts,
  { task, step, action, argument, most }: RowCard,
  { keeps, rows }: LeftOutWords,
): Promise<Result<Chosen>> {
  const call = await resolveCall(powers, task, { action, args: step.args, step: step.id })
  if (!call.ok) return call
  const list = call.value.args.find(({ name }) => name === argument)?.value
  if (list === undefined) return err('choice_missing')
  const count = lengthOf(list, most)
  const found = rows.map((row) => placesOf(list, row, count))
  const isUnknown = rows.some((row, at) => isName(row) && found[at]?.length === 0)
  if (isUnknown) return err('choice_missing', { rule: 'name' })
  if (found.some((places) => places.length === 0)) return err('choice_missing')
  const named = new Set(found.flat())
  const shown = Array.from({ length: count }, (_, at) => at)
  const former = new Set(task.left?.[step.id]?.rows)
  const original = Array.from({ length: count + former.size }, (_, at) => at).filter((at) => !former.has(at))
  const out = shown.filter((at) => named.has(at) !== keeps)
  return ok({ rows: out.map((at) => original[at] ?? at), isEmptied: out.length === count })
}

function lengthOf(list: Labeled, most: number): number {
  const all = Array.from({ length: most }, (_, at) => at)
  return all.filter((at) => test(list, (rows) => Array.isArray(rows) && at < rows.length)).length
}

const isName = (row: SaidRow): boolean => typeof row === 'string' && row !== 'last'

/** Positions of the rows that contain all words of the name, or that address. */
function placesOf(list: Labeled, row: SaidRow, count: number): readonly number[] {
  if (row === 'last') return count === 0 ? [] : [count - 1]
  if (typeof row === 'number') return row >= 1 && row <= count ? [row - 1] : []
  const wanted = [...namingWords(row)]
  const isIt = (text: string): boolean => {
    if (text.toLowerCase() === row.toLowerCase()) return true
    const own = namingWords(text)
    return !text.includes('@') && wanted.length > 0 && wanted.every((word) => own.has(word))
  }
  const all = Array.from({ length: count }, (_, at) => at)
  return all.filter((at) =>
    test(list, (rows) => Array.isArray(rows) && stringsIn(rows[at] ?? null).some(isIt)),
  )
}

interface LeavingOut extends Omit<DecisionInput, 'decision' | 'approval'> {
  readonly words: LeftOutWords
}

/**
 * Refusals: those of `chosenRows` and of an edit; choice_missing if no row would remain, which would be a denial, or none would
 * go.
 */
async function leavingOut(
  powers: LeaveOutPorts,
  lane: TaskReports,
  card: RowCard,
  { words, ...by }: LeavingOut,
) {
  const chosen = await chosenRows(powers, card, words)
  if (!chosen.ok) return chosen
  const { rows, isEmptied } = chosen.value
  if (isEmptied || rows.length === 0) return err('choice_missing')
  const { argument, approval } = card
  return ok(
    (): Result<Decided> => leaveRowsOut(powers, lane, { ...by, approval: approval.id, argument, rows }),
  )
}

/** The same, for an operation. Further refusals: approval_unknown; nothing_found for a card without rows. */
export async function leaveOutOf(
  powers: LeaveOutPorts & StoreOf<Transactions>,
  lane: TaskReports,
  { approval: id, rows, ...by }: Omit<DecisionInput, 'decision'> & { readonly rows: string },
): Promise<Result<Decided>> {
  const stored = powers.store.loadApproval(id)
  const card = stored === null ? null : rowCardOf(powers, stored.approval)
  if (stored === null) return err('approval_unknown')
  if (card === null) return err('nothing_found')
  const words = leftOutInMessage(rows) ?? leftOutInMessage(`leave out ${rows}`)
  const done = words === null ? err('choice_missing') : await leavingOut(powers, lane, card, { ...by, words })
  return done.ok ? powers.store.transaction(done.value) : done
}

/**
 * Whether the message is about rows of this card. One that names none of them means something else: "everything but the report is
 * done".
 */
function isAboutRows({ rows }: LeftOutWords, { code, facts }: Refusal): boolean {
  return !rows.some(isName) || (code === 'choice_missing' && facts['rule'] !== 'name')
}

/** Null for a message that is about no card. Prepared before the transaction, decided in it. */
export async function recogniseLeftOut(
  powers: LeaveOutPorts,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  over: (replaced: Approval) => void,
): Promise<(() => TypedAnswer) | null> {
  const typed = typedAlone({ event, principal })
  const words = typed === null ? null : leftOutInMessage(typed)
  const cards = words === null ? [] : rowCardsIn(powers, chat.id)
  const [card, ...others] = cards
  if (words === null || card === undefined) return null
  if (others.length > 0) {
    const chosen = await Promise.all(cards.map((one) => chosenRows(powers, one, words)))
    const isMeant = chosen.some((one) => one.ok || isAboutRows(words, one.reason))
    return isMeant ? () => ({ listed: cards.map(({ approval }) => approval.id) }) : null
  }
  const { place } = event
  const done = await leavingOut(powers, lane, card, { words, principal: principal.id, place })
  if (!done.ok) return isAboutRows(words, done.reason) ? () => ({ refused: done.reason.code }) : null
  return () => {
    const left = done.value()
    if (!left.ok) return { refused: left.reason.code }
    over(card.approval)
    return { replaced: card.approval.id }
  }
}
