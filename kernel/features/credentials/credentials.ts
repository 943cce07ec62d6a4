/**
 * Handles the owner's answer to a credential question (L-12, L-13, L-16, L-18): recognised by chat and format,
 * removed before anything is stored, verified; then the waiting step continues. Must not keep, log or repeat a value.
 * Called by shell.ts.
 */

import { controlAbove } from '../../call/values/select.ts'
import { receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, CredentialService, OwnerChats, TokenKey, Tools } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Taken } from '../../runtime/intake.ts'
import type { Approval } from '../../task/approval.ts'
import type { Outcome, TaskReports } from '../../task/outcome.ts'
import type { Task } from '../../task/task.ts'
import {
  allNeeds,
  type CredentialNeed,
  channelNeed,
  fitsShape,
  isSentAlong,
  needFor as needNamed,
} from '../../tool/channel.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { closeQuestion, tellThere } from '../approvals/decisions.ts'
import type { ChannelFlows, Channels } from '../channels/channel-port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import type { Sent } from '../people/route.ts'
import type { Webservices } from '../webservices/port.ts'
import {
  type AskCredentialPorts,
  askCredential,
  auditName,
  isConnected,
  isRotation,
  namingOf,
  openQuestions,
  serviceOf,
  terminalCommands,
} from './ask-credential.ts'
import type { Given, Replaced } from './credential-port.ts'
import { isAddress, isNoWords } from './no-words.ts'

/** Values that a service may reject before the question ends: more attempts are guessing, or the wrong page. */
export const MAX_CREDENTIAL_TRIES = 3

/** Matches the whole message, in any case. */
const CANCEL = /^\/?(?:cancel|abbrechen)[.!]?$/i

export interface Credentials {
  /** Null for a message that answers no credential question; it is handled like any message. */
  take(sent: Sent): Taken | null
  /** Continues tasks whose service is connected by now; true when there were any. */
  settle(): Promise<boolean>
  /** Notifies the owner of a credential question that expired; ignores any other. */
  expired(approval: Approval): Promise<void>
}

/**
 * Asks for a credential that home lacks for a step of this task. Returns the question and what belongs to it; null when nobody is
 * asked.
 */
export async function askedByHome(
  powers: AskCredentialPorts,
  task: Task,
  index: number,
): Promise<{ readonly outcome: Outcome; readonly commit: () => void } | null> {
  const step = task.plan?.steps[index]
  const action = step?.do === 'tool' ? lookUpAction(powers.registry, step.tool) : null
  const service = action?.ok === true ? action.value.tool.credential : null
  if (step === undefined || action?.ok !== true || service === null) return null
  const control = receive('', await controlAbove(powers, task, index))
  const lacking = { task, step: step.id, why: action.value.description, sink: task.sink, control }
  const asked = await askCredential(powers, service, lacking)
  if (asked === null) return null
  const outcome = { got: 'needs_credential', step: index, service, approval: asked.approval.id } as const
  return { outcome, commit: asked.commit }
}

interface Asked extends StoredApproval {
  readonly need: CredentialNeed
}

/** Ports needed to accept a credential and continue. */
type CredentialsPorts = DeliverPorts &
  AskCredentialPorts &
  Tools &
  TokenKey &
  OwnerChats &
  ChannelFlows &
  Webservices &
  StoreOf<TaskStore>

