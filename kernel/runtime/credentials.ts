/**
 * The owner's answer to a question for a credential (L-12, L-13, L-16, L-18): known by his own chat and its shape, taken before
 * anything is kept, tried, and what waited for it goes on. Must not keep, log or tell a value. Called by the shell.
 */
import { receive } from '../flow/provenance.ts'
import { type ReasonCode, type Result, refused } from '../flow/verdict.ts'
import { askCredential, isConnected, openQuestions, serviceOf } from '../pipeline/ask-credential.ts'
import { deliverNotice } from '../pipeline/deliver.ts'
import type { Sent } from '../pipeline/route.ts'
import { controlAbove } from '../pipeline/select.ts'
import { audit } from '../powers/audit.ts'
import type { Given } from '../powers/credential-port.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Powers, StoredApproval } from '../powers/ports.ts'
import type { Approval } from '../task/approval.ts'
import type { InboundEvent } from '../task/event.ts'
import type { Outcome } from '../task/outcome.ts'
import type { Task } from '../task/task.ts'
import { type CredentialNeed, fitsShape, needOf } from '../tool/connect.ts'
import {
  connectCommand,
  connectedText,
  expiredText,
  sentText,
  untriedText,
  wrongText,
} from '../wording/credential.ts'
import { wordsFor } from '../wording/words.ts'
import type { Taken } from './intake.ts'
import type { Lane } from './lane.ts'

/** Values that a service may say no to before the question ends: more is guessing, or the wrong page. */
export const MAX_CREDENTIAL_TRIES = 3

/** The whole message, whatever its case. */
const CANCEL = /^\/?(?:cancel|abbrechen)[.!]?$/i

export interface Credentials {
  /** Null for a message that answers no question of these: it is a message like any other. */
  take(sent: Sent): Taken | null
  /** Goes on with what waits for a service that is connected by now; true where something did. */
  settle(): Promise<boolean>
  /** Told of a question that ended unanswered; of any other it says nothing. */
  expired(approval: Approval): Promise<void>
}

