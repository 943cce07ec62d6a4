/**
 * Inputs as fast-check draws them: a sample of the target, changes of its nodes, edits of its bytes. A recipe is plain
 * numbers, so a failure shrinks to few of them and `seed` and `path` make it again. Called by `fuzz.test.ts` and `main.ts`.
 */
import fc from 'fast-check'
import type { Json } from '../../kernel/flow/json.ts'
import { type Edit, editBytes } from './bytes.ts'
import { type Change, changeTree, textOf } from './nodes.ts'
import type { Input, Target } from './target.ts'

export interface Recipe {
  readonly sample: number
  readonly changes: readonly Change[]
  readonly edits: readonly Edit[]
}

/** Mistakes in one input: with more, every input is refused at the first look. */
const MOST_CHANGES = 3
const MOST_EDITS = 4

const number = fc.nat(2 ** 31 - 1)
const mistake = fc.record({ op: fc.nat(255), at: number, with: number })
const none = fc.constant([])

/** Trees are changed by nodes, and text of a tree by bytes as well; everything else by bytes. */
export function recipesFor({ form, samples }: Pick<Target, 'form' | 'samples'>): fc.Arbitrary<Recipe> {
  const changes = fc.array(mistake, { maxLength: MOST_CHANGES })
  const edits = fc.array(mistake, { maxLength: MOST_EDITS })
  const sample = fc.nat(Math.max(0, samples.length - 1))
  if (form === 'value') return fc.record({ sample, changes, edits: none })
  if (form === 'json')
    return fc.oneof(fc.record({ sample, changes, edits: none }), fc.record({ sample, changes: none, edits }))
  return fc.record({ sample, changes: none, edits })
}

/** The input that a recipe makes. */
export function inputOf({ form, samples, bounds = [] }: Target, recipe: Recipe): Input {
  const sample = samples[recipe.sample % samples.length] ?? null
  if (form === 'bytes')
    return editBytes(sample instanceof Uint8Array ? sample : bytesOf(sample), recipe.edits)
  if (form === 'text') return decode(editBytes(bytesOf(sample as Json), recipe.edits))
  const tree = changeTree(sample as Json, recipe.changes, bounds)
  if (form === 'value') return tree
  const text = textOf(tree)
  return recipe.edits.length === 0 ? text : decode(editBytes(new TextEncoder().encode(text), recipe.edits))
}

/** Text stays what it is; a tree is written. */
function bytesOf(sample: Json | Uint8Array): Uint8Array {
  if (sample instanceof Uint8Array) return sample
  return new TextEncoder().encode(typeof sample === 'string' ? sample : textOf(sample))
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
}
