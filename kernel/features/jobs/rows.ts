/** Declared fields of what a job's read found. Pure; must not judge. Called by watch.ts and watch-own.ts. */
import type { Json } from '../../flow/json.ts'

/** Undefined where there is no such field. */
export function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined
}

/** Empty where it is no list. */
export function rowsOf(value: Json, name: string): readonly Json[] {
  const rows = fieldOf(value, name)
  return Array.isArray(rows) ? rows : []
}