/** `run`: drives the owner's tasks. */
export function createCredentials(
  powers: CredentialsPorts,
  lane: TaskReports,
  run: () => Promise<void>,
): Credentials {
  /** Rejections by question. Lost at a restart, which allows as many again. */
  const noes = new Map<string, number>()

  const activation = powers.channels?.flow?.start(powers, lane)

  const settle = async (): Promise<boolean> => {
    let from: string | undefined
    const done = openQuestions(powers).filter(({ approval }) => {
      const service = serviceOf(approval)
      return service !== null && !isRotation(approval) && isConnected(powers, service)
    })
    for (const stored of done) {
      closeQuestion(powers, lane, stored.approval, { decision: 'approved' })
      const need = needFor(powers, stored.approval)
      // The next credential that the channel needs is requested instead of this notice.
      if (need !== null && isOfChannel(powers, need)) from = stored.approval.sink
      else if (need !== null && stored.approval.task === '')
        await tellOf(powers, stored.approval, need, tell('credentials.connected', { title: need.title }))
    }
    await activation?.look(from)
    return done.length > 0
  }

  const attempt = async (asked: Asked, value: string): Promise<void> => {
    const { approval, need } = asked
    const given = await handOver(powers, asked, value)
    if (given.ok && given.value === 'sent') {
      if (isOfChannel(powers, need)) closeQuestion(powers, lane, approval, { decision: 'approved' })
      return tellOf(
        powers,
        approval,
        need,
        tell('credentials.sent', { title: need.title, service: need.service }),
      )
    }
    if (given.ok) {
      if (await settle()) await run()
      if (!isRotation(approval)) return
      closeQuestion(powers, lane, approval, { decision: 'approved' })
      if (approval.task !== '') await run()
      const what = given.value === 'untried' ? 'credentials.rotated_untried' : 'credentials.rotated_stored'
      return tellOf(powers, approval, need, tell(what, { title: need.title }))
    }
    const { code } = given.reason
    const sentence = powers.channels?.home?.trouble(given.reason) ?? wordsFor(code)
    const fails = (words: string): Promise<void> =>
      tellOf(powers, approval, need, isRotation(approval) ? `${words} ${tell('credentials.stays')}` : words)
    if (code !== 'credential_rejected')
      return fails(tell('credentials.untried', { title: need.title, why: sentence }))
    const no = (noes.get(approval.id) ?? 0) + 1
    noes.set(approval.id, no)
    await fails(wrongText(need.title, MAX_CREDENTIAL_TRIES - no))
    if (no < MAX_CREDENTIAL_TRIES) return
    closeQuestion(powers, lane, approval, { decision: 'denied', code: 'credential_missing' })
    await run()
  }

  const taking = (asked: Asked, value: string): Taken => ({
    ...{
      end: { code: 'credential_taken', facts: { service: auditName(powers, asked.need.service) } },
      secret: true,
    },
    // The edge stores nothing of it: the sealed value is durably queued before the channel gets its acknowledgement.
    ...(powers.place === 'edge'
      ? { before: () => attempt(asked, value) }
      : { after: () => void attempt(asked, value).catch((fault) => noteFault(powers, fault)) }),
  })

  /** A value that may belong to another question is given to no service and read by nobody. */
  const DROPPED: Taken = { end: { code: 'credential_unclear', facts: {} }, secret: true }

  return {
    settle,
    take({ event, principal, chat }) {
      if (principal.class !== 'owner' || event.source.group) return null
      const [newest] = openQuestions(powers)
        .filter(({ approval }) => approval.sink === chat.id)
        .slice(-1)
      if (newest === undefined) return null
      if (CANCEL.test(event.text.trim()))
        return {
          ...{ end: { code: 'credential_cancelled', facts: {} }, secret: false },
          after: () => {
            closeQuestion(powers, lane, newest.approval, { decision: 'denied', code: 'credential_cancelled' })
            void Promise.all([run(), activation?.look()]).catch((fault) => noteFault(powers, fault))
          },
        }
      const meant = meantBy(powers, { event, chat })
      if (meant === null) return null
      return meant === 'unclear' ? DROPPED : taking(meant, event.text.trim())
    },
    async expired(approval) {
      const need = needFor(powers, approval)
      const words =
        need === null
          ? (activation?.late(approval) ?? null)
          : tell(isRotation(approval) ? 'credentials.not_rotated' : 'credentials.expired', {
              title: need.title,
            })
      if (words !== null && need !== null) await tellOf(powers, approval, need, words)
      else if (words !== null) await tellThere(powers, approval, words)
    },
  }
}

/** If there is no credential to replace, for example because it was removed meanwhile, the value is stored as the first. */
async function handOver(
  { credentials }: CredentialService,
  { approval, need: { service } }: Asked,
  value: string,
): Promise<Result<Given | Replaced>> {
  const replaced = isRotation(approval) ? await credentials?.replace?.(service, value) : undefined
  if (replaced !== undefined && (replaced.ok || replaced.reason.code !== 'credential_missing'))
    return replaced
  return (await credentials?.give(service, value)) ?? err('tool_unavailable')
}

/** `left`: remaining attempts. */
function wrongText(title: string, left: number): string {
  if (left === 0) return tell('credentials.wrong_last', { title })
  return left === 1 ? tell('credentials.wrong_once', { title }) : tell('credentials.wrong', { title, left })
}

