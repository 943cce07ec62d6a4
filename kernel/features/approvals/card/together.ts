/**
 * Words on a card about similar calls of the same plan, such as the two moves of a swap: which of how many
 * this one is, and what the others would do. Each call has its own card and digest; nothing is approved here.
 * Called by ask.ts.
 */

import { resolveCall } from '../../../call/resolve.ts'
import { describeLabel } from '../../../flow/label.ts'
import { combine, derive, type Labeled } from '../../../flow/labeled.ts'
import type { Actions, OwnerFacts } from '../../../powers/ports.ts'
import type { SealedReading } from '../../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import type { ToolStep } from '../../../task/plan.ts'
import type { Task } from '../../../task/task.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import type { GuardPorts } from '../../../wording/guard/guard.ts'
import { tell } from '../../../wording/words.ts'
import { beforeQuestion } from './card.ts'
import { withFound } from './found.ts'

/** Maximum calls of one plan that are named on each other's cards; more would turn the card into a list. */
const MOST_TOGETHER = 4
/** Maximum UTF-16 units of the text about another call. */
const MAX_OTHER = 300

/** Whether the step runs whatever an earlier step finds. */
const isCertain = (step: { readonly when?: unknown }): boolean => step.when === undefined

export async function togetherCard(
  powers: SealedReading & Actions & OwnerFacts & GuardPorts & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  {
    step,
    action,
    card,
    render,
  }: {
    readonly step: ToolStep
    readonly action: RegisteredAction
    readonly card: Labeled<string>
    /** The card of a call of the same action. */
    readonly render: (args: ResolvedWhole) => Labeled<string>
  },
): Promise<Labeled<string>> {
  const all = (task.plan?.steps ?? []).flatMap((one) =>
    one.do === 'tool' && one.tool === step.tool && isCertain(one) ? [one] : [],
  )
  const at = all.findIndex(({ id }) => id === step.id)
  if (action.semantics !== 'write' || at < 0 || all.length < 2 || all.length > MOST_TOGETHER) return card
  const head = derive(card, () => tell('approvals.together', { at: at + 1, count: all.length }))
  const lines = [head]
  const over = new Set(task.traces.map((trace) => trace.step))
  for (const other of all.filter(({ id }) => id !== step.id && !over.has(id))) {
    const call = await resolveCall(powers, task, { action, args: other.args, step: other.id })
    if (!call.ok) continue
    const own = await withFound(powers, task, {
      ...{ step: other, action, remarks: undefined },
      card: render(call.value.whole),
    })
    // Only calls with the same label are named: a different label could keep this card from being shown in this chat.
    if (describeLabel(own.label) === describeLabel(card.label)) lines.push(derive(own, otherOf))
  }
  return combine<string, string>([card, ...lines], ([text = '', ...added]) => beforeQuestion(text, added))
}

type ResolvedWhole = Extract<Awaited<ReturnType<typeof resolveCall>>, { readonly ok: true }>['value']['whole']

function otherOf(card: string): string {
  const said = card
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
    .join(' · ')
  const what =
    said.length <= MAX_OTHER ? said : `${said.slice(0, MAX_OTHER).replace(/⟨[^⟩]*$|[\ud800-\udbff]$/, '')}…`
  return tell('approvals.other_of', { what })
}