/** Home lacks the credential for a step of this task: the question for it, and what goes with it; null where nobody is asked. */
export async function askedByHome(
  powers: Powers,
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

/** `run`: drives the owner's tasks on. */
export function createCredentials(powers: Powers, lane: Lane, run: () => Promise<void>): Credentials {
  /** Noes by question. A restart forgets them, and gives as many again. */
  const noes = new Map<string, number>()

  const askedIn = (sink: string): readonly Asked[] =>
    openQuestions(powers).flatMap((stored) => {
      const need = stored.approval.sink === sink ? needFor(powers, stored.approval) : null
      return need === null ? [] : [{ ...stored, need }]
    })

  const settle = async (): Promise<boolean> => {
    const done = openQuestions(powers).filter(({ approval }) =>
      isConnected(powers, serviceOf(approval) ?? ''),
    )
    for (const stored of done) {
      close(powers, lane, stored.approval, 'approved')
      const need = needFor(powers, stored.approval)
      if (need !== null && stored.approval.task === '')
        await tell(powers, stored.approval, connectedText(need))
    }
    return done.length > 0
  }

  const attempt = async (asked: Asked, value: string): Promise<void> => {
    const { approval, need } = asked
    const given: Result<Given> =
      (await powers.credentials?.give(need.service, value)) ?? refused('tool_unavailable')
    if (given.ok && given.value === 'sent') return tell(powers, approval, sentText(need))
    if (given.ok) {
      if (await settle()) await run()
      return
    }
    const { code } = given.reason
    if (code !== 'credential_rejected') return tell(powers, approval, untriedText(need, wordsFor(code)))
    const no = (noes.get(approval.id) ?? 0) + 1
    noes.set(approval.id, no)
    await tell(powers, approval, wrongText(need, MAX_CREDENTIAL_TRIES - no))
    if (no < MAX_CREDENTIAL_TRIES) return
    close(powers, lane, approval, 'denied', 'credential_missing')
    await run()
  }

  const taking = (asked: Asked, value: string): Taken => ({
    ...{ end: { code: 'credential_taken', facts: { service: asked.need.service } }, secret: true },
    // The edge keeps nothing of it: it is on its way, durably, before the channel hears that its message was taken.
    ...(powers.place === 'edge'
      ? { before: () => attempt(asked, value) }
      : { after: () => void attempt(asked, value).catch((fault) => noteFault(powers, fault)) }),
  })

  return {
    settle,
    take({ event, principal, chat }) {
      if (principal.class !== 'owner' || event.source.group) return null
      const asked = askedIn(chat.id)
      const [newest] = asked.slice(-1)
      if (newest === undefined) return null
      if (CANCEL.test(event.text.trim()))
        return {
          ...{ end: { code: 'approval_denied', facts: {} }, secret: false },
          after: () => {
            close(powers, lane, newest.approval, 'denied')
            void run().catch((fault) => noteFault(powers, fault))
          },
        }
      const fitting = asked.findLast(({ need }) => answers(need, event))
      return fitting === undefined ? null : taking(fitting, event.text.trim())
    },
    async expired(approval) {
      const need = needFor(powers, approval)
      if (need !== null) await tell(powers, approval, expiredText(need))
    },
  }
}

/** Whether a question for a credential that is open in this chat may be what he answers: then nobody else is to read it. */
export function mayBeCredential(powers: Powers, { event, chat }: Pick<Sent, 'event' | 'chat'>): boolean {
  return openQuestions(powers).some(({ approval }) => {
    const need = approval.sink === chat.id ? needFor(powers, approval) : null
    return need !== null && (CANCEL.test(event.text.trim()) || answers(need, event))
  })
}

/**
 * A message that answers the question's own, or that looks like what is asked for. What a channel hands over as quoted beside words
 * of his own is the message that they answer.
 */
function answers(need: CredentialNeed, { text, quoted, replyTo }: InboundEvent): boolean {
  // Where what he answers is not shown, any message of the assistant's may be the question.
  const isQuestion = replyTo !== null || quoted.some((part) => part.includes(connectCommand(need)))
  const isReply = text.trim() !== '' && isQuestion
  return isReply || fitsShape(need, text)
}

function needFor({ registry }: Powers, approval: Approval): CredentialNeed | null {
  const service = serviceOf(approval)
  return service === null ? null : needOf(registry, service)
}

/** It ends, and its task with it or past it. */
function close(
  powers: Powers,
  lane: Lane,
  approval: Approval,
  decision: 'approved' | 'denied',
  code: ReasonCode = 'approval_denied',
): void {
  const { id, task } = approval
  const state = decision === 'approved' ? 'spent' : 'denied'
  const closed: Approval = { ...approval, state, decidedAt: powers.now(), decidedBy: approval.principal }
  const save = (): void => powers.store.saveApproval(closed, null)
  const outcome =
    decision === 'approved'
      ? ({ got: 'approved', approval: id } as const)
      : ({ got: 'refused', approval: id, reason: { code, facts: {} } } as const)
  if (task === '' || !lane.report(task, outcome, save)) save()
  const of = task === '' ? null : powers.store.loadTask(task)
  audit(powers, 'approval_decided', of, { approval: id, kind: approval.kind, decision, ok: true })
}

/** What was typed on a question's page is on its way home (L-15). */
export async function tellSent(powers: Powers, approval: Approval): Promise<void> {
  const need = needFor(powers, approval)
  if (need !== null) await tell(powers, approval, sentText(need))
}

/** In the chat where it was asked. */
async function tell(powers: Powers, { id, task, sink, principal }: Approval, words: string): Promise<void> {
  const of = task === '' ? null : powers.store.loadTask(task)
  const notice = {
    id: `${id}:${powers.newId()}`,
    sink,
    principal,
    code: 'credential_missing',
    words,
  } as const
  await deliverNotice(powers, notice, of)
}

/** By its name alone: its text could quote the value. */
function noteFault(powers: Powers, fault: unknown): void {
  const name = fault instanceof Error ? fault.name : 'unknown'
  audit(powers, 'fault', null, { code: 'internal_fault', name, part: 'credentials' })
}
