/**
 * One bot for both lines, at the edge's end (DESIGN §1): what the owner writes goes to home, or waits for it, and home's text goes to his
 * chat, checked again and kept nowhere. That home may is home's word, told last; nothing here raises what the edge itself holds.
 * Called by PrincipalObject.
 */
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { carry, carryWork, endCarriedWork } from '../kernel/pipeline/deliver.ts'
import type { Powers } from '../kernel/powers/all-powers.ts'
import type { Handed, HomeWork } from '../kernel/powers/handover-port.ts'
import { saidForHome, versionThere } from '../kernel/runtime/both-lines.ts'
import { hearHomeAtWork } from '../kernel/runtime/home-work.ts'
import type { Received } from '../kernel/runtime/shell.ts'
import type { Version } from '../kernel/runtime/withdraw.ts'
import { STOP } from '../kernel/task/command.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type {} from '../worker/env.ts'
import { createKeptWords, type KeptWords, type KeptWordsInput } from './kept-words.ts'

/** What home, and what the Worker, asks of the owner's object. */
export type LinesAsk =
  | { readonly do: 'set'; readonly template: string | null }
  /** Whether home has ever been allowed to speak there: what it said may still be quoted. */
  | { readonly do: 'spoke' }
  | { readonly do: 'carry'; readonly handed: Handed }
  /** Home is at work for this object: at a call of whosever it is, or at what the owner wrote. */
  | { readonly do: 'work'; readonly work: HomeWork }

export interface BothLines {
  /**
   * Keeps an event for home until home has it, or has it taken here; `alone` where he chose to be answered without home.
   * Of an edited message the place that does not answer it withdraws what a former version asked for there. Refusals: those of `take`.
   * Throws where another object fails, so that the channel brings it again.
   */
  receive(event: unknown, here: TakingHere): Promise<Result<Received>>
  /** Refusals: grant_missing; task_already_answering for work on what was answered; those of `carry` and of `hearHomeAtWork`. */
  answer(ask: LinesAsk): Promise<Result<boolean>>
  /** Whether by this something is due of what waits for home. */
  isDue(ask: LinesAsk): boolean
  /** As `KeptWords.look`. */
  readonly look: KeptWords['look']
}

export interface TakingHere {
  take(alone: boolean): Promise<Result<Received>>
  withdraw(version: Version): Promise<void>
}

interface Told {
  readonly template: string | null
}

const TOLD = 'both-lines'
/** Names of his messages that home has answered, the newest last: what is late is not shown under the answer. */
const ANSWERED = 'both-lines-answered'
const MOST_ANSWERED = 20
/** When home last spoke there, epoch milliseconds: a bare yes after that is no yes to a card of the edge's. */
const SPOKE_AT = 'both-lines-spoke-at'

export function createBothLines(kv: SyncKvStorage, powers: Powers, env: KeptWordsInput['env']): BothLines {
  const told = (): Told | undefined => kv.get<Told>(TOLD)
  const { sink } = EDGE_CHAT
  const kept = createKeptWords({ kv, powers, env, sink })
  const answered = (): readonly string[] => kv.get<readonly string[]>(ANSWERED) ?? []
  const carried = ({ said, ...handed }: Handed, template: string): Promise<Result<true>> => {
    if (said !== undefined && handed.kind === 'answer' && !answered().includes(said))
      kv.put(ANSWERED, [...answered(), said].slice(-MOST_ANSWERED))
    kv.put<number>(SPOKE_AT, powers.now())
    return carry(powers, { ...handed, ...(said !== undefined && { said }), sink }, template)
  }
  const atWork = async (work: HomeWork): Promise<Result<true>> => {
    if (work.on === 'call') return hearHomeAtWork(powers, work)
    if (told()?.template == null) return err('grant_missing')
    if (work.on === 'rest') return endCarriedWork(powers, sink, work.id)
    if (answered().includes(work.id)) return err('task_already_answering')
    return carryWork(powers, { sink, said: work.id, how: work.how })
  }
  return {
    async receive(event, here) {
      const template = told()?.template ?? null
      const version = template === null ? null : versionThere(powers, event, sink)
      const take = async (alone: boolean): Promise<Result<Received>> => {
        const taken = await here.take(alone)
        if (taken.ok && version !== null) await kept.answeredHere(version)
        return taken
      }
      const said =
        template === null
          ? null
          : saidForHome(powers, event, { sink, template, spokeAt: kv.get<number>(SPOKE_AT) ?? 0 })
      if (said === null) return take(false)
      const stops = said.text.trim().toLowerCase() === STOP
      const goes = await kept.keep(said, stops || kept.isHere() ? 'there' : 'always')
      if (goes.ok && version !== null) await here.withdraw(version)
      if (goes.ok) return handedOn(goes.value)
      if (stops) kept.stop()
      return take(kept.isHere())
    },
    look: kept.look,
    isDue: (ask) => kept.any() && (ask.do === 'carry' || ask.do === 'set'),
    async answer(ask) {
      if (ask.do === 'set') {
        kv.put<Told>(TOLD, { template: ask.template })
        kept.greeted(ask.template !== null)
      }
      if (ask.do === 'work') return atWork(ask.work)
      if (ask.do !== 'carry') return ok(told() !== undefined)
      const template = told()?.template ?? null
      return template === null ? err('grant_missing') : carried(ask.handed, template)
    },
  }
}

/** The answer is home's. */
function handedOn(how: 'said' | 'again'): Result<Received> {
  return ok({ task: '', turn: 0, principal: OWNER_PRINCIPAL, duplicate: how === 'again' })
}
