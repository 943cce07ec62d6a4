/**
 * What each attempt at a model may cost, and what it did (D-11, P-24): held back before it is asked, settled when it has
 * answered, so that two tasks at once cannot both pass what is left, and what a crash cuts off stays counted. A budget is
 * its place's. Must not see a prompt's words but to estimate them; must not write for a model that counts nothing.
 * Called by model-call.ts.
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
import { calibrationOf } from '../../inference/calibration.ts'
import type { ModelAnswer, ModelPort, TokenUsage } from '../../inference/provider.ts'
import type { Attempt, Spend, Spending } from '../../inference/spend.ts'
import type { Auditing } from '../../powers/audit.ts'
import type { Caps, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { estimateTokens } from '../../prompt/tokens.ts'
import { localDay } from '../../wording/output.ts'
import { capsWithin, type DayShare } from './day-share-port.ts'
import type { UsageRow, UsageSettled, UsageStore } from './usage-port.ts'

/** Whose call it is, and what for. */
export interface Spender extends Pick<UsageRow, 'task' | 'principal' | 'template' | 'purpose'> {
  /** Tokens that the task's template allows it; the smaller one counts. */
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

/** As much as the call could cost beside what its store has spent that day. */
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

/** What a model costs, whether it counts for the caps, and on which day. */
function priced(
  { budget = NO_BUDGET, now, profile }: Clock & OwnerFacts & Caps,
  { reader }: Pick<ModelPort<never>, 'reader'>,
) {
  const price = priceOf(budget, reader.id)
  const metered = reader.locality === 'cloud' || price !== null
  return { price, metered, day: localDay(now(), profile().timezone) }
}

/** What reads typed parts runs here and costs nobody anything. */
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
  // Where nothing is bounded nothing need be held back or summed: a line when it is over.
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

/** What a cap kept back is audited: nobody has to guess why an answer was a plain one. */
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
 * What the provider counted. One that answered and counted nothing has read the prompt all the same; one that failed may
 * have counted (`tokensIn`, `tokensOut` of its refusal), and one that was cut off or said nothing sensible has at least read.
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
  // Of an answer that was cut off its end is missing, and with it the count.
  const least = cut ? estimateTokens(text) : 0
  const [read, written] = [whole(cached?.read), whole(cached?.written)]
  const said = { input: whole(tokens.input) || input, output: whole(tokens.output) || estimateTokens(text) }
  if (said.output < least) return { ...said, output: least }
  return cached === undefined ? said : { ...said, cached: { read, written } }
}

/** Refusals after which a provider has read the prompt, as far as anybody knows. */
const HAS_READ: readonly string[] = ['model_timeout', 'model_garbled', 'task_stopped']

function countedBy(
  { code, facts }: { readonly code: string; readonly facts: ReasonFacts },
  input: number,
): TokenUsage {
  const { tokensIn, tokensOut } = facts
  if (typeof tokensIn === 'number') return { input: whole(tokensIn), output: whole(tokensOut) }
  return { input: HAS_READ.includes(code) ? input : 0, output: 0 }
}

/** Tokens of one call that are believed: a provider that says more, or less than none, would settle the budget itself. */
const MOST_TOKENS = 10_000_000

function whole(tokens: unknown): number {
  return typeof tokens === 'number' && tokens > 0 ? Math.min(Math.ceil(tokens), MOST_TOKENS) : 0
}
