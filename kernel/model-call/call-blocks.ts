/**
 * The blocks that every place can make (P-15): how the message is meant, and where it is read. For what is said to the owner
 * alone: a stranger learns neither, and a planner needs neither, but to know that its plan is shown first. Called through `Powers.tier`.
 */

import { planModeBlock } from '../features/plan-mode/plan-mode.ts'
import type { Labeled } from '../flow/labeled.ts'
import { receive, selfFacts } from '../flow/provenance.ts'
import type { AtPlace, HomeLine, Texts } from '../powers/ports.ts'
import type { BlockReader } from '../powers/tier-port.ts'
import type { LabeledBlock } from '../prompt/parts.ts'
import type { Task } from '../task/task.ts'
import { signalOf } from './guidance.ts'

export async function callBlocks(
  powers: AtPlace & Texts & HomeLine,
  task: Task,
  reader: BlockReader,
): Promise<readonly LabeledBlock[]> {
  const planMode = planModeBlock(powers, task, reader)
  if (!speaksToOwner(reader)) return planMode.filter(({ value }) => reader.may(value.label))
  const signal = { name: 'signal_overlay', value: signalOf(powers, task, reader) } as const
  // Small talk stays small.
  const blocks: readonly LabeledBlock[] =
    task.path === 'fast' ? [signal] : [signal, { name: 'environment', value: await environmentOf(powers) }]
  return blocks.filter(({ value }) => reader.may(value.label))
}

/** No text that goes anywhere else takes a block along: it would bear the label of what the block tells. */
export function speaksToOwner({ purpose, audience }: Pick<BlockReader, 'purpose' | 'audience'>): boolean {
  return purpose === 'synthesize' && audience === 'owner'
}

/** `{reader}` is filled in by `finalize`, which alone knows the model. No folder, path or version: nothing here has one. */
async function environmentOf({
  place,
  home,
  texts: { overlay },
}: AtPlace & Texts & HomeLine): Promise<Labeled<string>> {
  const state = (await home?.up()) === true ? overlay.home_up : overlay.home_away
  const words = place === 'home' ? overlay.at_home : overlay.at_edge.replace('{home}', state)
  return receive(words, selfFacts('environment', 'internal'))
}
