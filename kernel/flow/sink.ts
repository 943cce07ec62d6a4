/**
 * Sinks: where an answer or a write may go, with clearance and audience (A-40 – A-43, DESIGN §1). Must not send anything.
 * Called by policy.ts and by the places that build their sink table.
 */
import type { Clearance } from './clearance.ts'
import type { Atom, Label } from './label.ts'
import type { Compartment, Level } from './level.ts'
import type { Place } from './place.ts'

export interface Sink extends Clearance {
  /** `sink:<namespace>:<name>`, such as `sink:terminal:owner`. */
  readonly id: string
  readonly compartments: readonly Compartment[]
  /** The place that holds this sink's token. Only this place can send to it. */
  readonly place: Place
  /** Principal that owns this namespace. Wildcards never cross it. */
  readonly principal: string
  /** `sole`: one person reads it, so this person's words from this chat may return to it. */
  readonly audience: 'sole' | 'many'
  /**
   * The template whose tasks home answers here although the other place holds the token. Set by the owner's acknowledgement
   * (`withBothLines`), never by anything the other place reports.
   */
  readonly carries?: string
}

/** Restricts which sinks may carry this guard at all. Key: `sensitive` or `regulated:health`. */
export interface AllowList {
  readonly guard: string
  readonly patterns: readonly string[]
}

/** Atom origin of words that this sink's only reader typed in this very chat. */
export function ownWordsOrigin(sinkId: string): string {
  return `chat:${sinkId}`
}

/** `sink:notion:*` matches one namespace of one principal; every other pattern is an exact id. */
export function matchesPattern(pattern: string, sink: Sink, owner: string): boolean {
  if (!pattern.endsWith(':*')) return pattern === sink.id
  const namespace = pattern.slice(0, -1)
  return (
    /^sink:[a-z][a-z0-9_]*:$/.test(namespace) && sink.id.startsWith(namespace) && sink.principal === owner
  )
}

export function guardOf(level: Level, compartment: Compartment | null): string {
  return compartment === null ? level : `${level}:${compartment}`
}

/** The allow lists that apply to an atom: those of its compartment, otherwise those of its level. */
export function listsFor(allowLists: readonly AllowList[], atom: Atom): readonly AllowList[] {
  const exact = allowLists.filter((list) => list.guard === guardOf(atom.level, atom.compartment))
  return exact.length > 0 ? exact : allowLists.filter((list) => list.guard === atom.level)
}

/** Guards present in a label, for looking up allow lists. */
export function guardsOf(label: Label): readonly string[] {
  return [...new Set(label.atoms.map((atom) => guardOf(atom.level, atom.compartment)))]
}
