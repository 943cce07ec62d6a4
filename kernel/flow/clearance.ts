/**
 * Clearance of a reader: a level, and the compartments granted in addition. Used for sinks, models, tasks
 * and places alike (DESIGN §1). Must not know who the reader is. Called by policy.ts, place.ts and label.ts.
 */

import type { ReasonCode } from '../reasons.ts'
import { type Atom, type Label, neededLevel } from './label.ts'
import { type Compartment, type Level, rankOf } from './level.ts'
import { deny, permit, type Verdict } from './verdict.ts'

export interface Clearance {
  readonly level: Level
  /** `all` is for home only: it holds every key. */
  readonly compartments: readonly Compartment[] | 'all'
}

/** True when this reader may have this atom. `secret` has no reader (DESIGN §1: custody is not clearance). */
export function clears(clearance: Clearance, atom: Atom): boolean {
  if (atom.level === 'secret') return false
  return holdsCompartment(clearance, atom) && rankOf(neededLevel(atom)) <= rankOf(clearance.level)
}

/** Permits only when every atom is cleared. `code` is the refusal code for a level that is too low. */
export function checkClearance(clearance: Clearance, label: Label, code: ReasonCode): Verdict {
  for (const atom of label.atoms) {
    if (atom.level === 'secret') return deny('secret_has_no_reader', { origin: atom.origin })
    if (clears(clearance, atom)) continue
    return deny(reasonFor(clearance, atom, code), atomFacts(atom, clearance))
  }
  return permit('clearance')
}

/** Refusal code for an atom that `clears` rejected: `compartment_missing`, otherwise `code`. */
export function reasonFor(clearance: Clearance, atom: Atom, code: ReasonCode): ReasonCode {
  return holdsCompartment(clearance, atom) ? code : 'compartment_missing'
}

export function atomFacts(atom: Atom, clearance: Clearance): Record<string, string> {
  return {
    origin: atom.origin,
    field: atom.field,
    level: atom.compartment === null ? atom.level : `${atom.level}:${atom.compartment}`,
    cleared: clearance.level,
  }
}

function holdsCompartment(clearance: Clearance, atom: Atom): boolean {
  if (atom.compartment === null || clearance.compartments === 'all') return true
  return clearance.compartments.includes(atom.compartment)
}
