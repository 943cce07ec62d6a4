/**
 * Messages that the owner wrote in a shared chat while home was offline (DESIGN §1): the question whether the edge
 * should answer, and the final notice. The messages themselves are sealed for home. Must not read them. Called by the
 * owner's object at the edge.
 */
import { kernelWords, receive } from '../../flow/provenance.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, Transactions } from '../../powers/stores.ts'
import { approvalDigest, createApproval, toolOf } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { OFFLINE_WAIT } from '../../tool/manifest.ts'
import { tell } from '../../wording/words.ts'
import { type DeliverPorts, deliverNotice } from '../deliveries/deliver.ts'
import { isPassing } from '../deliveries/waiting-line.ts'
import { HOME_WAIT } from '../places/home-call.ts'

/** What happened to the queued messages. */
export type QueueEnd = 'here' | 'home' | 'sent' | 'both' | 'late' | 'stopped' | 'revoked'

/** Until when the messages wait for home. `since`: time of the first one, epoch milliseconds; later ones share its end. */
export function queueEndsAt(since: number): number {
  return since + OFFLINE_WAIT
}

/** When to ask the owner. `knows`: whether they know already that home is offline. */
export function askAt(since: number, knows: boolean): number {
  return knows ? since : since + HOME_WAIT
}

/** Creates the question, which the next tick delivers. Returns its id. */
export async function askWhetherHere(
  powers: Auditing & SealedKeeping & StoreOf<Transactions & ApprovalStore>,
  sink: string,
  until: number,
): Promise<string> {
  const [id, now] = [powers.newId(), powers.now()]
  const change = { do: 'here' } as const
  const tool = toolOf(change)
  const card = receive(
    tell('memory.kept_question', { minutes: Math.ceil((until - now) / 60_000) }),
    kernelWords(),
  )
  const sealed = await keepText(powers, { principal: OWNER_PRINCIPAL, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id, kind: 'choice', task: '', step: '', principal: OWNER_PRINCIPAL, tool, sink, change },
    ...{ digest: approvalDigest({ tool, args: change, sink }), card: sealed.id, label: card.label },
    ...{ reason: 'home_offline', now, timeout: until - now, told: false },
  })
  powers.store.transaction(() => {
    powers.store.saveApproval(approval, sealed)
    audit(powers, 'approval_asked', null, {
      approval: id,
      kind: approval.kind,
      tool,
      reason: approval.reason,
    })
  })
  return id
}

/** Whether the owner approved. */
export function isHere({ store }: StoreOf<ApprovalStore>, question: string): boolean {
  return store.loadApproval(question)?.approval.state === 'spent'
}

/** Closes the question. */
export function closeHere({ store }: StoreOf<ApprovalStore>, question: string): void {
  const approval = store.loadApproval(question)?.approval
  if (approval?.state === 'pending') store.saveApproval({ ...approval, state: 'expired' }, null)
}

/** Notifies the owner in that chat, once per id. A refusal may be temporary. */
export async function notifyQueueEnd(
  powers: DeliverPorts,
  { id, sink, end }: { readonly id: string; readonly sink: string; readonly end: QueueEnd },
): Promise<Result<true>> {
  const notice = {
    id,
    sink,
    principal: OWNER_PRINCIPAL,
    code: 'home_offline',
    words: tell(`memory.kept_${end}`),
  } as const
  const told = await deliverNotice(powers, notice)
  return !told.ok && isPassing(told.reason.code) ? told : ok(true)
}
