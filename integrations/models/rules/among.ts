/**
 * Resolves which row of a shown list is meant: by its person, or by its position. Uses positions and references only, never
 * untrusted strings. Must not know a tool. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { SelectStep, ToolStep } from '../../../kernel/task/plan.ts'
import type { Among } from '../../tools/phrase.ts'
import { fieldOf, isTrue, itemsOf } from './content.ts'
import { shownOrder } from './listing.ts'
import type { Said } from './said.ts'

export interface Meant {
  /** Steps that must run first. */
  readonly before: readonly (ToolStep | SelectStep)[]
  /** Path of the row: `s1`, `w1.emails[2]`. */
  readonly path: string
}

/** From the list that was shown last, if there is one; else from a new one. Null when the request does not say which row. */
export function meantOne({ tool, list, first }: Among, said: Said, parts: PromptParts): Meant | null {
  const shown = lastShown(tool, list, parts)
  const before: readonly ToolStep[] = shown === null ? [{ id: 's1', do: 'tool', tool, args: {} }] : []
  const root = shown?.root ?? 's1'
  if (said.has('person')) {
    const id = `s${before.length + 1}`
    const from = `${root}.${list}`
    const pick: SelectStep = { id, do: 'select', from, take: 'first', matching: 'said.person' }
    return { before: [...before, pick], path: id }
  }
  const index = indexOf(said, shown?.items ?? null, first)
  return index === null ? null : { before, path: `${root}.${list}[${index}]` }
}

/** Index, in the tool's order, of the row at the named position in the answer. */
function indexOf({ count }: Said, items: readonly Json[] | null, first: string): number | null {
  if (items === null) return count === null ? null : Math.max(count, 1) - 1
  if (count === null) return items.length === 1 ? 0 : null
  return shownOrder(items.map((item) => isTrue(item, first))).at(count < 0 ? count : count - 1) ?? null
}

/** `w1` is the newest. An empty list is skipped. */
function lastShown(
  tool: string,
  list: string,
  parts: PromptParts,
): { readonly root: string; readonly items: readonly Json[] } | null {
  const listings = parts.metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && action === tool)
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
    .map(({ root, fields }) => ({ root, items: itemsOf(fieldOf(fields as Json, list), 'items') }))
  return listings.find(({ items }) => items.length > 0) ?? null
}
