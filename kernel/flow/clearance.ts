/**
 * What a reader may see: a level and the compartments granted beside it. Used for sinks, models, tasks and
 * places alike (DESIGN §1). Must not know who the reader is. Called by policy.ts.
 */
import type { Atom, Label } from './label.ts'
import { type Compartment, type Level, rankOf } from './level.ts'
import { deny, permit, type ReasonCode, type Verdict } from './verdict.ts'

export interface Clearance {
  readonly level: Level
  /** `all` is home alone: the place that holds every key. */
  readonly compartments: readonly Compartment[] | 'all'
}

/** True when this reader may have this atom. `secret` has no reader (DESIGN §1: custody is not clearance). */
export function clears(clearance: Clearance, atom: Atom): boolean {
  if (atom.level === 'secret') return false
  if (atom.compartment === null) return rankOf(atom.level) <= rankOf(clearance.level)
  return clearance.compartments === 'all' || clearance.compartments.includes(atom.compartment)
}

/** Every atom must be cleared; `code` names which kind of reader refused. */
export function checkClearance(clearance: Clearance, label: Label, code: ReasonCode): Verdict {
  for (const atom of label.atoms) {
    if (atom.level === 'secret') return deny('secret_has_no_reader', { origin: atom.origin })
    if (clears(clearance, atom)) continue
    return deny(atom.compartment === null ? code : 'compartment_missing', atomFacts(atom, clearance))
  }
  return permit('clearance')
}

export function atomFacts(atom: Atom, clearance: Clearance): Record<string, string> {
  return {
    origin: atom.origin,
    field: atom.field,
    level: atom.compartment === null ? atom.level : `${atom.level}:${atom.compartment}`,
    cleared: clearance.level,
  }
}
