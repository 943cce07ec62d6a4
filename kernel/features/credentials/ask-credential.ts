/**
 * Asks the owner for a credential that a step needs (L-12). The question is an approval of its own kind, so expiry, restart and
 * listing work as for every question. Must not include text of a plan or an event: service, title and words come from the
 * manifest. Called by authorize.ts, connect-commands.ts, credentials.ts and channels.ts.
 */

import { combine, type Labeled, type Provenance, test } from '../../flow/labeled.ts'
import { kernelWords, ownerWords, receive } from '../../flow/provenance.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Actions, AtPlace, CredentialService, PolicySource, Tools } from '../../powers/ports.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoredApproval, StoreOf } from '../../powers/stores.ts'
import { type Approval, approvalDigest, createApproval } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { actionsOf, type CredentialNeed, channelNeed, isSentAlong, needFor } from '../../tool/channel.ts'
import type { ToolCall } from '../../tool/manifest.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { tell } from '../../wording/words.ts'
import type { Channels } from '../channels/channel-port.ts'
import type { Webservices } from '../webservices/port.ts'

/** Milliseconds that a credential question waits: creating a credential at its service takes longer than an approval. */
export const CREDENTIAL_WAIT = 3_600_000
const MINUTE = 60_000
/** Maximum open credential questions: a plan that opens one after another must not train the owner to paste secrets. */
export const MAX_CREDENTIAL_QUESTIONS = 3

/** Prefixes of these questions in the list of approvals. No tool has such a name, so no token and no write matches. */
export const CONNECT = 'connect.'
/** Prefix of questions for another credential of a connected service; the present one stays until the new one works. */
const ROTATE = 'rotate.'

/** Why a missing credential is requested. The action may be named in any chat in which its step may be. */
interface Lacking {
  /** The waiting step and its action; null when the owner asked to connect the service. */
  readonly task: Task | null
  readonly step: string
  readonly why: string | null
  /** Chat in which the question is shown. */
  readonly sink: string
  /** Provenance of what led to the question; the question reveals that. */
  readonly control: Labeled<string>
  /** The service is connected, and its credential is to be replaced. */
  readonly rotates?: boolean
}

