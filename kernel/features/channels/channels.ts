/**
 * Activates and disconnects chats at home (H-13, L-16, L-18, M-28), with the questions that this needs. Runs after each change
 * and takes the next step from stored state, so a restart continues. An activation that ends without the owner keeps nothing.
 * Must not hold a credential or listen; the place does. Called through `CHANNEL_FLOW`.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AskingTime, AtPlace, CredentialService, OwnerChats, TokenKey } from '../../powers/ports.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import { type Approval, approvalDigest, createApproval } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { ChannelAdapter } from '../../tool/channel.ts'
import { codeFrom } from '../../tunnel/pairing.ts'
import { encodeText } from '../../vault/text.ts'
import { type Saying, tell, wordsFor } from '../../wording/words.ts'
import { closeQuestion, tellThere } from '../approvals/decisions.ts'
import {
  type AskCredentialPorts,
  askCredential,
  isReadByBothPlaces,
  openQuestions,
  questionText,
  serviceOf,
} from '../credentials/ask-credential.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import {
  type Activating,
  type Activation,
  type ChannelFlow,
  type Channels,
  type HomeChannels,
  rotating,
} from './channel-port.ts'

/** Milliseconds that home waits for the code: enough to find the phone, short for an onlooker who read the code. */
export const PROVE_WAIT = 600_000

const MINUTE = 60_000

/** Prefix of these questions in the list of approvals. No tool has such a name, so no token and no write matches. */
const PROVE = 'prove.'

/** Channel of a question for the code; null for any other question. */
export function provedBy({ kind, tool }: Approval): string | null {
  return kind === 'credential' && tool.startsWith(PROVE) ? tool.slice(PROVE.length) : null
}

function adapterOf({ channels }: Channels, name: string): ChannelAdapter | null {
  return channels?.adapters.find((one) => one.name === name) ?? null
}

/** A sentence about this channel. */
function say(
  saying: Saying,
  { title, name, prove }: ChannelAdapter,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return tell(saying, { title, name, prove, ...values })
}

/**
 * Code that proves that the account there is the owner's. Derived from the question's id, so a restart asks for the
 * same.
 */
export function codeOf({ tokenKey }: TokenKey, question: string): string {
  return codeFrom(hmac(sha256, tokenKey, encodeText(`channel-code|${question}`)))
}

/** Answers "connect <name>" in the chat in which it was said. */
async function connectChannel(
  powers: AskCredentialPorts & TokenKey,
  task: Task,
  name: string,
): Promise<string> {
  const adapter = adapterOf(powers, name)
  if (adapter === null) return tell('channels.no_adapter', { title: name })
  const home = powers.channels?.home
  if (powers.credentials === undefined) return tell('credentials.only_at_home')
  if (home?.isActive(name) === true)
    return say('channels.active_already', adapter, { rotate: rotating(adapter) })
  const open = openFor(powers, adapter).find(({ approval }) => approval.sink === task.sink)
  if (open !== undefined) return askedAgain(powers, open, adapter)
  const under = home?.activating() ?? null
  if (under !== null)
    return tell('channels.asked_elsewhere', {
      title: adapterOf(powers, under.channel)?.title ?? under.channel,
    })
  const closed = powers.credentials.refusal()
  if (closed !== null) return wordsFor(closed)
  const need = adapter.needs.find(({ service }) => home?.has(service) !== true)
  if (need === undefined) {
    // All credentials were given before; only the owner's account there must be verified.
    home?.note({ channel: name, question: null, sink: task.sink })
    return say('channels.given', adapter)
  }
  const control = receive('', kernelWords())
  const asked = await askCredential(powers, need.service, {
    ...{ task: null, step: '', why: null, sink: task.sink, control },
  })
  const isClosed = isReadByBothPlaces(powers, task.sink)
  if (asked === null) return isClosed ? tell('credentials.only_at_home') : wordsFor('approvals_many')
  asked.commit()
  return asked.text
}

/** The owner's open questions about this channel, oldest first. */
function openFor(powers: StoreOf<ApprovalStore>, { name, needs }: ChannelAdapter): readonly StoredApproval[] {
  return openQuestions(powers).filter(
    ({ approval }) =>
      provedBy(approval) === name || needs.some(({ service }) => service === serviceOf(approval)),
  )
}

async function askedAgain(
  powers: AtPlace & TokenKey & CredentialService,
  { approval }: StoredApproval,
  adapter: ChannelAdapter,
) {
  const need = adapter.needs.find(({ service }) => service === serviceOf(approval))
  return need === undefined
    ? say('channels.waits', adapter, { code: codeOf(powers, approval.id) })
    : questionText(powers, need, { id: approval.id, why: null })
}

