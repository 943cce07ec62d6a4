/**
 * Calls one model of a chain, with retries (D-13 – D-15): not while its breaker is open,
 * again if it was only overloaded, and within its share of the time. Reports the result
 * to its breaker. Must not choose a model or inspect an answer. Called by router.ts.
 */

import type { Provenance } from '../flow/labeled.ts'
import { err, type Result } from '../flow/verdict.ts'
import type { BreakerNews, Meaning } from '../powers/breaker.ts'
import type { PromptText } from '../prompt/forwarded-prompt.ts'
import type { ReasonCode } from '../reasons.ts'
import { providerOf } from './chain.ts'
import {
  type ModelAnswer,
  type ModelLimits,
  type ModelLive,
  type ModelPort,
  type StopSignal,
  stopped,
} from './provider.ts'
import { type Spend, watched } from './spend.ts'

/** Retries after the first try. Few, because a failing service must not get more load and a person waits. */
export const RETRIES = 2
/** Milliseconds before the first retry; doubled for the next one. */
const FIRST_PAUSE = 500
/** Maximum pause, milliseconds. If the service asks for more, the next model is tried instead. */
export const MOST_PAUSE = 10_000
/** Minimum milliseconds for a try: with less it would only be cut off. */
const LEAST_TRY = 1_000

/** Failures that a retry may fix. Not a garbled answer, a wrong setting, or a try that used all of its time. */
const PASSING: readonly ReasonCode[] = ['model_overloaded', 'model_failed']

/**
 * Not counted as failures of the model: it was not called (such as a home model while home is offline), the caller gave up, or
 * it ended normally without text, which an outside text can cause on purpose and which must not disable the model for
 * everybody.
 */
const NO_FAULT: readonly ReasonCode[] = [
  'home_offline',
  'model_budget_spent',
  'model_resting',
  'task_stopped',
  'answer_empty',
]

/** The breakers of models. Refusal of a call: model_resting. */
export const MODEL_BREAKERS = Object.freeze({
  successClears: true,
  resting: (model: string) => err('model_resting', { model }),
})

/** What the owner is told when a model's breaker opens, or its configuration is refused. */
export const MODEL_NEWS = Object.freeze({
  degraded: 'model_degraded',
  refused: 'model_misconfigured',
} as const satisfies Record<BreakerNews, ReasonCode>)

/** Shared by all principals of a place. Never rejects: an unreachable breaker must not block an answer. */
export interface ModelBreakers {
  /** Call before a model call. Refusal: model_resting. After `ok` the caller must call `leave`. */
  enter(provider: string): Result<true> | Promise<Result<true>>
  leave(provider: string, meaning: Meaning): void | Promise<void>
}

/** Ports for failing models: breakers, pauses between tries, and randomness, which the kernel lacks. */
export interface Patience {
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>
  /**
   * Random number from 0 up to, but not including, 1. Spreads retries, so that callers that failed together do not retry
   * together.
   */
  readonly chance: () => number
  readonly breakers: ModelBreakers
}

export interface Attempt {
  readonly limits: ModelLimits
  readonly hear?: ((provenance: Provenance) => (text: string) => void) | undefined
  readonly signal?: StopSignal | undefined
  readonly patience: Patience
  readonly spend?: Spend | undefined
  readonly now: () => number
  readonly retries?: number | undefined
  /** Deadline of this model, epoch milliseconds. */
  readonly until: number
}

/** Refusals: model_resting, answer_empty, and those of `ModelProvider`. */
export async function attempt<P extends PromptText>(
  provider: ModelPort<P>,
  prompt: P,
  how: Attempt,
): Promise<Result<ModelAnswer>> {
  // A provider that reads typed parts is code in this program: no service can fail.
  if (provider.reads === 'parts')
    return withText(
      provider,
      await ask(provider, prompt, { ...how, live: liveOf(prompt, how, () => undefined) }),
    )
  const model = provider.reader.id
  // The earlier models used up all the time.
  if (how.until <= how.now()) return err('model_timeout', { model })
  const { breakers } = how.patience
  const name = providerOf(model)
  const entered = await breakers.enter(name)
  if (!entered.ok) return entered
  let meaning: Meaning = 'neither'
  try {
    const answer = withText(provider, await tries(provider, prompt, how))
    meaning = meaningOf(answer, how)
    return answer
  } finally {
    // Also runs if storage failed on the way: a trial call that never ends would keep the breaker open.
    await breakers.leave(name, meaning)
  }
}

