/**
 * Effects of an owner message at intake, before any model reads it: it answers a card, stops tasks, or replaces former
 * versions. An approved transcript (H-15, C-09) takes exactly the words shown as the owner's message, once, in the
 * transaction of the decision. Called by shell.ts.
 */

import { digestOf } from '../../flow/digest.ts'
import { derive } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { audit } from '../../powers/audit.ts'
import type {
  AskingTime,
  AtPlace,
  DirectiveFiles,
  OwnerAnswers,
  PolicySource,
  Principals,
  SecretScan,
  SelfKnowledge,
} from '../../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, GrantStore, IdentityLinkStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ElseSense } from '../../powers/tier-port.ts'
import { type IntakePorts, takeIn } from '../../runtime/intake.ts'
import { recogniseStop } from '../../runtime/stop-word.ts'
import {
  APPROVAL_SPEND_WINDOW,
  type Approval,
  changeDigest,
  createApproval,
  type DecisionInput,
  toolOf,
} from '../../task/approval.ts'
import type { Reported, TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { TranscriptChange } from '../../task/proposed-change.ts'
import type { Attached, Task } from '../../task/task.ts'
import { showHosts } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'
import { type DecideTypedPorts, recogniseTypedAnswer } from '../approvals/answers/typed-answer.ts'
import { waitForChat } from '../approvals/asking.ts'
import type { CardPorts } from '../approvals/card/card-opening.ts'
import type { CardClosing } from '../approvals/card-closing.ts'
import { type CorrectPorts, recogniseTextCorrection } from '../approvals/corrections/correct-text.ts'
import { recogniseEdit } from '../approvals/corrections/edit-text.ts'
import { recogniseLeftOut } from '../approvals/corrections/leave-out.ts'
import { type Decided, decideOn } from '../approvals/decisions.ts'
import { named } from '../approvals/waiting.ts'
import type { Channels } from '../channels/channel-port.ts'
import { type DeliverPorts, deliverNotice, deliverToOwner, showTo } from '../deliveries/deliver.ts'
import { isPassing } from '../deliveries/waiting-line.ts'
import { withdrawFormer } from '../deliveries/withdraw.ts'
import type { JobStore } from '../jobs/port.ts'
import type { ReplaceFactPorts } from '../memory/entries.ts'
import type { AgreementStore } from '../people/port.ts'
import { sentBy } from '../people/route.ts'
import type { SettingStore } from '../quiet/port.ts'

/**
 * Decides and takes the message in, or does neither. Null for any other decision. Refusals: those of a decision and
 * of the intake; approval_changed when the words, chat or speaker differ from those shown; record_unreadable.
 */
export async function decideTranscript(
  powers: IntakePorts &
    ReplaceFactPorts &
    DirectiveFiles &
    OwnerAnswers &
    Channels &
    SelfKnowledge &
    StoreOf<GrantStore & JobStore & SettingStore>,
  lane: TaskReports,
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
    stops: (sent) => recogniseStop(powers, lane, sent),
    agreed: () => {
      made.decided = decideOn(powers, lane, input)
      return made.decided.ok
    },
  })
  return made.decided ?? (taken.ok ? err('approval_spent', { approval: approval.id }) : taken)
}

/** Ports needed to read the transcript again. */
type TranscriptPorts = SealedReading &
  AtPlace &
  PolicySource &
  Principals &
  SecretScan &
  StoreOf<TaskStore & IdentityLinkStore & AgreementStore>

/** The message, as if typed in the chat of the recording. */
async function eventOf(
  powers: TranscriptPorts,
  { task: id, said }: TranscriptChange,
): Promise<Result<object>> {
  const task = powers.store.loadTask(id)
  const { heard, speaker } = task?.attached ?? {}
  if (task === null || heard === undefined || speaker === undefined) return err('record_unreadable')
  const words = await transcriptWords(powers, { ...task, heard })
  if (!words.ok) return words
  const [, adapter = '', ...chat] = task.sink.split(':')
  const event = {
    ...{ id: `${task.id}.heard`, at: powers.now(), kind: 'message', text: words.value, quoted: [] },
    ...{ attachments: [], replyTo: null, place: powers.place },
    source: { adapter, user: speaker, chat: chat.join(':'), group: false },
  }
  const sent = sentBy(powers, event)
  const isHis = sent.ok && sent.value.principal.id === task.principal && sent.value.chat.id === task.sink
  return isHis && digestOf(words.value) === said ? ok(event) : err('approval_changed')
}

type Heard = Pick<Parameters<typeof takeIn>[2], 'answers' | 'stops' | 'edited'>

interface Hearing {
  readonly heard: Heard
  /** Runs after the message is taken in. */
  readonly after: () => Promise<void>
}

