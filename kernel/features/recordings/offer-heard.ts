/**
 * Offers the owner the transcript of a voice message (H-15, C-09). A model wrote it, so it is not the owner's text
 * until approved. The card shows it; its task ends here, and an approval takes it in as a message (heard.ts). Must
 * not take anything in. Called by drive.ts.
 */
import { derive } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import { type CardPorts, type DeliverPorts, deliverToOwner, showTo } from '../../pipeline/deliver.ts'
import { audit } from '../../powers/audit.ts'
import type { AskingTime, AtPlace, PolicySource, SecretScan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, changeDigest, createApproval, toolOf } from '../../task/approval.ts'
import type { HeardChange } from '../../task/approval-kind.ts'
import { digestOf } from '../../task/capability.ts'
import type { Reported } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Attached, Task } from '../../task/task.ts'
import { waitForChat } from '../approvals/unshown.ts'
import { isPassing } from '../deliveries/waiting-line.ts'
import { heardCard } from './heard-card.ts'

/** Null when the transcript cannot be a message of the owner. */
export async function offerHeard(
  powers: DeliverPorts & CardPorts & AskingTime & StoreOf<ApprovalStore>,
  task: Task,
  { heard }: Attached,
): Promise<Reported | null> {
  if (heard === undefined || task.principal !== OWNER_PRINCIPAL) return null
  const said = await heardWords(powers, { ...task, heard })
  const text = await openTextOf(powers, heard)
  if (!said.ok || !text.ok) return faulted(said.ok ? text : said)
  const { sink, principal } = task
  // Derived from the task only, so a new transcription after a crash is the same question.
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
  const change: HeardChange = { do: 'heard', task: task.id, said: digestOf(said.value) }
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
export async function heardWords(
  powers: SealedReading & AtPlace & PolicySource & SecretScan,
  { sink, principal, heard }: Pick<Task, 'sink' | 'principal'> & Required<Pick<Attached, 'heard'>>,
): Promise<Result<string>> {
  const text = await openTextOf(powers, heard)
  return text.ok ? showTo(powers, { sink, principal }, text.value) : text
}
