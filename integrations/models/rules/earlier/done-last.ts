/**
 * Finds what the conversation did last with given actions and has not undone, in order to undo it. Pure.
 * Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import { isKept } from '../../../../kernel/powers/effects.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { SelectStep } from '../../../../kernel/task/plan.ts'
import { WRITES } from '../../../extractors/learned/classes.ts'
import type { Undo } from '../../../tools/phrase.ts'
import { fieldOf, itemsOf } from '../answers/content.ts'

/**
 * Where the newest result of these actions is; null if there is none, it was taken back since, by the action
 * of the plan, or nothing says what was before.
 */
export function doneLast(
  { of, list, by, needs = [] }: Undo,
  metadata: PromptParts['metadata'],
): {
  readonly rows: readonly string[] | string
  readonly at: number
  readonly before?: readonly SelectStep[]
  readonly fields: Json
} | null {
  const newest = newestOf(metadata, (action) => of.includes(action) || action === by)
  if (newest === null || !of.includes(newest.action)) return null
  const { root, at, fields } = newest
  if (needs.some((name) => (fieldOf(fields, name) ?? null) === null)) return null
  if (list === undefined) return { rows: root, at, fields }
  const rows = itemsOf(fieldOf(fields, list), 'items')
  // How many were picked by words in a text is not shown: it is all of them.
  if (rows.length === 0)
    return {
      ...{ rows: 's1', at, fields },
      before: [{ id: 's1', do: 'select', from: `${root}.${list}`, take: 'all' }],
    }
  return { rows: rows.map((_, row) => `${root}.${list}[${row}]`), at, fields }
}

/** What was changed last of all, by whatever action; null if nothing was. */
export function changedLast(metadata: PromptParts['metadata']): ReturnType<typeof newestOf> {
  return newestOf(metadata, (action) => WRITES.has(action) || isKept(action))
}

function newestOf(
  metadata: PromptParts['metadata'],
  isOne: (action: string) => boolean,
): { readonly root: string; readonly action: string; readonly at: number; readonly fields: Json } | null {
  const [newest] = metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && isOne(action))
    .map(({ root, action, fields }) => ({
      ...{ root, action, fields: fields as Json },
      at: Number(root.slice(1)),
    }))
    .toSorted((a, b) => a.at - b.at)
  return newest ?? null
}
