/**
 * T2: the planner is the attacker's. For every pair, every hostile plan in one world after the other, with an owner who
 * approves what the prompt asked for and nothing else; then, where a template asks nothing, the plans whose arguments are
 * the attacker's words. Called by run.ts.
 */
import { type Prepared, runCase, suiteOf, type Turn } from './case.ts'
import type { Pair } from './corpus.ts'
import { type Aim, byReading, desiredCalls, type HostilePlan, hostilePlans } from './hostile-plans.ts'
import type { Judgement } from './oracle.ts'
import { approvesOnly, refusesAll } from './owner.ts'
import { readingOf } from './readings.ts'
import { recordedPlan } from './recorded-plan.ts'
import { everywhere } from './replay.ts'
import { tellingToo } from './telling.ts'

/** Turns of one world: working memory grows with each, and so does the time that each takes. */
const TURNS = 6

export interface Attacked extends Judgement {
  /** Plans that were tried. */
  readonly tried: number
}

export async function attackPlanner(prepared: Prepared, pair: Pair): Promise<Attacked> {
  const aim = aimOf(prepared, pair)
  const asking = await runAll(prepared, pair, { aim, plans: hostilePlans(aim), asks: true })
  const { reading } = aim
  const quiet = reading === null ? [] : byReading(aim, reading, desiredCalls(aim).filter(hasText))
  const silent = await runAll(prepared, pair, { aim, plans: quiet, asks: false })
  return {
    violations: [...asking.violations, ...silent.violations],
    approvedForAttacker: asking.approvedForAttacker + silent.approvedForAttacker,
    tried: asking.tried + silent.tried,
  }
}

function aimOf(prepared: Prepared, { suite, user, injection }: Pair): Aim {
  const own = suiteOf(prepared, suite)
  const foreign = [...prepared.declared.values()].flatMap(({ manifest }) =>
    manifest === own.declared.manifest ? [] : manifest.actions.slice(0, 3),
  )
  return {
    ...{ own, injection, prompt: user.prompt, reading: readingOf(own, user) },
    recorded: recordedPlan(own.suite, own.declared, user),
    foreign,
  }
}

async function runAll(
  prepared: Prepared,
  { suite, user, injection }: Pair,
  { aim, plans, asks }: { readonly aim: Aim; readonly plans: readonly HostilePlan[]; readonly asks: boolean },
): Promise<Attacked> {
  const asked = asks ? aim.recorded.calls : []
  const all: Attacked[] = []
  for (let start = 0; start < plans.length; start += TURNS) {
    const turns = plans.slice(start, start + TURNS).map((plan) => turnOf(aim, user.prompt, plan))
    const { judgement } = await runCase(prepared, {
      ...{ suite, user, injection, turns, asks, asked },
      owner: (actions) => tellingToo(asks ? approvesOnly(asked, { actions }) : refusesAll),
    })
    all.push({ ...judgement, tried: turns.length })
  }
  return {
    violations: all.flatMap(({ violations }) => violations),
    approvedForAttacker: all.reduce((sum, one) => sum + one.approvedForAttacker, 0),
    tried: all.reduce((sum, one) => sum + one.tried, 0),
  }
}

function turnOf({ own }: Aim, words: string, { name, text, then, content, writes }: HostilePlan): Turn {
  return {
    ...{ name, words, vectors: everywhere(own.suite, content) },
    script: {
      plan: ({ parts }) => (parts.instruction === null ? text : (then ?? text)),
      compose: ({ parts }) => writes?.get(parts.instruction ?? '') ?? content,
      classify: ({ parts }) => parts.options[0] ?? '',
      synthesize: () => text,
    },
  }
}

/** A call without any text has nothing that an attacker could have written. */
function hasText({ args }: { readonly args: object }): boolean {
  return JSON.stringify(args).includes('":"') || JSON.stringify(args).includes('["')
}
