/**
 * Cost control of each model attempt (D-11, P-24): reserved before the call, settled after it, so concurrent tasks
 * cannot exceed the cap together and a crash leaves the reservation counted. Budgets are per place. Must read a
 * prompt only to estimate it; must not record a model without cost. Called by model-call.ts.
 */
import { err, ok, type ReasonFacts, type Result } from '../../flow/verdict.ts'
import {
  type Budget,
  type Cap,
  costOf,
  dearest,
  NO_BUDGET,
  type Price,
  priceOf,
  roomIn,
} from '../../inference/budget.ts'
import type { ModelAnswer, ModelPort, TokenUsage } from '../../inference/provider.ts'
import type { Attempt, Spend, Spending } from '../../inference/spend.ts'
import { calibrationOf } from '../../inference/usage.ts'
import type { Auditing } from '../../powers/audit.ts'
import type { Caps, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { estimateTokens } from '../../prompt/budget.ts'
import { localDay } from '../../wording/output.ts'
import { capsWithin, type DayShare, type UsageRow, type UsageSettled, type UsageStore } from './port.ts'

/** Who makes the call, and for which purpose. */
interface Spender extends Pick<UsageRow, 'task' | 'principal' | 'template' | 'purpose'> {
  /** Tokens that the task's template allows; the smaller limit applies. */
  readonly taskCap?: number | undefined
}

export function spendFor(
  powers: Auditing & OwnerFacts & Caps & StoreOf<UsageStore>,
  spender: Spender,
): Spend {
  const spend: Spend = (attempt) =>
    countsNothing(attempt.provider) ? FREE(attempt) : spendOn(powers, spender, attempt)
  const { dayShare: share, budget = NO_BUDGET } = powers
  if (share === undefined || (budget.tokensPerDay === null && budget.costPerDay === null)) return spend
  return Object.assign(spend, { ready: (attempt: Attempt) => reserve(powers, share, attempt) })
}

/** Reserves the most that the call could cost, plus what its store has spent that day. */
async function reserve(
  powers: Clock & OwnerFacts & Caps & StoreOf<UsageStore>,
  share: DayShare,
  attempt: Attempt,
): Promise<void> {
  const { provider, limits } = attempt
  const { price, metered, day } = priced(powers, provider)
  if (!metered || countsNothing(provider)) return
  const input = estimatedInput(attempt)
  const { tokens, cost } = powers.store.spentOn({ day })
  await share.reserve(day, {
    tokens: tokens + input + limits.maxTokens,
    cost: cost + (price === null ? 0 : dearest(price, input, limits.maxTokens)),
  })
}

/** Price of a model, whether it counts towards the caps, and the day. */
function priced(
  { budget = NO_BUDGET, now, profile }: Clock & OwnerFacts & Caps,
  { reader }: Pick<ModelPort<never>, 'reader'>,
) {
  const price = priceOf(budget, reader.id)
  const metered = reader.locality === 'cloud' || price !== null
  return { price, metered, day: localDay(now(), profile().timezone) }
}

/** Whether a model costs nothing: one that reads typed parts runs here. */
function countsNothing({ reads = 'text' }: Pick<ModelPort<never>, 'reads'>): boolean {
  return reads === 'parts'
}

const FREE: Spend = ({ limits }) => ok({ limits, settle: () => undefined })

function spendOn(
  powers: Auditing & OwnerFacts & Caps & StoreOf<UsageStore>,
  spender: Spender,
  attempt: Attempt,
): Result<Spending> {
  const { limits, provider } = attempt
  const { budget = NO_BUDGET, store } = powers
  const { taskCap, ...whose } = spender
  const { id: model } = provider.reader
  const { price, metered, day } = priced(powers, provider)
  const at = powers.now()
  const input = estimatedInput(attempt)
  const { dayShare: share } = powers
  const own = share === undefined ? budget : capsWithin(budget, share.of(day))
  const caps = metered ? { ...own, tokensPerTask: smaller(budget.tokensPerTask, taskCap ?? null) } : NO_BUDGET
  // Without caps nothing is reserved or summed; one row is written after the call.
  if (isUnbounded(caps)) {
    const row = { ...whose, at, day, model, metered, tokens: { input, output: 0 }, cost: null }
    const settle: Spending['settle'] = (answer) => store.noteUsage(row, settled(answer, { input, price }))
    return ok({ limits, settle })
  }
  const { task } = whose
  const room = roomIn(caps, {
    ...{ input, output: limits.maxTokens, price, day: store.spentOn({ day }) },
    task: task === null ? null : store.spentOn({ task }),
  })
  if ('cap' in room) return overBudget(powers, whose, { model, cap: room.cap })
  const tokens = { input, output: room.tokens }
  const cost = price === null ? null : dearest(price, input, room.tokens)
  const call = store.openUsage({ ...whose, at, day, model, metered, tokens, cost })
  return ok({
    limits: { ...limits, maxTokens: room.tokens },
    settle: (answer) => store.settleUsage(call, settled(answer, { input, price })),
  })
}

function isUnbounded({ tokensPerTask, tokensPerDay, costPerDay }: Budget): boolean {
  return tokensPerTask === null && tokensPerDay === null && costPerDay === null
}

function smaller(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

function estimatedInput({ provider, prompt }: Attempt): number {
  const calibration = calibrationOf(provider)
  return estimateTokens(prompt.system, calibration) + estimateTokens(prompt.user, calibration)
}

/** Audits a call that a cap prevented, which explains a plainer answer. */
function overBudget(
  { store, now, place }: Auditing,
  { task, principal, purpose }: Spender,
  facts: { readonly model: string; readonly cap: Cap },
): Result<never> {
  const reason = { code: 'model_budget_spent', purpose, ...facts } as const
  store.appendAudit({ at: now(), place, kind: 'denial', trace: null, task, principal, facts: reason })
  return err('model_budget_spent', { ...facts })
}

/**
 * The provider's count. An answer without a count has read the prompt anyway. A failed call may carry a count
 * (`tokensIn`, `tokensOut` of its refusal); a call that was cut off or gave garbage has at least read the prompt.
 */
function settled(
  answer: Result<ModelAnswer>,
  { input, price }: { readonly input: number; readonly price: Price | null },
): UsageSettled {
  const tokens = answer.ok ? counted(answer.value, input) : countedBy(answer.reason, input)
  return { tokens, cost: price === null ? null : costOf(price, tokens), failed: !answer.ok }
}

function counted({ tokens, text, cut }: ModelAnswer, input: number): TokenUsage {
  const { cached } = tokens
  // A truncated answer lacks its end, which would contain the count.
  const least = cut ? estimateTokens(text) : 0
  const [read, written] = [whole(cached?.read), whole(cached?.written)]
  const said = { input: whole(tokens.input) || input, output: whole(tokens.output) || estimateTokens(text) }
  if (said.output < least) return { ...said, output: least }
  return cached === undefined ? said : { ...said, cached: { read, written } }
}

/** Refusals after which the provider must be assumed to have read the prompt. */
const HAS_READ: readonly string[] = ['model_timeout', 'model_garbled', 'task_stopped']

function countedBy(
  { code, facts }: { readonly code: string; readonly facts: ReasonFacts },
  input: number,
): TokenUsage {
  const { tokensIn, tokensOut } = facts
  if (typeof tokensIn === 'number') return { input: whole(tokensIn), output: whole(tokensOut) }
  return { input: HAS_READ.includes(code) ? input : 0, output: 0 }
}

/**
 * Maximum tokens accepted as the count of one call: a provider that reports more, or a negative number, could set the budget
 * itself.
 */
const MOST_TOKENS = 10_000_000

function whole(tokens: unknown): number {
  return typeof tokens === 'number' && tokens > 0 ? Math.min(Math.ceil(tokens), MOST_TOKENS) : 0
}
