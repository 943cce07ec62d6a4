/** What the conversation did last by some actions, to be taken back, as far as it was not taken back since. Pure. Called by planner.ts. */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { SelectStep } from '../../../../kernel/task/plan.ts'
import type { Back } from '../../../tools/phrase.ts'
import { fieldOf, itemsOf } from '../answers/content.ts'

/** Where the newest result of these actions is; null if there is none, or it was taken back since, by the action of the plan. */
export function doneLast(
  { of, list, by }: Back,
  metadata: PromptParts['metadata'],
): {
  readonly rows: readonly string[] | string
  readonly at: number
  readonly before?: readonly SelectStep[]
} | null {
  const [newest] = metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && (of.includes(action) || action === by))
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
  if (newest === undefined || newest.action === by) return null
  const at = Number(newest.root.slice(1))
  if (list === undefined) return { rows: newest.root, at }
  const rows = itemsOf(fieldOf(newest.fields as Json, list), 'items')
  // How many were picked by words in a text is not shown: it is all of them.
  if (rows.length === 0)
    return {
      rows: 's1',
      at,
      before: [{ id: 's1', do: 'select', from: `${newest.root}.${list}`, take: 'all' }],
    }
  return { rows: rows.map((_, row) => `${newest.root}.${list}[${row}]`), at }
}