async function tries<P extends PromptText>(
  provider: ModelPort<P>,
  prompt: P,
  how: Attempt,
): Promise<Result<ModelAnswer>> {
  for (let tried = 0; ; tried += 1) {
    const left = how.until - how.now()
    // A streamed answer that broke off was partly shown, so it is not started again.
    let begun = false
    const live = liveOf(prompt, how, () => {
      begun = true
    })
    const limits = { ...how.limits, timeout: Math.min(how.limits.timeout, left) }
    const answer = await counted(provider, prompt, { limits, live, spend: how.spend })
    const pause = begun ? null : pauseAfter(answer, tried, how)
    if (pause === null || isStopped(how)) return answer
    const pausing = how.patience.pause(pause)
    await (how.signal === undefined ? pausing : Promise.race([pausing, stopped(how.signal)]))
    if (isStopped(how)) return answer
  }
}

/** Every try streams from its beginning. */
function liveOf(
  prompt: PromptText,
  { hear, signal }: Pick<Attempt, 'hear' | 'signal'>,
  began: () => void,
): ModelLive | undefined {
  const listener = hear?.(prompt.provenance)
  if (listener === undefined) return signal === undefined ? undefined : { signal }
  const onText = (text: string): void => {
    began()
    listener(text)
  }
  return { onText: onText, ...(signal !== undefined && { signal }) }
}

/** Milliseconds before the next try; null if there is none. */
function pauseAfter(
  answer: Result<ModelAnswer>,
  tried: number,
  { patience, until, now, retries = RETRIES }: Attempt,
): number | null {
  if (answer.ok || tried >= retries || !PASSING.includes(answer.reason.code)) return null
  const { after } = answer.reason.facts
  const least = typeof after === 'number' && after >= 0 ? after : (FIRST_PAUSE * 2 ** tried) / 2
  const pause = least + patience.chance() * (FIRST_PAUSE * 2 ** tried) * 0.5
  return pause > MOST_PAUSE || now() + pause + LEAST_TRY > until ? null : pause
}

interface Try {
  readonly limits: ModelLimits
  readonly live: ModelLive | undefined
}

/**
 * Reserves the budget before the call, settles it whatever the result, and stops an answer that exceeds its limit (D-11, B-37).
 */
async function counted<P extends PromptText>(
  provider: ModelPort<P>,
  prompt: P,
  { limits, live, spend }: Try & Pick<Attempt, 'spend'>,
): Promise<Result<ModelAnswer>> {
  await spend?.ready?.({ provider, prompt, limits })
  const spending = spend?.({ provider, prompt, limits }) ?? {
    ok: true,
    value: { limits, settle: () => undefined },
  }
  if (!spending.ok) return spending
  const { settle, limits: left } = spending.value
  const answer = await ask(provider, prompt, { limits: left, live: watched(live, left.maxTokens) })
  settle(answer)
  return answer
}

/** A provider that throws counts as failed. The error text is dropped, because it could quote data. */
async function ask<P extends PromptText>(
  provider: ModelPort<P>,
  prompt: P,
  { limits, live }: Try,
): Promise<Result<ModelAnswer>> {
  try {
    return await provider.complete(prompt, limits, live)
  } catch {
    return err('model_failed', { model: provider.reader.id })
  }
}

function withText(
  provider: Pick<ModelPort<never>, 'reader'>,
  answer: Result<ModelAnswer>,
): Result<ModelAnswer> {
  return answer.ok && answer.value.text.trim() === ''
    ? err('answer_empty', { model: provider.reader.id })
    : answer
}

function meaningOf(answer: Result<ModelAnswer>, how: Pick<Attempt, 'signal'>): Meaning {
  if (answer.ok) return 'works'
  if (isStopped(how) || NO_FAULT.includes(answer.reason.code)) return 'neither'
  return answer.reason.code === 'model_misconfigured' ? 'refused' : 'fails'
}

function isStopped({ signal }: Pick<Attempt, 'signal'>): boolean {
  return signal?.aborted === true
}