/** Whether this message may answer a credential question open in this chat; then no model may read it. */
export function mayBeCredential(
  powers: Actions & Channels & StoreOf<ApprovalStore>,
  sent: Pick<Sent, 'event' | 'chat'>,
): boolean {
  const isCancel = CANCEL.test(sent.event.text.trim())
  return isCancel ? askedIn(powers, sent.chat.id).length > 0 : meantBy(powers, sent) !== null
}

/** Open questions of this chat, oldest first. */
function askedIn(powers: Actions & Channels & StoreOf<ApprovalStore>, sink: string): readonly Asked[] {
  return openQuestions(powers).flatMap((stored) => {
    const need = stored.approval.sink === sink ? needFor(powers, stored.approval) : null
    return need === null ? [] : [{ ...stored, need }]
  })
}

/**
 * The question that the message answers: the one whose message it quotes, else the one whose format the value has. A reply to any
 * other message is not an answer because it is a reply. `unclear` for a value that may belong to another service or looks like no
 * words; null for an ordinary message.
 */
export function meantBy(
  powers: Actions & Channels & StoreOf<ApprovalStore>,
  { event, chat }: Pick<Sent, 'event' | 'chat'>,
): Asked | 'unclear' | null {
  const { text, quoted } = event
  const open = askedIn(powers, chat.id)
  if (open.length === 0 || text.trim() === '') return null
  const answered = open.findLast(({ need }) => quoted.some((part) => isQuestion(part, need)))
  if (answered !== undefined) return answered
  const fitting = open.filter(({ need }) => fitsShape(need, text))
  const own = fitting.filter(({ need }) => !isSentAlong(powers.registry, need.service))
  if (own.length > 0) return isOneService(own) ? (own.at(-1) ?? null) : 'unclear'
  // A link or an address in a conversation is no key.
  if (isAddress(text) || (fitting.length === 0 && !isNoWords(text))) return null
  // A host's key may have any format, so its service is unknown; a path or a name in a conversation may have it as well.
  const isPlain = quoted.length === 0 && !/[/@]/.test(text) && !isOthers(powers, text)
  return isPlain && isOneService(open) ? (fitting.at(-1) ?? 'unclear') : 'unclear'
}

function isOneService(asked: readonly Asked[]): boolean {
  return new Set(asked.map(({ need }) => need.service)).size === 1
}

/** Whether the value has the format of a service other than a host, asked for or not. */
function isOthers(powers: Actions & Channels, text: string): boolean {
  return allNeeds({
    registry: powers.registry,
    ...(powers.channels != null && { channels: powers.channels }),
  }).some((need) => !isSentAlong(powers.registry, need.service) && fitsShape(need, text))
}

/**
 * A part that the channel marks as quoted is the message being answered. Compares whole names, because one service's name may
 * begin another's.
 */
function isQuestion(part: string, need: CredentialNeed): boolean {
  return terminalCommands(need).some((command) =>
    part
      .split(command)
      .slice(1)
      .some((after) => !/^[\w/-]|^\.\w/.test(after)),
  )
}

function needFor(powers: Actions & Channels, approval: Approval): CredentialNeed | null {
  const service = serviceOf(approval)
  return service === null ? null : needNamed(powers, service)
}

function isOfChannel({ channels }: Channels, { service }: CredentialNeed): boolean {
  return channelNeed(channels, service) !== null
}

/** Confirms that the value typed on a question's page is on its way to home (L-15). */
export async function tellSent(
  powers: DeliverPorts & Actions & Channels & StoreOf<TaskStore & ApprovalStore>,
  approval: Approval,
): Promise<void> {
  const need = needFor(powers, approval)
  if (need === null) return
  if (isOfChannel(powers, need)) closeQuestion(powers, NOBODY_WAITS, approval, { decision: 'approved' })
  await tellOf(powers, approval, need, tell('credentials.sent', { title: need.title, service: need.service }))
}

/** Reports the end of a question, with the label of the name in it: a chat that may not know a host does not get its name. */
function tellOf(
  powers: DeliverPorts & Actions & StoreOf<TaskStore>,
  approval: Approval,
  { service }: CredentialNeed,
  words: string,
): Promise<void> {
  return tellThere(powers, approval, receive(words, namingOf(powers, [service], approval.sink)))
}

/** A credential for a channel belongs to no task; home reports the result. */
const NOBODY_WAITS = { report: () => false }

/** Audits the name of the error only: its text could quote the value. */
function noteFault(powers: Auditing, fault: unknown): void {
  const name = fault instanceof Error ? fault.name : 'unknown'
  audit(powers, 'fault', null, { code: 'internal_fault', name, part: 'credentials' })
}
