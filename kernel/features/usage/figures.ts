/**
 * Response times, and how much of today's budgets is used, for the status (L-08, Q-11): from the audit, the rows of model calls
 * and the counts of the plan, all of which are stored anyway. Numbers and names of models, never content. Called by the status in
 * chats and by home's.
 */
import type { AtPlace, Caps, Clock, Metering, OwnerFacts } from '../../powers/ports.ts'
import type { AuditEvent, AuditTrail, StoreOf } from '../../powers/stores.ts'
import { localDay } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import type { PlanReport } from './plan.ts'
import type { UsageStore } from './port.ts'
import { usageReport } from './usage-report.ts'

/** Milliseconds of audit that are read, and the maximum number of rows: bounds the cost of a status. */
const LATELY = 86_400_000
const MOST_ROWS = 1_000
/** Maximum newest answers that count. */
const MOST_ANSWERS = 50

export interface Figures {
  /** Number of answered owner messages, and their median time in milliseconds; null before the first one. */
  readonly answers: { readonly count: number; readonly half: number } | null
  readonly models: {
    readonly calls: number
    readonly tokens: number
    /** Amount that counts towards today's cap, and the cap; null if there is no cap. */
    readonly budget: { readonly spent: number; readonly cap: number } | null
    readonly names: readonly string[]
  }
  readonly plan: Pick<PlanReport, 'today' | 'carries'> | null
}

type FigurePorts = Clock & AtPlace & OwnerFacts & Caps & Metering & StoreOf<UsageStore & AuditTrail>

export async function figuresOf(powers: FigurePorts): Promise<Figures> {
  const { store, now } = powers
  const { by, today, caps, plan } = usageReport(powers, 1, (await powers.plan?.()) ?? null)
  const [day] = by.day.filter(({ name }) => name === localDay(now(), powers.profile().timezone))
  return {
    answers: answersIn(store.auditSince(now() - LATELY, MOST_ROWS)),
    models: {
      calls: day?.calls ?? 0,
      tokens: (day?.input ?? 0) + (day?.output ?? 0),
      budget: caps.tokens === null ? null : { spent: today.tokens, cap: caps.tokens },
      names: by.model.flatMap(({ name }) => name ?? []),
    },
    plan: plan === null ? null : { today: plan.today, carries: plan.carries },
  }
}

/** `rows`: newest first. Ignores tasks that waited for an approval, whose time says nothing about the speed of answers. */
export function answersIn(rows: readonly AuditEvent[]): Figures['answers'] {
  const begun = new Map<string, number>()
  const waited = new Set<string>()
  for (const { task, kind, facts, at } of rows) {
    if (task === null) continue
    if (kind === 'approval_asked') waited.add(task)
    if (kind === 'task_created' && facts['kind'] === 'message' && facts['class'] === 'owner')
      begun.set(task, at)
  }
  const times = rows.flatMap(({ task, kind, facts, at }) => {
    const from = task === null || waited.has(task) ? undefined : begun.get(task)
    const isAnswer = kind === 'egress' && facts['kind'] === 'answer' && facts['ok'] === true
    return isAnswer && from !== undefined ? [at - from] : []
  })
  const sorted = times.slice(0, MOST_ANSWERS).toSorted((one, other) => one - other)
  const half = sorted[Math.ceil(sorted.length / 2) - 1]
  return half === undefined ? null : { count: sorted.length, half }
}

/** One sentence for each available figure, by subject. */
export function figureWords({ answers, models, plan }: Figures): Readonly<Record<string, string>> {
  const { calls, tokens, budget, names } = models
  return {
    ...(answers !== null && {
      answered: tell('usage.answers', { count: answers.count, seconds: secondsOf(answers.half) }),
    }),
    asked:
      calls === 0
        ? tell('usage.models_none')
        : tell('usage.models_today', { calls, tokens, models: names.join(', ') }),
    ...(budget !== null && { budget: tell('usage.models_budget', budget) }),
    ...(plan !== null &&
      plan.carries !== null && {
        messages: tell('usage.messages_today', { today: plan.today, carries: plan.carries }),
      }),
  }
}

function secondsOf(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)
}
