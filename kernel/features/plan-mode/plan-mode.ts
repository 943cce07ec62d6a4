/**
 * The owner's setting whether plans are shown before they run (P-19): its value after a message, its prompt
 * block for planners, and the reply about it. Must only read the owner's words; affects no verdict. Called by
 * intake.ts, own-commands.ts and guidance.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { fitsTask } from '../../model-call/read-through.ts'
import type { Clock, PolicySource, Texts } from '../../powers/ports.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { BlockReader } from '../../powers/tier-port.ts'
import type { LabeledBlock } from '../../prompt/parts.ts'
import { type PlanMode, planModeInMessage, type Task } from '../../task/task.ts'
import { tell } from '../../wording/words.ts'

/**
 * The previous setting unless these words change it. `words`: null for an event that is no message.
 * Undefined: never set.
 */
export function planModeAfter(
  { store }: StoreOf<TaskStore>,
  { principal, words }: { readonly principal: string; readonly words: Labeled<string> | null },
): PlanMode | undefined {
  const said = [true, false].find(
    (on) => words !== null && test(words, (text) => planModeInMessage(text) === on),
  )
  if (said === undefined || words === null) return store.recentTasks(principal, 1)[0]?.planMode
  const { label, taint } = words
  return { on: said, said: { label, taint } }
}

/**
 * Prompt block for the owner's planner while the setting is on; kernel text describes how a shown plan looks.
 */
export function planModeBlock(
  { texts }: Texts,
  task: Task,
  { purpose, audience }: BlockReader,
): readonly LabeledBlock[] {
  if (purpose !== 'plan' || audience !== 'owner' || task.planMode?.on !== true) return []
  return [{ name: 'plan_mode', value: receive(texts.overlay.plan_mode, task.planMode.said) }]
}

/**
 * The setting applies in every chat of this place. A chat not cleared for the message that set it is not told
 * the value.
 */
export function planModeNow(powers: Clock & PolicySource, task: Task): Labeled<string> {
  const mode = task.planMode
  if (mode === undefined) return receive(tell('plan-mode.off'), kernelWords())
  return fitsTask(powers, task)(mode.said.label)
    ? receive(tell(mode.on ? 'plan-mode.on' : 'plan-mode.off'), mode.said)
    : receive(tell('plan-mode.unknown'), kernelWords())
}
