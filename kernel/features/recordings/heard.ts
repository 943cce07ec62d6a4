/**
 * Applies the owner's answer to a transcript (H-15, C-09): an approval takes exactly the words shown as the owner's
 * message, once. Must not take anything in without the decision, in the same transaction. Called by shell.ts.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { sentBy } from '../../pipeline/route.ts'
import type {
  AtPlace,
  DirectiveFiles,
  GivenWords,
  PolicySource,
  Principals,
  SecretScan,
} from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { GrantStore, IdentityLinkStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type IntakePorts, takeIn } from '../../runtime/intake.ts'
import { hearStop } from '../../runtime/stop-word.ts'
import type { DecisionInput } from '../../task/approval.ts'
import type { HeardChange } from '../../task/approval-kind.ts'
import { digestOf } from '../../task/capability.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { type Decided, decideOn } from '../approvals/decisions.ts'
import { named } from '../approvals/waiting.ts'
import type { Channels } from '../channels/channel-port.ts'
import type { AgreementStore } from '../people/agreement-port.ts'
import { heardWords } from './offer-heard.ts'

/**
 * Decides and takes the message in, or does neither. Null for any other decision. Refusals: those of a decision and
 * of the intake; approval_changed when the words, chat or speaker differ from those shown; record_unreadable.
 */
export async function decideHeard(
  powers: IntakePorts & DirectiveFiles & GivenWords & Channels & StoreOf<GrantStore>,
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
    stops: (sent) => hearStop(powers, lane, sent),
    agreed: () => {
      made.decided = decideOn(powers, lane, input)
      return made.decided.ok
    },
  })
  return made.decided ?? (taken.ok ? err('approval_spent', { approval: approval.id }) : taken)
}

/** Ports needed to read the transcript again. */
type HeardPorts = SealedReading &
  AtPlace &
  PolicySource &
  Principals &
  SecretScan &
  StoreOf<TaskStore & IdentityLinkStore & AgreementStore>

/** The message, as if typed in the chat of the recording. */
async function eventOf(powers: HeardPorts, { task: id, said }: HeardChange): Promise<Result<object>> {
  const task = powers.store.loadTask(id)
  const { heard, speaker } = task?.attached ?? {}
  if (task === null || heard === undefined || speaker === undefined) return err('record_unreadable')
  const words = await heardWords(powers, { ...task, heard })
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
