/**
 * Adds a line to an answer that did nothing: a card of this chat still waits, and what it is about. Only for
 * the owner, in a chat that may show the card. Must not decide. Called by synthesize.ts.
 */
import { combine, derive, type Labeled } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { taintOf } from '../../flow/taint.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AtPlace, Clock, PolicySource } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, OutboxStore, StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { endAtWord, noteOf } from '../../wording/note.ts'
import { tell } from '../../wording/words.ts'
import { mayShowTo } from '../deliveries/reader-check.ts'
import { whatOf } from './card/card.ts'
import { briefCard } from './card/card-face.ts'
import { cardDelivery } from './card-closing.ts'
import { type Waiting, waitingOf } from './waiting.ts'

type NotePorts = SealedReading &
  Actions &
  AtPlace &
  Clock &
  PolicySource &
  StoreOf<ApprovalStore & OutboxStore>

/** Number of newest deliveries of a chat that are searched for its cards. */
const LOOKED_BACK = 20
/** Maximum UTF-16 units of the card's text in the line: with the words around it, one line of a terminal. */
const MOST = 100

/** The answer unchanged, or followed by that line. */
export async function withWaiting(
  powers: NotePorts,
  task: Task,
  answer: Labeled<string>,
): Promise<Labeled<string>> {
  const hasDone = (task.plan?.steps.length ?? 0) > 0
  if (task.principal !== OWNER_PRINCIPAL || hasDone || task.timed !== undefined) return answer
  const groups = shownIn(powers, task)
  const newest = groups.at(-1)
  if (newest === undefined) return answer
  const line = await lineFor(powers, newest, groups.length - 1)
  return combine([answer, line], (texts) => texts.join('\n\n'))
}

function shownIn(powers: NotePorts, { sink, principal }: Task): readonly Waiting[] {
  const waiting = waitingOf(powers)
  // Usually no card waits, and then nothing more is read.
  if (waiting.length === 0) return []
  const shown = new Set(powers.store.recentDeliveries(sink, LOOKED_BACK).map(({ id }) => id))
  return waiting.filter(
    ([{ approval, card }]) =>
      approval.kind !== 'credential' &&
      approval.principal === principal &&
      shown.has(approval.task === '' ? `change:${approval.id}` : cardDelivery(approval)) &&
      mayShowTo(powers, { sink, principal }, card.label),
  )
}

/**
 * For a card with text of others the line has only kernel words; that text stays on the card. The line is guarded like the card.
 */
async function lineFor(
  powers: NotePorts,
  [{ approval, card }]: Waiting,
  others: number,
): Promise<Labeled<string>> {
  const kept = await openTextOf(powers, card)
  const action = lookUpAction(powers.registry, approval.tool)
  const isChoice = (approval.options ?? 0) > 0
  const isOpen = kept.ok && kept.value.taint.level !== 'raw' && !isChoice
  const head = isChoice ? tell('approvals.which_one') : action.ok ? whatOf(action.value) : '/approvals'
  const own = receive(head, { label: card.label, taint: taintOf('clean', 'kernel') })
  const more = others === 0 ? '' : ` (+${others})`
  return derive(isOpen ? derive(kept.value, aboutIn) : own, (what) =>
    noteOf(tell('approvals.waits_about', { what }) + more),
  )
}

function aboutIn(card: string): string {
  return endAtWord(briefCard(card).join(' '), MOST, true)
}
