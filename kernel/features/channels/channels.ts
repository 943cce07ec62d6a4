/**
 * Lets the owner activate or disconnect a chat by typing a command (H-13), and puts the questions this needs. Each is
 * an approval, so expiry and restart work as for every question. Must not hold a credential or listen; the place
 * does. Called by own-commands.ts and activation.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AskingTime, AtPlace, CredentialDesk, TokenKey } from '../../powers/ports.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, StoredApproval, StoreOf, Transactions } from '../../powers/stores.ts'
import { type Approval, approvalDigest, createApproval } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { ChannelAdapter } from '../../tool/channel.ts'
import { codeFrom } from '../../tunnel/pairing.ts'
import { encodeText } from '../../vault/text.ts'
import { wordsFor } from '../../wording/words.ts'
import {
  type AskCredentialPorts,
  askCredential,
  isCarried,
  openQuestions,
  questionText,
  serviceOf,
} from '../credentials/ask-credential.ts'
import { onlyAtHomeText } from '../credentials/credential-words.ts'
import type { Channels } from './channel-port.ts'
import {
  activeAlready,
  askedElsewhere,
  givenText,
  LEAVE_ASKED,
  leaveCard,
  noAdapter,
  notActive,
  proveText,
  waitsText,
} from './channel-words.ts'

/** Milliseconds that home waits for the code: enough to find the phone, short for an onlooker who read the code. */
export const PROVE_WAIT = 600_000

/** Prefix of these questions in the list of approvals. No tool has such a name, so no token and no write matches. */
const PROVE = 'prove.'

/** Channel of a question for the code; null for any other question. */
export function provedBy({ kind, tool }: Approval): string | null {
  return kind === 'credential' && tool.startsWith(PROVE) ? tool.slice(PROVE.length) : null
}

export function adapterOf({ channels }: Channels, name: string): ChannelAdapter | null {
  return channels?.adapters.find((one) => one.name === name) ?? null
}

/**
 * Code that proves that the account there is the owner's. Derived from the question's id, so a restart asks for the
 * same.
 */
export function codeOf({ tokenKey }: TokenKey, question: string): string {
  return codeFrom(hmac(sha256, tokenKey, encodeText(`channel-code|${question}`)))
}

/** Answers "connect <name>" in the chat in which it was said. */
export async function connectChannel(
  powers: AskCredentialPorts & TokenKey,
  task: Task,
  name: string,
): Promise<string> {
  const adapter = adapterOf(powers, name)
  if (adapter === null) return noAdapter(name)
  const home = powers.channels?.home
  if (powers.credentials === undefined) return onlyAtHomeText()
  if (home?.isActive(name) === true) return activeAlready(adapter)
  const open = openFor(powers, adapter).find(({ approval }) => approval.sink === task.sink)
  if (open !== undefined) return askedAgain(powers, open, adapter)
  const under = home?.activating() ?? null
  if (under !== null) return askedElsewhere(adapterOf(powers, under.channel)?.title ?? under.channel)
  const closed = powers.credentials.refusal()
  if (closed !== null) return wordsFor(closed)
  const need = adapter.needs.find(({ service }) => home?.has(service) !== true)
  if (need === undefined) {
    // All credentials were given before; only the owner's account there must be verified.
    home?.note({ channel: name, question: null, sink: task.sink })
    return givenText(adapter)
  }
  const control = receive('', kernelWords())
  const asked = await askCredential(powers, need.service, {
    ...{ task: null, step: '', why: null, sink: task.sink, control },
  })
  if (asked === null) return isCarried(powers, task.sink) ? onlyAtHomeText() : wordsFor('approvals_many')
  asked.commit()
  return asked.text
}

/** The owner's open questions about this channel, oldest first. */
export function openFor(
  powers: StoreOf<ApprovalStore>,
  { name, needs }: ChannelAdapter,
): readonly StoredApproval[] {
  return openQuestions(powers).filter(
    ({ approval }) =>
      provedBy(approval) === name || needs.some(({ service }) => service === serviceOf(approval)),
  )
}

async function askedAgain(
  powers: AtPlace & TokenKey & CredentialDesk,
  { approval }: StoredApproval,
  adapter: ChannelAdapter,
) {
  const need = adapter.needs.find(({ service }) => service === serviceOf(approval))
  return need === undefined
    ? waitsText(adapter, codeOf(powers, approval.id))
    : questionText(powers, need, { id: approval.id, why: null })
}

export interface AskedProof {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

/** Asks for the code, in this chat. */
export async function askProof(
  powers: Auditing & SealedKeeping & TokenKey & StoreOf<ApprovalStore>,
  adapter: ChannelAdapter,
  { account, sink }: { readonly account: string; readonly sink: string },
): Promise<AskedProof> {
  const [id, now, tool] = [powers.newId(), powers.now(), PROVE + adapter.name]
  const text = proveText(adapter, { account, code: codeOf(powers, id), wait: PROVE_WAIT })
  const card = receive(text, kernelWords())
  const until = now + PROVE_WAIT
  const sealed = await keepText(powers, { principal: OWNER_PRINCIPAL, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id, task: '', step: '', principal: OWNER_PRINCIPAL, tool, sink, card: sealed.id, template: '' },
    ...{ digest: approvalDigest({ tool, args: { channel: adapter.name }, sink }), label: card.label },
    ...{ reason: 'credential_missing' as const, kind: 'credential' as const, now, timeout: PROVE_WAIT },
  })
  const commit = (): void => {
    powers.store.saveApproval(approval, sealed)
    const facts = { approval: id, kind: approval.kind, tool, reason: approval.reason, label: approval.label }
    audit(powers, 'approval_asked', null, facts)
  }
  return { approval, text, commit }
}

/** Answers "disconnect <name>": asks first, on a card in the chat in which it was said. */
export async function leaveChannel(
  powers: Auditing & SealedKeeping & AskingTime & Channels & StoreOf<Transactions & ApprovalStore>,
  task: Task,
  name: string,
): Promise<string> {
  const adapter = adapterOf(powers, name)
  if (adapter === null) return noAdapter(name)
  if (powers.channels?.home?.isActive(name) !== true) return notActive(adapter)
  await putLeaving(powers, task, adapter)
  return LEAVE_ASKED
}

/**
 * Shown by the next tick, after this answer, since a bare "yes" refers to the last card. Bears the task, so it goes
 * to the same chat.
 */
async function putLeaving(
  powers: Auditing & SealedKeeping & AskingTime & StoreOf<Transactions & ApprovalStore>,
  task: Task,
  adapter: ChannelAdapter,
): Promise<void> {
  const [id, now, { sink }] = [powers.newId(), powers.now(), task]
  const change = { do: 'leave', channel: adapter.name } as const
  const tool = `admin.${change.do}`
  const card = receive(leaveCard(adapter), kernelWords())
  const until = now + powers.approvalTimeout
  const sealed = await keepText(powers, { principal: OWNER_PRINCIPAL, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id, kind: 'choice', task: task.id, step: '', principal: OWNER_PRINCIPAL, tool, sink, change },
    ...{ digest: approvalDigest({ tool, args: change, sink }), card: sealed.id, label: card.label },
    ...{ reason: 'write_approval_required', now, timeout: powers.approvalTimeout, told: false },
  })
  powers.store.transaction(() => {
    powers.store.saveApproval(approval, sealed)
    const facts = { approval: id, kind: approval.kind, tool, reason: approval.reason }
    audit(powers, 'approval_asked', task, facts)
  })
}
