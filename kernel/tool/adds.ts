/**
 * Checks the declaration of a write that only appends a text to its target, such as a
 * page of notes. Pure. Called by the registry and by the rule of standing grants.
 */
import { leavesOf } from '../flow/field.ts'
import type { ActionManifest } from './manifest.ts'

/** Fault of an invalid declaration; null for a valid one, and for an action without one. */
export function addsFault({ adds, args, semantics, target, asks }: ActionManifest): string | null {
  if (adds === undefined) return null
  if (semantics !== 'write' || target === undefined) return 'what adds a text has a target'
  if (asks === 'always') return 'what is always asked about has no grant'
  const { [adds.to]: to, [adds.text]: text } = args.fields
  const leads = to !== undefined && leavesOf(to).some(([, leaf]) => leaf.destination === true)
  if (!leads || !Object.values(target.given).includes(adds.to)) return `${adds.to} names no target`
  if (text?.kind !== 'text') return `${adds.text} is no text`
  const others = Object.entries(args.fields).filter(([name]) => name !== adds.to && name !== adds.text)
  if (others.some(([, { optional }]) => optional !== true)) return 'it needs more than a text'
  const { [adds.by]: by, [adds.name]: name } = target.shows ?? {}
  return by?.kind === 'id' && name !== undefined ? null : 'its target has no id and name'
}