interface AskedCredential {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

export function serviceOf({ kind, tool }: Approval): string | null {
  const prefix = kind === 'credential' ? [CONNECT, ROTATE].find((one) => tool.startsWith(one)) : undefined
  return prefix === undefined ? null : tool.slice(prefix.length)
}

/** Whether the question asks to replace a credential that works. */
export function isRotation({ kind, tool }: Approval): boolean {
  return kind === 'credential' && tool.startsWith(ROTATE)
}

/** Provenance of words that name these services: a host that the owner named may appear only on the owner's private lines. */
export function namingOf({ registry }: Actions, services: readonly string[], sink: string): Provenance {
  const isOwn = services.some((service) => isSentAlong(registry, service))
  return isOwn ? ownerWords(sink, 'sensitive') : kernelWords()
}

/** Name of a service in the audit; a host that the owner named appears by its id. */
export function auditName({ registry, webservices }: Actions & Webservices, service: string): string {
  if (!isSentAlong(registry, service)) return service
  return webservices?.named().find(({ secret }) => secret === service)?.id ?? HOST_OF_OWN
}

const HOST_OF_OWN = 'host'

/** Open credential questions, oldest first. */
export function openQuestions({ store }: StoreOf<ApprovalStore>): readonly StoredApproval[] {
  return store.pendingApprovals(OWNER_PRINCIPAL).filter(({ approval }) => approval.kind === 'credential')
}

/** Title of a connected service for the owner; a demo that is connected in its place has a title of its own. */
export function connectedTitle(
  powers: Parameters<typeof isConnected>[0],
  { service, title }: Pick<CredentialNeed, 'service' | 'title'>,
): string {
  const own = powers.credentials?.titleOf?.(service)
  return own !== undefined && isConnected(powers, service) ? own : title
}

export function isConnected(
  powers: Actions & Tools & CredentialService & Channels,
  service: string,
): boolean {
  const ofChannel = channelNeed(powers.channels, service) !== null
  if (ofChannel) return powers.channels?.home?.has(service) === true
  const told = powers.credentials?.isConnected?.(service)
  if (told !== undefined) return told
  return actionsOf(powers.registry, service).every(
    (action) => powers.tools.availability(action) !== 'credential',
  )
}

/** The missing key of the account that a call selects by its arguments. A name from a closed list, so it reveals no argument. */
export function lackingKey(
  { tools }: Tools,
  { id, tool }: RegisteredAction,
  args: Labeled<ToolCall['args']>,
): string | null {
  const keys = (tool.accounts ?? []).map(({ credential }) => credential)
  return keys.find((key) => test(args, (read) => tools.lacks?.(id, read) === key)) ?? null
}

/** Ports needed to ask for a credential. */
export type AskCredentialPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Actions &
  CredentialService &
  Channels &
  Webservices &
  StoreOf<ApprovalStore & AuditTrail>

/**
 * Null when nobody is asked: this place stores no credentials, no installed tool declares one of that name, the task
 * is not the owner's or has asked once, or too many questions are open.
 */
export async function askCredential(
  powers: AskCredentialPorts,
  service: string,
  lacking: Lacking,
): Promise<AskedCredential | null> {
  const need = needFor(powers, service)
  if (isReadByBothPlaces(powers, lacking.sink)) return null
  if (powers.credentials?.refusal() !== null || need === null || !mayAsk(powers, lacking.task)) return null
  return question(powers, need, lacking)
}

/** In a chat that the other place can read too, nobody is asked to paste a credential. */
export function isReadByBothPlaces({ policy }: PolicySource, sink: string): boolean {
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
  powers: Auditing & SealedKeeping & Actions & CredentialService & Webservices & StoreOf<ApprovalStore>,
  need: CredentialNeed,
  { task, step, why, sink, control, rotates = false }: Lacking,
): Promise<AskedCredential> {
  const now = powers.now()
  const until = now + CREDENTIAL_WAIT
  const prefix = rotates ? ROTATE : CONNECT
  const tool = prefix + need.service
  const id = powers.newId()
  const text = await questionText(powers, need, { id, why, rotates })
  const card = combine(
    [receive(text, namingOf(powers, [need.service], sink)), control],
    ([words = '']) => words,
  )
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
      ...{ approval: approval.id, kind: approval.kind, tool: prefix + auditName(powers, need.service) },
      ...{ reason: approval.reason, label: approval.label },
    })
  }
  return { approval, text, commit }
}

/** `id`: the question, to which its one-time page is bound (L-15). Each call makes a new page. */
export async function questionText(
  powers: AtPlace & CredentialService,
  need: CredentialNeed,
  {
    id,
    why,
    rotates = false,
  }: { readonly id: string; readonly why: string | null; readonly rotates?: boolean },
): Promise<string> {
  const { title, where } = need
  const plain = tell(rotates ? 'credentials.replace' : 'credentials.connect', { title })
  const page = (await powers.credentials?.page?.(id)) ?? null
  return tell('credentials.prompt', {
    why: why === null ? plain : tell('credentials.needed', { title, why }),
    where,
    command: rotates ? rotateCommand(need) : connectCommand(need),
    // The key's fingerprint is in the chat as well, so changing only the page would be noticed.
    page: page === null ? '' : `\n${tell('credentials.page', { ...page })}`,
    // The edge's host could read what passes, so a value given there takes effect only after a confirmation at home.
    taken: tell(`credentials.taken_${powers.place}`),
    minutes: CREDENTIAL_WAIT / MINUTE,
  })
}

/**
 * Terminal commands that ask the same question. One of them is part of each question, so that a reply to its message can be
 * recognised; a chat may show it in the form for npm.
 */
export function terminalCommands(need: CredentialNeed): readonly string[] {
  return [connectCommand(need), rotateCommand(need)].flatMap((one) => [one, one.replace('pfar ', 'pfar -- ')])
}

function connectCommand({ service }: CredentialNeed): string {
  return `pfar connect ${service}`
}

function rotateCommand({ service }: CredentialNeed): string {
  return `pfar secret rotate ${service}`
}
