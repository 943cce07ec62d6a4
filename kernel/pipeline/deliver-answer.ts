/**
 * Last step of a task: delivers its answer, or says in kernel words why there is none.
 * Notifies the owner of an answer that was refused or lost. Must not change the text of an
 * answer except for adding a note that it is late or from the demo. Called by drive.ts.
 */
import { cardDelivery } from '../features/approvals/card-closing.ts'
import { hasAtOnce } from '../features/channels/channel-port.ts'
import { type DeliverPorts, deliver, type Payload } from '../features/deliveries/deliver.ts'
import { tellLost } from '../features/deliveries/resend.ts'
import { replyTo, suitingTime } from '../features/owner-question/owner-question.ts'
import { timedWords } from '../features/scheduled/waiting.ts'
import { derive, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { lookUpAction } from '../powers/effects.ts'
import type {
  Actions,
  ChatServices,
  Clock,
  CredentialService,
  Extraction,
  HomeLine,
  OwnerChats,
  OwnerFacts,
} from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import type { Outcome } from '../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { SealedRef, Task } from '../task/task.ts'
import { tell, wordsFor, wordsForOthers } from '../wording/words.ts'

/** Ports needed to deliver an answer, or a notice about why it could not be delivered. */
type DeliverAnswerPorts = DeliverPorts &
  SealedReading &
  OwnerFacts &
  Actions &
  ChatServices &
  CredentialService &
  Extraction &
  HomeLine &
  OwnerChats &
  StoreOf<ApprovalStore & TaskStore>

/** Delivers the answer or the notice. Refusals: those of the delivery; after a refused answer a notice is sent. */
export async function deliverAnswer(powers: DeliverAnswerPorts, task: Task): Promise<Outcome> {
  const said =
    task.answer === null
      ? { text: notice(powers, task) }
      : ofDemo(powers, task, noted(powers, task, await answerOf(powers, task.answer)))
  const isOnlyNo = test(said.text, (text) => text === wordsFor('approval_denied'))
  if (isOnlyNo && isSaidOnCard(powers, task)) return { got: 'delivered' }
  const told = task.timed === undefined ? said : { text: await timedWords(powers, task, said.text) }
  const kind = task.answer === null ? 'notice' : 'answer'
  const payload = { id: `${task.id}:answer`, kind, approval: null } as const
  const named =
    task.answer === null ? ((await stoppedNotice(powers, task)) ?? (await suitingTime(powers, task))) : null
  const first = named === null ? null : await deliver(powers, task, { ...payload, text: named })
  const sent = first?.ok === true ? first : await deliver(powers, task, { ...payload, ...told })
  if (sent.ok) return { got: 'delivered' }
  const { reason } = sent
  // A refused answer is followed by a notice in the same chat. If that is refused too, or the queue is full,
  // the owner is notified elsewhere.
  if (task.answer === null || reason.code === 'outbox_full') {
    const { id, sink, principal, createdAt: asked } = task
    await tellLost(powers, { id, sink, principal, asked, kind: 'answer' }, reason.code)
  }
  return { got: 'delivery_denied', reason }
}

/** Number of newest messages of the owner that are searched for the one that said no. */
const LOOKED_BACK = 8

/**
 * A no by a tap is shown on the card itself, and one to all cards has one answer for all, so the task adds nothing. A typed no
 * to a card is answered by its task.
 */
function isSaidOnCard(powers: DeliverAnswerPorts, { id, principal, sink, timed }: Task): boolean {
  if (principal !== OWNER_PRINCIPAL || timed !== undefined || !hasAtOnce(powers, sink)) return false
  const { store } = powers
  const denied = store.approvalsOf(id).findLast(({ approval }) => approval.state === 'denied')?.approval
  const card = denied === undefined ? null : store.findDelivery(cardDelivery(denied))
  if (denied === undefined || card?.kind !== 'card' || card.sink !== sink) return false
  const typed = store.recentTasks(principal, LOOKED_BACK).flatMap((one) => one.typed ?? [])
  const decided = typed.flatMap((one) => ('answers' in one ? one.answers : [one]))
  const isTyped = decided.some((one) => 'decided' in one && one.decided === denied.id)
  return !isTyped
}

type AnswerText = Pick<Payload, 'text' | 'stored'>

/** Milliseconds after the message from which an answer that waited for home explains the delay. */
const LATE_AFTER = 60_000

/** Adds the note about the delay. The text then differs from the sealed one, so no stored reference is returned. */
function noted({ now }: Clock, task: Task, said: AnswerText): AnswerText {
  if (task.waited !== true || task.trouble !== null || now() - task.createdAt <= LATE_AFTER) return said
  return { text: derive(said.text, (answer) => `${tell('wording.late')}\n\n${answer}`) }
}

/** Adds the demo's note below the answer as sent. It is not remembered, or a model would repeat it about a real account. */
function ofDemo(
  { credentials }: CredentialService,
  { principal, traces }: Task,
  said: AnswerText,
): AnswerText {
  const done = traces.filter(({ outcome }) => outcome === 'done').map(({ tool }) => tool)
  const note = principal === OWNER_PRINCIPAL ? credentials?.demoNote?.(done) : null
  return note ? { text: derive(said.text, (answer) => `${answer}\n\n${note}`) } : said
}

/** Maximum UTF-16 units of a request quoted in a sentence about it: enough to recognise it. */
const NAMED_WORDS = 60

/**
 * Names the stopped request, if its words may be shown in this chat, because several requests may be waiting.
 * Null for any other task, and where a write may have happened. Lookups for a card are reads and do not count.
 */
async function stoppedNotice(powers: SealedReading & Actions, task: Task): Promise<Labeled<string> | null> {
  if (task.principal !== OWNER_PRINCIPAL || task.trouble?.code !== 'task_stopped') return null
  if (task.traces.some((trace) => isUnclearWrite(powers, trace))) return null
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return null
  return derive(words.value, (said) => {
    const line = said.replace(/\s+/g, ' ').trim()
    const shown = line.length > NAMED_WORDS ? `${line.slice(0, NAMED_WORDS).trimEnd()}…` : line
    return tell('wording.stopped_of', { words: shown })
  })
}

/** Kernel words for the failure. An interrupted write is reported with every failure. */
function notice(powers: Actions, task: Task): Labeled<string> {
  const word = replyTo(task)
  if (word !== null && task.trouble?.code !== 'task_stopped') return receive(word, kernelWords())
  const trouble = task.trouble?.code ?? 'answer_empty'
  const unclear =
    trouble !== 'write_outcome_unknown' && task.traces.some((trace) => isUnclearWrite(powers, trace))
  const codes = unclear ? [trouble, 'write_outcome_unknown' as const] : [trouble]
  const say = task.principal === OWNER_PRINCIPAL ? wordsFor : wordsForOthers
  return receive(codes.map(say).join(' '), kernelWords())
}

function isUnclearWrite(powers: Actions, { tool, outcome }: Task['traces'][number]): boolean {
  const action = lookUpAction(powers.registry, tool)
  return outcome === 'unknown' && action.ok && action.value.semantics === 'write'
}

/** The text as it was guarded and sealed when written. */
async function answerOf(powers: SealedReading, ref: SealedRef): Promise<AnswerText> {
  const answer = await openTextOf(powers, ref)
  if (!answer.ok) return { text: receive(wordsFor('record_unreadable'), kernelWords()) }
  return { text: answer.value, stored: ref }
}
