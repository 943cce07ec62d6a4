/**
 * Asks Telegram for what came to home's bot, by long polling: one question at a time, each update handled before it is noted as
 * taken, and noted before the next question lets Telegram forget it. So a kill in between loses none, and what comes again is
 * found taken (B-24). Must not say what an update is worth: `handle` does. Called by home-line.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { err, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { pauseAfter } from '../runtime/backoff.ts'
import type { BotApi } from './api.ts'
import type { TelegramStore } from './home-store.ts'
import { HEARD } from './webhook.ts'

/** Seconds that Telegram holds a question for updates. */
export const POLL_SECONDS = 50
/** Updates of one answer: with 32,768 characters each it stays within what is read. */
const MOST_UPDATES = 20

export interface PollerInput {
  /** For questions that are held. */
  readonly api: Pick<BotApi, 'call'>
  readonly store: TelegramStore
  /** Durable when it resolves. A refusal: the update is to come again. */
  readonly handle: (update: unknown) => Promise<Result<unknown>>
  readonly now: () => number
  readonly chance: () => number
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Why it did not hear anything, at each time that it changed; null once it hears again. */
  readonly news: (trouble: Refusal | null) => void
  /** What was thrown, where it was the disk. */
  readonly diskRefusal: (thrown: unknown) => Refusal | null
  /** A part that threw, without its text. */
  readonly fault: (part: string) => void
}

export interface Poller {
  /** What keeps it from hearing; null while it hears. */
  trouble(): ReasonCode | null
  /** Whether Telegram, or the way to it, has answered a question by now. */
  hasAsked(): boolean
  /** Resolves when nothing of it runs any more. */
  readonly done: Promise<void>
}

const UPDATES = z.array(z.looseObject({ update_id: z.int() }))

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
    // A question that is not held says at once whether it hears.
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
  return { trouble: () => trouble?.code ?? null, hasAsked: () => hasAsked, done: run() }
}

const FAULT: Result<never> = err('internal_fault')

/** One question, and whatever it brought. What throws is storage that fails: tried again like anything that passes. */
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
  const answer = await api.call('getUpdates', {
    offset: store.offset(now()),
    ...{ timeout, limit: MOST_UPDATES },
    allowed_updates: HEARD,
  })
  if (!answer.ok) return answer
  const updates = UPDATES.safeParse(answer.value)
  if (!updates.success) return err('remote_rejected', { why: 'answer' })
  for (const update of updates.data) {
    // Whoever stops finds what is left when he starts again.
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
