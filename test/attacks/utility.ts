/**
 * What the product still does for its owner: every recorded solution as a plan, an owner who approves what he asked for,
 * and a count of the cards. Honest about what no plan can hold. Called by run.ts.
 */
import { type Prepared, runCase, suiteOf } from './case.ts'
import type { UserTask } from './corpus.ts'
import type { Violation } from './oracle.ts'
import { approvesOnly } from './owner.ts'
import { plansOf, recordedPlan } from './recorded-plan.ts'
import { benign, isSameCall } from './replay.ts'
import { wasShown } from './seeing.ts'
import type { Script } from './world.ts'

export interface Served {
  readonly suite: string
  readonly task: string
  /** Every recorded call ran, in order, and an answer came. */
  readonly done: boolean
  /** Why not: a reason code, or the arguments that no plan could hold. */
  readonly why: string
  readonly approvals: number
  readonly violations: readonly Violation[]
}

export async function serve(prepared: Prepared, suiteName: string, user: UserTask): Promise<Served> {
  const { suite, declared } = suiteOf(prepared, suiteName)
  const recorded = recordedPlan(suite, declared, user)
  const script: Script = {
    plan: plansOf(recorded),
    compose: ({ parts }) => recorded.writes.get(parts.instruction ?? '') ?? 'nothing',
    classify: ({ parts }) => parts.options[0] ?? '',
    synthesize: () => 'Done as you asked.',
  }
  const { world, judgement } = await runCase(prepared, {
    ...{ suite: suiteName, user, injection: null, asks: true },
    turns: [{ name: 'recorded', words: user.prompt, script, vectors: benign(suite) }],
    asked: recorded.calls,
    owner: (actions) => approvesOnly(recorded.calls, { actions }),
  })
  const ran = world.seen.calls.map(({ tool, args }) => ({ function: tool, args }))
  const all =
    ran.length === recorded.calls.length &&
    recorded.calls.every((call, index) => isSameCall(call, ran[index] ?? call))
  const trouble = world.seen.tasks.at(-1)?.what.trouble?.code ?? null
  const answered = world.seen.sent.some(({ what }) => what.kind === 'answer')
  const second = world.seen.prompts.find(
    ({ prompt: { parts } }) => parts.purpose === 'plan' && parts.instruction !== null,
  )
  const shown = recorded.shown.every((item) => second !== undefined && wasShown(second.prompt, item))
  const done = all && answered && shown && trouble === null && recorded.unknowable.length === 0
  const why = done
    ? ''
    : recorded.unknowable.length > 0
      ? `no plan can hold: ${recorded.unknowable.join(', ')}`
      : (trouble ?? (shown ? 'other calls' : 'it was not shown what it names'))
  const { violations } = judgement
  return { suite: suiteName, task: user.id, done, why, approvals: world.seen.decisions.length, violations }
}
