/**
 * Long polling for updates of home's bot: one request at a time. Each update is handled, then recorded as taken, before the next
 * request lets Telegram drop it. So a kill in between loses none, and a repeated update is detected (B-24). Must not interpret an
 * update: `handle` does. Called by home-line.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { err, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { pauseAfter } from '../runtime/backoff.ts'
import type { BotApi } from './api.ts'
import { UPDATE_KINDS } from './channel.ts'
import type { TelegramStore } from './home-store.ts'

/** Seconds of one long poll. */
export const POLL_SECONDS = 50
/** Updates in one answer: with 32,768 characters each it stays within the read limit. */
const MOST_UPDATES = 20

export interface PollerInput {
  /** Bot API with the time limit for long polling. */
  readonly api: Pick<BotApi, 'ask'>
  readonly store: TelegramStore
  /** Durable when it resolves. After a refusal the update is fetched again. */
  readonly handle: (update: unknown) => Promise<Result<unknown>>
  readonly now: () => number
  readonly chance: () => number
  /** Ends the polling. */
  readonly signal: AbortSignal
  /** Called whenever the fault changes; null once updates arrive again. */
  readonly news: (trouble: Refusal | null) => void
  /** The refusal if the thrown error came from the disk, else null. */
  readonly diskRefusal: (thrown: unknown) => Refusal | null
  /** Reports a thrown error by the name of the part, without its text. */
  readonly fault: (part: string) => void
}

export interface Poller {
  /** Whether the first poll has ended, with an answer or a network error. */
  hasAsked(): boolean
  /** Resolves when everything has stopped. */
  readonly done: Promise<void>
}

export function startPoller(input: PollerInput): Poller {
  const { signal, news } = input
  let trouble: Refusal | null = null
  let hasAsked = false
  const noted = (now: Refusal | null): void => {
    if (now?.code === trouble?.code && now?.facts['why'] === trouble?.facts['why']) return
    trouble = now
    news(now)
  }
  const run = async (): Promise<void> => {
    let failures = 0
    // The first poll has no waiting time, so that its result is known at once.
    let seconds = 0
    while (!signal.aborted) {
      const heard = await ask(input, seconds)
      if (signal.aborted) return
      hasAsked = true
      noted(heard.ok ? null : heard.reason)
      failures = heard.ok ? 0 : failures + 1
      seconds = heard.ok ? POLL_SECONDS : 0
      if (heard.ok) continue
      const { retryAfter } = heard.reason.facts
      const asked = typeof retryAfter === 'number' ? retryAfter : null
      await pause(pauseAfter(failures, input.chance(), asked), undefined, { signal }).catch(() => undefined)
    }
  }
  return { hasAsked: () => hasAsked, done: run() }
}

const FAULT: Result<never> = err('internal_fault')

/** One poll and its updates. Only failing storage throws, and is retried like a temporary fault. */
async function ask(input: PollerInput, seconds: number): Promise<Result<unknown>> {
  try {
    return await askOnce(input, seconds)
  } catch (error) {
    input.fault('telegram')
    const reason = input.diskRefusal(error)
    return reason === null ? FAULT : { ok: false, reason }
  }
}

async function askOnce(
  { api, store, handle, now, signal }: PollerInput,
  timeout: number,
): Promise<Result<unknown>> {
  const offset = store.offset(now())
  const answer = await api.ask((bot) =>
    bot.getUpdates({ offset, timeout, limit: MOST_UPDATES, allowed_updates: UPDATE_KINDS }),
  )
  if (!answer.ok) return answer
  for (const update of answer.value) {
    // After a stop the remaining updates are found at the next start.
    if (signal.aborted) return answer
    const { update_id: id } = update
    if (!store.isTaken(id)) {
      const handled = await handle(update)
      if (!handled.ok) return handled
    }
    store.take(id, now())
  }
  return answer
}
