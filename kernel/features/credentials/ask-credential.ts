/**
 * Asks the owner for a credential that a step lacks (L-12): the question is an approval of a kind of its own, so that its wait,
 * its end, a restart and the list of what waits are those of every question. Must not say anything that a plan or an event said:
 * service, title and words are the manifest's. Called by authorize.ts, own-commands.ts and runtime/credentials.ts.
 */

import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Actions, AtPlace, CredentialDesk, PolicySource, Tools } from '../../powers/ports.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoredApproval, StoreOf } from '../../powers/stores.ts'
import { type Approval, approvalDigest, createApproval } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { actionsOf, type CredentialNeed, channelNeed, needFor } from '../../tool/connect.ts'
import type { Channels } from '../channels/channel-port.ts'
import { promptText } from './credential-words.ts'

/** Milliseconds that a question for a credential waits: making one at its service takes longer than a yes. */
export const CREDENTIAL_WAIT = 3_600_000
/** Questions for credentials at once: a plan that opens one after another must not teach the owner to paste. */
export const MAX_CREDENTIAL_QUESTIONS = 3

/** Begins the names of these questions where approvals are listed; no tool has one, so no token and no write fits it. */
const CONNECT = 'connect.'

/** Why a value that is missing is asked for; what it waits for may be told where the step itself may. */
export interface Lacking {
  /** Step that waits, and what its action does; null for a question of the owner's own. */
  readonly task: Task | null
  readonly step: string
  readonly why: string | null
  /** Chat that it is asked in. */
  readonly sink: string
  /** What the question's being asked tells. */
  readonly control: Labeled<string>
}

export interface AskedCredential {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

export function serviceOf({ kind, tool }: Approval): string | null {
  return kind === 'credential' && tool.startsWith(CONNECT) ? tool.slice(CONNECT.length) : null
}

/** Questions for credentials that are open, oldest first. */
export function openQuestions({ store }: StoreOf<ApprovalStore>): readonly StoredApproval[] {
  return store.pendingApprovals(OWNER_PRINCIPAL).filter(({ approval }) => approval.kind === 'credential')
}

export function isConnected(powers: Actions & Tools & CredentialDesk & Channels, service: string): boolean {
  const ofChannel = channelNeed(powers.channels, service) !== null
  if (ofChannel) return powers.channels?.home?.has(service) === true
  const told = powers.credentials?.has?.(service)
  if (told !== undefined) return told
  return actionsOf(powers.registry, service).every(
    (action) => powers.tools.availability(action) !== 'credential',
  )
}

/** What it takes to ask for a credential. */
export type AskCredentialPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Actions &
  CredentialDesk &
  Channels &
  StoreOf<ApprovalStore & AuditTrail>

/**
 * Null where nobody is asked: this place keeps no credentials, no installed tool declares one of that name, the task is somebody
 * else's or has asked once, or too many questions are open.
 */
export async function askCredential(
  powers: AskCredentialPorts,
  service: string,
  lacking: Lacking,
): Promise<AskedCredential | null> {
  const need = needFor(powers, service)
  if (isCarried(powers, lacking.sink)) return null
  if (powers.credentials?.refusal() !== null || need === null || !mayAsk(powers, lacking.task)) return null
  return question(powers, need, lacking)
}

/** Where the other place reads along nobody is asked to paste a credential. */
export function isCarried({ policy }: PolicySource, sink: string): boolean {
  return policy().sinks.some(({ id, carries }) => id === sink && carries !== undefined)
}

function mayAsk(powers: StoreOf<ApprovalStore & AuditTrail>, task: Task | null): boolean {
  if (openQuestions(powers).length >= MAX_CREDENTIAL_QUESTIONS) return false
  if (task === null) return true
  const asked = powers.store
    .auditOf(task.id)
    .some(({ kind, facts }) => kind === 'approval_asked' && facts['kind'] === 'credential')
  return task.principal === OWNER_PRINCIPAL && !asked
}

async function question(
  powers: Auditing & SealedKeeping & CredentialDesk & StoreOf<ApprovalStore>,
  need: CredentialNeed,
  { task, step, why, sink, control }: Lacking,
): Promise<AskedCredential> {
  const now = powers.now()
  const until = now + CREDENTIAL_WAIT
  const tool = CONNECT + need.service
  const id = powers.newId()
  const text = await questionText(powers, need, { id, why })
  const card = combine([receive(text, kernelWords()), control], ([words = '']) => words)
  const keeping = { principal: OWNER_PRINCIPAL, store: 'sessions', until } as const
  const sealed: SealedRef = await keepText(powers, keeping, card)
  const approval = createApproval({
    ...{ id, task: task?.id ?? '', step, principal: OWNER_PRINCIPAL, tool, sink },
    ...{ digest: approvalDigest({ tool, args: { service: need.service }, sink }), card: sealed.id },
    ...{ reason: 'credential_missing' as const, kind: 'credential' as const, label: card.label },
    ...{ now, timeout: CREDENTIAL_WAIT, template: task?.template ?? '' },
  })
  const commit = (): void => {
    powers.store.saveApproval(approval, sealed)
    audit(powers, 'approval_asked', task, {
      ...{ approval: approval.id, kind: approval.kind, tool, reason: approval.reason, label: approval.label },
    })
  }
  return { approval, text, commit }
}

/** `id`: of the question, to which its one-time page is bound (L-15); said again, it has another page. */
export async function questionText(
  powers: AtPlace & CredentialDesk,
  need: CredentialNeed,
  { id, why }: { readonly id: string; readonly why: string | null },
): Promise<string> {
  const page = (await powers.credentials?.page?.(id)) ?? null
  return promptText(need, { why, wait: CREDENTIAL_WAIT, place: powers.place, page })
}