export function createHearing(
  powers: IntakePorts & DecideTypedPorts & CorrectPorts & ElseSense,
  lane: TaskReports,
  closing: CardClosing,
): Hearing {
  const later: DecisionInput[] = []
  const over: Pick<Approval, 'id' | 'task'>[] = []
  const written: Task[] = []
  return {
    heard: {
      answers: async (sent) =>
        recogniseTypedAnswer(powers, lane, sent, {
          over: (decided) => over.push(...decided),
          later: (input) => later.push(input),
        }) ??
        powers.tier.recogniseElse?.(powers, lane, sent, (decided) => over.push(decided)) ??
        (await recogniseEdit(powers, lane, sent, (replaced) => over.push(replaced))) ??
        (await recogniseLeftOut(powers, lane, sent, (replaced) => over.push(replaced))) ??
        recogniseTextCorrection(powers, lane, sent, (replaced) => over.push(replaced)),
      stops(sent) {
        const stop = recogniseStop(powers, lane, sent)
        if (stop === null) return null
        return () => {
          const stopped = stop()
          over.push(...stopped.asked)
          return stopped
        }
      },
      edited(version) {
        const withdrawn = withdrawFormer(powers, lane, version)
        over.push(...withdrawn.approvals)
        written.push(...withdrawn.written)
      },
    },
    async after() {
      for (const input of later) await decideTranscript(powers, lane, input)
      over.forEach(closing.add)
      for (const task of written) closing.before(() => tellWritten(powers, task))
    },
  }
}

/** Once per version, however often its message is edited. */
function tellWritten(powers: DeliverPorts, { id, sink, principal }: Task): Promise<unknown> {
  return deliverNotice(powers, {
    id: `edited:${id}`,
    sink,
    principal,
    code: 'approval_spent',
    words: tell('recordings.edited_after'),
  })
}

/** Null when the transcript cannot be a message of the owner. */
export async function offerTranscript(
  powers: DeliverPorts & CardPorts & AskingTime & StoreOf<ApprovalStore>,
  task: Task,
  { heard }: Attached,
): Promise<Reported | null> {
  if (heard === undefined || task.principal !== OWNER_PRINCIPAL) return null
  const said = await transcriptWords(powers, { ...task, heard })
  const text = await openTextOf(powers, heard)
  if (!said.ok || !text.ok) return faulted(said.ok ? text : said)
  const { sink, principal } = task
  // Derived from the task only, so a new transcription after a crash is the same question.
  const id = digestOf(['heard', task.id]).slice(0, ID_DIGITS)
  const now = powers.now()
  const until = now + powers.approvalTimeout
  const card = derive(text.value, transcriptCard)
  const told = await deliverToOwner(powers, task, {
    ...{ id: `${task.id}:${id}`, kind: 'card', text: card, approval: id, until },
  })
  if (!told.ok && !isPassing(told.reason.code)) return faulted(told)
  const kept = { principal, store: 'sessions', until: until + APPROVAL_SPEND_WINDOW } as const
  const sealed = await sealForLater(powers, kept, card)
  const change: TranscriptChange = { do: 'heard', task: task.id, said: digestOf(said.value) }
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
    if (!told.ok) waitForChat(powers, approval)
    const { kind, tool, reason, label } = approval
    audit(powers, 'approval_asked', task, { approval: id, kind, tool, reason, label })
  }
  return { outcome: { got: 'replaced', choice: id }, commit }
}

/** Hex digits of the question's id. */
const ID_DIGITS = 32

function faulted(failed: Result<unknown>): Reported {
  const reason = failed.ok ? ({ code: 'internal_fault', facts: {} } as const) : failed.reason
  return { outcome: { got: 'faulted', reason } }
}

/** The transcript, if it may be shown in the chat of the recording. */
async function transcriptWords(
  powers: SealedReading & AtPlace & PolicySource & SecretScan,
  { sink, principal, heard }: Pick<Task, 'sink' | 'principal'> & Required<Pick<Attached, 'heard'>>,
): Promise<Result<string>> {
  const text = await openTextOf(powers, heard)
  return text.ok ? showTo(powers, { sink, principal }, text.value) : text
}

/** Characters of a transcript line: below the length at which a card cuts lines. */
const LINE = 300

/** The full transcript, on lines that its text cannot break. `heard`: one line, without invisible characters. */
function transcriptCard(heard: string): string {
  const characters = [...showHosts(heard)]
  const lines: string[] = []
  for (let at = 0; at < characters.length; at += LINE) lines.push(characters.slice(at, at + LINE).join(''))
  const [line = ''] = lines
  return lines.length > 1
    ? tell('recordings.card_lines', { lines: lines.map((one) => `  “${one}”`).join('\n') })
    : tell('recordings.card', { line })
}
