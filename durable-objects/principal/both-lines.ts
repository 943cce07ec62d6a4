/**
 * The edge's side of a bot that serves both places (DESIGN §1): queues the owner's messages for home, and sends home's replies to
 * the owner's chat after checking them again, without storing them. Home permits this in its last sync; it never raises the
 * edge's own clearance. Called by PrincipalObject.
 */
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import {
  deliverForwarded,
  endForwardedWork,
  runForwardedWork,
} from '../../kernel/features/deliveries/deliver.ts'
import type { Version } from '../../kernel/features/deliveries/withdraw.ts'
import { hearHomeAtWork, messageForHome, versionThere } from '../../kernel/features/places/both-lines.ts'
import type { DeliveredText, HomeWork } from '../../kernel/features/places/handover-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { Received } from '../../kernel/runtime/shell.ts'
import { STOP } from '../../kernel/task/command.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type {} from '../platform/env.ts'
import { createQueuedMessages, type QueuedMessages, type QueuedMessagesInput } from './home-queue.ts'
import type { HomeTurns } from './home-turns.ts'

/** Requests of home and of the Worker to the owner's object. */
export type LinesAsk =
  | { readonly do: 'set'; readonly template: string | null }
  /** Whether home was ever allowed to reply in this chat: the owner may still quote such a reply. */
  | { readonly do: 'spoke' }
  | { readonly do: 'carry'; readonly handed: DeliveredText }
  /** Home is working on a call of this object's principal or on a message of the owner: shows progress. */
  | { readonly do: 'work'; readonly work: HomeWork }

export interface BothLines {
  /**
   * Queues an event for home until home acknowledges it, or processes it here: with `alone` if the owner chose to be answered
   * without home. When a message is edited, the place that does not answer the edit withdraws the requests of the former version.
   * Refusals: those of `take`. Throws when another object fails, so that the channel delivers the event again.
   */
  receive(event: unknown, here: TakingHere): Promise<Result<Received>>
  /**
   * Refusals: grant_missing; task_already_answering for progress on a message that has been answered; those of `carry` and of
   * `hearHomeAtWork`.
   */
  answer(ask: LinesAsk): Promise<Result<boolean>>
  /** Whether this request makes a step due for the messages that wait for home. */
  isDue(ask: LinesAsk): boolean
  /** As `QueuedMessages.look`. */
  readonly look: QueuedMessages['look']
}

interface TakingHere {
  take(alone: boolean): Promise<Result<Received>>
  withdraw(version: Version): Promise<void>
}

interface Permission {
  readonly template: string | null
}

const PERMISSION = 'both-lines'
/** Ids of owner messages that home has answered, newest last: progress that arrives late is not shown below the answer. */
const ANSWERED = 'both-lines-answered'
const MOST_ANSWERED = 20
/** When home last wrote in this chat, epoch milliseconds: a bare "yes" after that does not approve a card of the edge. */
const SPOKE_AT = 'both-lines-spoke-at'

export function createBothLines(
  kv: SyncKvStorage,
  powers: Powers,
  env: QueuedMessagesInput['env'],
  turns: Pick<HomeTurns, 'bring'>,
): BothLines {
  const permission = (): Permission | undefined => kv.get<Permission>(PERMISSION)
  const { sink } = EDGE_CHAT
  const kept = createQueuedMessages({ kv, powers, env, sink })
  const answered = (): readonly string[] => kv.get<readonly string[]>(ANSWERED) ?? []
  const forward = ({ said, ...handed }: DeliveredText, template: string): Promise<Result<true>> => {
    if (said !== undefined && handed.kind === 'answer' && !answered().includes(said))
      kv.put(ANSWERED, [...answered(), said].slice(-MOST_ANSWERED))
    kv.put<number>(SPOKE_AT, powers.now())
    return deliverForwarded(powers, { ...handed, ...(said !== undefined && { said }), sink }, template)
  }
  const atWork = async (work: HomeWork): Promise<Result<true>> => {
    if (work.on === 'call') return hearHomeAtWork(powers, work)
    if (permission()?.template == null) return err('grant_missing')
    if (work.on === 'rest') return endForwardedWork(powers, sink, work.id)
    if (answered().includes(work.id)) return err('task_already_answering')
    return runForwardedWork(powers, { sink, said: work.id, how: work.how })
  }
  return {
    async receive(event, here) {
      const template = permission()?.template ?? null
      const version = template === null ? null : versionThere(powers, event, sink)
      const take = async (alone: boolean): Promise<Result<Received>> => {
        const taken = await here.take(alone)
        if (taken.ok && version !== null) await kept.answeredHere(version)
        return taken
      }
      const said =
        template === null
          ? null
          : messageForHome(powers, event, { sink, template, spokeAt: kv.get<number>(SPOKE_AT) ?? 0 })
      if (said === null) return take(false)
      // Home must have the earlier turns before it reads this message.
      await turns.bring(true)
      const stops = said.text.trim().toLowerCase() === STOP
      const goes = await kept.keep(said, stops || kept.isHere() ? 'there' : 'always')
      if (goes.ok && version !== null) await here.withdraw(version)
      if (goes.ok) return queuedForHome(goes.value)
      if (stops) kept.stop()
      return take(kept.isHere())
    },
    look: kept.look,
    isDue: (ask) => kept.any() && (ask.do === 'carry' || ask.do === 'set'),
    async answer(ask) {
      if (ask.do === 'set') {
        kv.put<Permission>(PERMISSION, { template: ask.template })
        kept.greeted(ask.template !== null)
      }
      if (ask.do === 'work') return atWork(ask.work)
      if (ask.do !== 'carry') return ok(permission() !== undefined)
      const template = permission()?.template ?? null
      return template === null ? err('grant_missing') : forward(ask.handed, template)
    },
  }
}

/** Result for an event that home answers. */
function queuedForHome(how: 'said' | 'again'): Result<Received> {
  return ok({ task: '', turn: 0, principal: OWNER_PRINCIPAL, duplicate: how === 'again' })
}
