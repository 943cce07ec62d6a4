/**
 * What the owner said instead of writing it (H-15, C-09): a model wrote down what it heard, so that these are nobody's words until he
 * says that they are his. The card shows them; his yes takes exactly them in as his message, once, and nothing else does. Must not
 * take anything in without the decision, in the same transaction. Called by drive.ts (offer) and the shell (decide).
 */
import { derive } from '../flow/labeled.ts'
import { allowed, type Result, refused } from '../flow/verdict.ts'
import { deliverToOwner, isPassing, showTo } from '../pipeline/deliver.ts'
import { sentBy } from '../pipeline/route.ts'
import { audit } from '../powers/audit.ts'
import type { Powers } from '../powers/ports.ts'
import { openTextOf, sealForLater } from '../powers/sealed.ts'
import { APPROVAL_SPEND_WINDOW, createApproval } from '../task/approval.ts'
import type { ProposedChange } from '../task/approval-kind.ts'
import type { Attached } from '../task/attached.ts'
import { digestOf } from '../task/capability.ts'
import type { Outcome } from '../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import { heardCard } from '../wording/heard-card.ts'
import { changeDigest, toolOf } from './change.ts'
import { type Decided, type DecisionInput, decideOn } from './decisions.ts'
import { takeIn } from './intake.ts'
import type { Lane } from './lane.ts'
import { stopAtWord } from './stop-word.ts'
import { named } from './waiting.ts'

type Heard = Extract<ProposedChange, { readonly do: 'heard' }>

interface Offered {
  readonly outcome: Outcome
  /** Written with the transition. */
  readonly commit?: () => void
}

/** Null where nothing was heard that could be a message of his. */
export async function offerHeard(powers: Powers, task: Task, { heard }: Attached): Promise<Offered | null> {
  if (heard === undefined || task.principal !== OWNER_PRINCIPAL) return null
  const said = await wordsOf(powers, { ...task, heard })
  const text = await openTextOf(powers, heard)
  if (!said.ok || !text.ok) return faulted(said.ok ? text : said)
  const { sink, principal } = task
  // Of the task alone: heard anew after a crash, it is the same question.
  const id = digestOf(['heard', task.id]).slice(0, ID_DIGITS)
  const now = powers.now()
  const until = now + powers.approvalTimeout
  const card = derive(text.value, heardCard)
  const told = await deliverToOwner(powers, task, {
    ...{ id: `${task.id}:${id}`, kind: 'card', text: card, approval: id, until },
  })
  if (!told.ok && !isPassing(told.reason.code)) return faulted(told)
  const kept = { principal, store: 'sessions', until: until + APPROVAL_SPEND_WINDOW } as const
  const sealed = await sealForLater(powers, kept, card)
  const change: Heard = { do: 'heard', task: task.id, said: digestOf(said.value) }
  const approval = createApproval({
    ...{ id, kind: 'tainted_write', task: task.id, step: '', principal, tool: toolOf(change), sink, change },
    ...{
      digest: changeDigest(change, sink),
      card: sealed.ref.id,
      reason: 'write_raw',
      label: card.label,
      now,
    },
    ...{ template: task.template, timeout: powers.approvalTimeout, told: told.ok },
  })
  const commit = (): void => {
    sealed.put()
    powers.store.keepSealed([heard.id], kept.until)
    powers.store.saveApproval(approval, sealed.ref)
    const { kind, tool, reason, label } = approval
    audit(powers, 'approval_asked', task, { approval: id, kind, tool, reason, label })
  }
  return { outcome: { got: 'replaced', choice: id }, commit }
}

/** Hex digits of such a question's id. */
const ID_DIGITS = 32

function faulted(failed: Result<unknown>): Offered {
  const reason = failed.ok ? ({ code: 'internal_fault', facts: {} } as const) : failed.reason
  return { outcome: { got: 'faulted', reason } }
}

/** As they may be shown in the chat that they came by. */
async function wordsOf(
  powers: Powers,
  { sink, principal, heard }: Pick<Task, 'sink' | 'principal'> & Required<Pick<Attached, 'heard'>>,
): Promise<Result<string>> {
  const text = await openTextOf(powers, heard)
  return text.ok ? showTo(powers, { sink, principal }, text.value) : text
}

/**
 * A yes to what was heard: decided and taken in, or neither. Null for any other decision. Refusals: those of a decision and of the
 * intake; approval_changed where the words, their chat or their speaker are not those that were shown; record_unreadable.
 */
export async function decideHeard(
  powers: Powers,
  lane: Lane,
  input: DecisionInput,
): Promise<Result<Decided> | null> {
  const { approval } = powers.store.loadApproval(named(powers, input.approval).id) ?? {}
  const { change = null } = approval ?? {}
  if (change?.do !== 'heard' || approval?.state !== 'pending' || input.decision !== 'approve') return null
  const event = await eventOf(powers, change)
  if (!event.ok) return event
  const made: { decided?: Result<Decided> } = {}
  const taken = await takeIn(powers, event.value, {
    ...{ only: OWNER_PRINCIPAL, take: () => null },
    agreed: () => {
      made.decided = decideOn(powers, lane, input)
      return made.decided.ok
    },
  })
  if (taken.ok) await stopAtWord(powers, lane, taken.value)
  return made.decided ?? (taken.ok ? refused('approval_spent', { approval: approval.id }) : taken)
}

/** His message, as if he had typed it where he said it. */
async function eventOf(powers: Powers, { task: id, said }: Heard): Promise<Result<object>> {
  const task = powers.store.loadTask(id)
  const { heard, speaker } = task?.attached ?? {}
  if (task === null || heard === undefined || speaker === undefined) return refused('record_unreadable')
  const words = await wordsOf(powers, { ...task, heard })
  if (!words.ok) return words
  const [, adapter = '', ...chat] = task.sink.split(':')
  const event = {
    ...{ id: `${task.id}.heard`, at: powers.now(), kind: 'message', text: words.value, quoted: [] },
    ...{ attachments: [], replyTo: null, place: powers.place },
    source: { adapter, user: speaker, chat: chat.join(':'), group: false },
  }
  const sent = sentBy(powers, event)
  const isHis = sent.ok && sent.value.principal.id === task.principal && sent.value.chat.id === task.sink
  return isHis && digestOf(words.value) === said ? allowed(event) : refused('approval_changed')
}
