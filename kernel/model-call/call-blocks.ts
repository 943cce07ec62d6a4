/**
 * Prompt blocks that both places can make (P-15): how the message is meant, and where the answer will be read. For
 * text to the owner only; another person must not learn either, and a planner needs only whether its plan is shown
 * first. Called through `Powers.tier`.
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
  // Small talk gets a short prompt.
  const blocks: readonly LabeledBlock[] =
    task.path === 'fast' ? [signal] : [signal, { name: 'environment', value: await environmentOf(powers) }]
  return blocks.filter(({ value }) => reader.may(value.label))
}

/** Only text to the owner gets blocks: any other text would bear the label of their content. */
export function speaksToOwner({ purpose, audience }: Pick<BlockReader, 'purpose' | 'audience'>): boolean {
  return purpose === 'synthesize' && audience === 'owner'
}

/** `finalize` fills in `{reader}`, since only it knows the model. Must not contain a folder, path or version. */
async function environmentOf({
  place,
  home,
  texts: { overlay },
}: AtPlace & Texts & HomeLine): Promise<Labeled<string>> {
  const state = (await home?.up()) === true ? overlay.home_up : overlay.home_away
  const words = place === 'home' ? overlay.at_home : overlay.at_edge.replace('{home}', state)
  return receive(words, selfFacts('environment', 'internal'))
}