interface AskedProof {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

/** Asks for the code, in this chat. */
async function askProof(
  powers: Auditing & SealedKeeping & TokenKey & StoreOf<ApprovalStore>,
  adapter: ChannelAdapter,
  { account, sink }: { readonly account: string; readonly sink: string },
): Promise<AskedProof> {
  const [id, now, tool] = [powers.newId(), powers.now(), PROVE + adapter.name]
  const code = codeOf(powers, id)
  const text = say('channels.prove', adapter, { account, code, minutes: PROVE_WAIT / MINUTE })
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
async function leaveChannel(
  powers: Auditing & SealedKeeping & AskingTime & Channels & StoreOf<Transactions & ApprovalStore>,
  task: Task,
  name: string,
): Promise<string> {
  const adapter = adapterOf(powers, name)
  if (adapter === null) return tell('channels.no_adapter', { title: name })
  if (powers.channels?.home?.isActive(name) !== true) return say('channels.not_active', adapter)
  await putLeaving(powers, task, adapter)
  return tell('channels.leave_asked')
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
  const card = receive(say('channels.leave', adapter), kernelWords())
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

interface Way {
  readonly powers: DeliverPorts & AskCredentialPorts & TokenKey & StoreOf<TaskStore>
  readonly lane: TaskReports
  readonly home: HomeChannels
  readonly adapter: ChannelAdapter
  readonly sink: string
  readonly now: Activating
  readonly again: () => Promise<void>
  /** Questions whose code is being searched for now. */
  readonly searching: Set<string>
}

function createActivation(
  powers: DeliverPorts & AskCredentialPorts & TokenKey & OwnerChats & StoreOf<TaskStore>,
  lane: TaskReports,
): Activation {
  let turn: Promise<void> = Promise.resolve()
  const searching = new Set<string>()
  const look = (from?: string): Promise<void> => {
    turn = turn
      .catch(() => undefined)
      .then(() => lookOnce(powers, lane, { from, searching, again: () => look() }))
    return turn
  }
  return {
    look,
    late(approval) {
      const adapter = adapterOf(powers, provedBy(approval) ?? '')
      return adapter === null ? null : say('channels.late', adapter)
    },
  }
}

export const CHANNEL_FLOW: ChannelFlow = Object.freeze({
  connect: connectChannel,
  leave: leaveChannel,
  start: createActivation,
})

async function lookOnce(
  powers: DeliverPorts & AskCredentialPorts & TokenKey & OwnerChats & StoreOf<TaskStore>,
  lane: TaskReports,
  { from, ...going }: Pick<Way, 'again' | 'searching'> & { readonly from: string | undefined },
): Promise<void> {
  const home = powers.channels?.home
  const now = home?.activating() ?? null
  if (home === undefined || now === null) return
  const adapter = adapterOf(powers, now.channel)
  const sink = from ?? now.sink ?? powers.adminSinks[0]
  if (adapter === null || sink === undefined) return home.drop(now.channel)
  const way: Way = { powers, lane, home, adapter, sink, now, ...going }
  if (home.isActive(now.channel)) return arrive(way)
  if (now.question === null) return askNext(way)
  const asked = powers.store.loadApproval(now.question)?.approval ?? null
  if (asked?.state !== 'pending' || asked.expiresAt <= powers.now()) return home.drop(now.channel)
  if (provedBy(asked) !== null) search(way, asked)
}

/** The channel listens now. */
async function arrive({ powers, lane, home, adapter, sink, now }: Way): Promise<void> {
  const asked = now.question === null ? null : (powers.store.loadApproval(now.question)?.approval ?? null)
  if (asked?.state === 'pending') closeQuestion(powers, lane, asked, { decision: 'approved' })
  home.note(null)
  const there = home.chat(adapter.name)
  // The owner has just sent the code there and is looking at that chat.
  if (there !== null && there !== sink) await tellOwner(powers, there, say('channels.welcome', adapter))
  const account = await home.account(adapter.name)
  const named = account.ok ? account.value : adapter.title
  await tellOwner(powers, sink, say('channels.active', adapter, { account: named }))
}

async function askNext(way: Way): Promise<void> {
  const { powers, home, adapter, sink } = way
  const need = adapter.needs.find(({ service }) => !home.has(service))
  if (need !== undefined) {
    const control = receive('', kernelWords())
    const lacking = { task: null, step: '', why: null, sink, control }
    const asked = await askCredential(powers, need.service, lacking)
    return asked === null ? fail(way, wordsFor('approvals_many')) : put(way, asked)
  }
  const account = await home.account(adapter.name)
  if (!account.ok) return fail(way, home.trouble(account.reason) ?? wordsFor(account.reason.code))
  const asked = await askProof(powers, adapter, { account: account.value, sink })
  await put(way, asked)
  search(way, asked.approval)
}

interface Asked {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

/** Writes both in one transaction: a question without its activation row would lead to nothing. */
async function put({ powers, home, adapter, sink }: Way, { approval, text, commit }: Asked): Promise<void> {
  powers.store.transaction(() => {
    commit()
    home.note({ channel: adapter.name, question: approval.id, sink })
  })
  await tellThere(powers, approval, text)
}

/** Starts the search for the code. Not awaited: its result is handled like any other change. */
function search({ powers, lane, home, adapter, again, searching }: Way, { id }: Approval): void {
  if (searching.has(id)) return
  searching.add(id)
  const over = async (): Promise<void> => {
    const found = await home.find(adapter.name, codeOf(powers, id))
    if (found.ok && !found.value) return
    const asked = powers.store.loadApproval(id)?.approval
    if (!found.ok && asked?.state === 'pending') {
      closeQuestion(powers, lane, asked, { decision: 'denied', code: found.reason.code })
      const sentence = home.trouble(found.reason) ?? wordsFor(found.reason.code)
      await tellThere(powers, asked, say('channels.failed', adapter, { why: sentence }))
    }
    await again()
  }
  // Fails only when storage fails; the next tick tries again.
  void over()
    .catch(() => undefined)
    .finally(() => searching.delete(id))
}

async function fail({ powers, home, adapter, sink }: Way, sentence: string): Promise<void> {
  await home.drop(adapter.name)
  await tellOwner(powers, sink, say('channels.failed', adapter, { why: sentence }))
}

async function tellOwner(
  powers: DeliverPorts & StoreOf<TaskStore>,
  sink: string,
  words: string,
): Promise<void> {
  await tellThere(powers, { id: 'channel', task: '', sink, principal: OWNER_PRINCIPAL }, words)
}
