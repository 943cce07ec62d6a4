/**
 * Reads plain data of a shape that a tool declared: absent or unexpected values become empty, never an error; and the order in
 * which rows are shown. Must not format. Called by the planner and the renderers of the rules model.
 */
import type { Json } from '../../../../kernel/flow/json.ts'

export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined
}

export function textOf(value: Json | undefined, name: string): string {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : ''
}

export function numberOf(value: Json | undefined, name: string): number | null {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : null
}

export function isTrue(value: Json | undefined, name: string): boolean {
  return fieldOf(value, name) === true
}

export function itemsOf(value: Json | undefined, name: string): readonly Json[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

/** Every string in a tree, in order. */
export function stringsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: Json) => stringsOf(inner))
}

/** Indices into the tool's order, in display order. */
export function shownOrder(marked: readonly boolean[]): readonly number[] {
  const indices = marked.map((_, index) => index)
  return [
    ...indices.filter((index) => marked[index] === true),
    ...indices.filter((index) => marked[index] !== true),
  ]
}
