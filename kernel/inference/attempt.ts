/**
 * One model of a chain, asked with patience (D-13 – D-15): not while it rests, again where it was only too busy, and no longer
 * than its share of the time. What came of it goes to its breaker. Must not choose a model or look into an answer.
 * Called by router.ts.
 */

import type { Provenance } from '../flow/labeled.ts'
import { err, type Refusal, type Result } from '../flow/verdict.ts'
import type { PromptText } from '../prompt/carried.ts'
import type { ReasonCode } from '../reasons.ts'
import type { Meaning } from './breaker.ts'
import { providerOf } from './chain.ts'
import type { Patience } from './patience.ts'
import type { ModelAnswer, ModelLimits, ModelLive, ModelPort, StopSignal } from './provider.ts'
import { type Spend, watched } from './spend.ts'
import { stopped } from './stop.ts'

/** Tries after the first: a service in trouble is not made worse, and somebody waits. */
export const RETRIES = 2
/** Milliseconds before the first of them; twice as long before the next. */
const FIRST_PAUSE = 500
/** Longest pause, milliseconds: who asks for more is left to himself, and the next model is asked. */
export const MOST_PAUSE = 10_000
/** Milliseconds that a try must have: with less it would only be cut off. */
const LEAST_TRY = 1_000

/** What another try may mend. A garbled answer and a wrong setting are not among it, nor one that took all of its time. */
const PASSING: readonly ReasonCode[] = ['model_overloaded', 'model_failed']

/**
 * It was not asked at all (a model of home's while home is away among them), its caller gave up, or it ended in good order and said nothing: what a stranger wrote can ask it to,
 * and must not silence it for everybody.
 */
const NO_FAULT: readonly ReasonCode[] = [
  'home_offline',
  'model_budget_spent',
  'model_resting',
  'task_stopped',
  'answer_empty',
]

export interface Attempt {
  readonly limits: ModelLimits
  readonly hear?: ((provenance: Provenance) => (text: string) => void) | undefined
  readonly signal?: StopSignal | undefined
  /** Why an answer does not count as one, null where it does; absent where any text will do. */
  readonly faultIn?: ((answer: ModelAnswer) => Refusal | null) | undefined
  readonly patience: Patience
  readonly spend?: Spend | undefined
  readonly now: () => number
  readonly retries?: number | undefined
  /** Epoch milliseconds: this model's share of the time. */
  readonly until: number
}

/** Refusals: model_resting, answer_empty, and those of `ModelProvider`. */
export async function attempt<P extends PromptText>(
  provider: ModelPort<P>,
  prompt: P,
  how: Attempt,
): Promise<Result<ModelAnswer>> {
  // What reads typed parts is code in this program: there is no service that could be in trouble.
  if (provider.reads === 'parts')
    return withText(
      provider,
      await ask(provider, prompt, { ...how, live: liveOf(prompt, how, () => undefined) }),
    )
  const model = provider.reader.id
  // The models before it have used up all the time there was.
  if (how.until <= how.now()) return err('model_timeout', { model })
  const { breakers } = how.patience
  const name = providerOf(model)
  const entered = await breakers.enter(name)
  if (!entered.ok) return entered
  let meaning: Meaning = 'neither'
  try {
    const answer = judged(withText(provider, await tries(provider, prompt, how)), how)
    meaning = meaningOf(answer, how)
    return answer
  } finally {
    // Also where storage failed on the way: a try that nobody ends would keep it resting.
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
    // A streaming answer that broke off has been read already: it does not begin anew under its reader's eyes.
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

/** Each try is heard from its beginning. */
function liveOf(
  prompt: PromptText,
  { hear, signal }: Pick<Attempt, 'hear' | 'signal'>,
  began: () => void,
): ModelLive | undefined {
  const listener = hear?.(prompt.provenance)
  if (listener === undefined) return signal === undefined ? undefined : { signal }
  const heard = (text: string): void => {
    began()
    listener(text)
  }
  return { heard, ...(signal !== undefined && { signal }) }
}

/** Milliseconds before the next try; null where there is none. */
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

/** Held back before it is made, settled whatever comes of it, and ended where it goes on past what it was given (D-11, B-37). */
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

/** A provider that throws has failed, like one that says so. Its text is dropped, it could quote. */
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

/** A text that is no answer to what was asked, such as words in place of a plan, is no better than none. */
function judged(answer: Result<ModelAnswer>, { faultIn }: Pick<Attempt, 'faultIn'>): Result<ModelAnswer> {
  const fault = answer.ok ? (faultIn?.(answer.value) ?? null) : null
  return fault === null ? answer : { ok: false, reason: fault }
}

function meaningOf(answer: Result<ModelAnswer>, how: Pick<Attempt, 'signal'>): Meaning {
  if (answer.ok) return 'works'
  if (isStopped(how) || NO_FAULT.includes(answer.reason.code)) return 'neither'
  return answer.reason.code === 'model_misconfigured' ? 'refused' : 'fails'
}

function isStopped({ signal }: Pick<Attempt, 'signal'>): boolean {
  return signal?.aborted === true
}
