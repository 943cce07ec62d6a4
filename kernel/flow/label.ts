/**
 * A label is derived from provenance atoms; its level is their maximum (DESIGN §1, A-02, A-03).
 * There is no setter: labels come from `labelOf` at receipt (provenance.ts, record.ts), from `joinLabels`,
 * or from storage through `parseLabel`. Only an owner's declassification record lowers (declassify.ts).
 */
import {
  type Compartment,
  compareLevels,
  type Level,
  maxLevel,
  parseCompartment,
  parseLevel,
} from './level.ts'
import { err, ok, type Result } from './verdict.ts'

/** One piece of provenance: where a datum came from, which field of it, and how it is to be guarded. */
export interface Atom {
  /** Source, such as `tool:email.list` or `chat:terminal:owner`. Never payload. */
  readonly origin: string
  /** Field path with list positions removed, such as `emails[].subject`, or `*` for a whole. */
  readonly field: string
  readonly level: Level
  readonly compartment: Compartment | null
}

export interface Label {
  readonly atoms: readonly Atom[]
}

/** Above this, atoms of one level and compartment collapse, so that a join over many sources stays small. */
export const MAX_ATOMS = 48
/** Origin of a collapsed atom; no exemption ever names it (grant.ts). */
export const COLLAPSED_ORIGIN = 'many'
const MAX_NAME = 200
/**
 * A granted compartment lifts its reader from here to `regulated` within that compartment: the owner's private
 * line is `sensitive` plus what he grants (DESIGN §1). A reader below this gains nothing by it (A-04).
 */
const COMPARTMENT_BASE: Level = 'sensitive'

export const PUBLIC: Label = Object.freeze({ atoms: Object.freeze([]) })

/** Builds a canonical label: sorted, deduplicated, frozen, bounded. */
export function labelOf(atoms: readonly Atom[]): Label {
  if (atoms.length === 0) return PUBLIC
  const byKey = new Map<string, Atom>()
  for (const atom of atoms) byKey.set(atomKey(atom), copyAtom(atom))
  const canonical = sorted(byKey)
  return Object.freeze({
    atoms: Object.freeze(canonical.length > MAX_ATOMS ? collapse(canonical) : canonical),
  })
}

/** Least upper bound: every atom of both. Associative, commutative, idempotent. */
export function joinLabels(...labels: readonly Label[]): Label {
  const guarding = new Set(labels.filter((label) => label.atoms.length > 0))
  const [first = PUBLIC] = guarding
  return guarding.size <= 1 ? first : labelOf([...guarding].flatMap((label) => label.atoms))
}

export function levelOf(label: Label): Level {
  return label.atoms.reduce<Level>((level, atom) => maxLevel(level, atom.level), 'public')
}

/** The level a reader needs beside the compartment. */
export function neededLevel(atom: Pick<Atom, 'level' | 'compartment'>): Level {
  return atom.level === 'regulated' && atom.compartment !== null ? COMPARTMENT_BASE : atom.level
}

export function compartmentsOf(label: Label): readonly Compartment[] {
  return [
    ...new Set(label.atoms.flatMap((atom) => (atom.compartment === null ? [] : [atom.compartment]))),
  ].sort()
}

/** What people and audit rows see: `sensitive`, `regulated:health`. Never an origin. */
export function describeLabel(label: Label): string {
  return [levelOf(label), ...compartmentsOf(label)].join(':')
}

/**
 * True when `b` guards at least as much as `a`: every reader cleared for `b` is cleared for `a`. So plain
 * `regulated` is not below `regulated:health`, which a `sensitive` line with that grant may read.
 */
export function isAtOrBelow(a: Label, b: Label): boolean {
  if (levelOf(b) === 'secret') return true
  const held = new Set(compartmentsOf(b))
  return compareLevels(neededBy(a), neededBy(b)) <= 0 && compartmentsOf(a).every((c) => held.has(c))
}

/** Reads a label from storage or the tunnel. Anything odd is refused; the caller then assumes the worst. */
export function parseLabel(input: unknown): Result<Label> {
  const atoms = typeof input === 'object' && input !== null && 'atoms' in input ? input.atoms : undefined
  if (!Array.isArray(atoms) || atoms.length > MAX_ATOMS * 2) return err('label_malformed')
  const parsed: Atom[] = []
  for (const atom of atoms) {
    const result = parseAtom(atom)
    if (!result.ok) return result
    parsed.push(result.value)
  }
  return ok(labelOf(parsed))
}

function parseAtom(input: unknown): Result<Atom> {
  if (typeof input !== 'object' || input === null) return err('label_malformed')
  const { origin, field, level, compartment } = input as Record<string, unknown>
  if (!isName(origin) || !isName(field)) return err('label_malformed')
  const parsedLevel = parseLevel(level)
  if (!parsedLevel.ok) return parsedLevel
  if (compartment === null) return ok({ origin, field, level: parsedLevel.value, compartment: null })
  const parsedCompartment = parseCompartment(compartment)
  if (!parsedCompartment.ok) return parsedCompartment
  return ok({ origin, field, level: parsedLevel.value, compartment: parsedCompartment.value })
}

function isName(input: unknown): input is string {
  return typeof input === 'string' && input.length > 0 && input.length <= MAX_NAME
}

function neededBy(label: Label): Level {
  return label.atoms.reduce<Level>((level, atom) => maxLevel(level, neededLevel(atom)), 'public')
}

/** Exactly the four declared fields: whatever else a caller's object holds must not ride along in a label. */
function copyAtom({ origin, field, level, compartment }: Atom): Atom {
  return Object.freeze({ origin, field, level, compartment })
}

function atomKey(atom: Atom): string {
  return JSON.stringify([atom.level, atom.compartment, atom.origin, atom.field])
}

/** Collapsing forgets where a datum came from, so it can only lose exemptions (audience, grants), never gain. */
function collapse(atoms: readonly Atom[]): Atom[] {
  const byGuard = new Map<string, Atom>()
  for (const { level, compartment } of atoms) {
    const atom = copyAtom({ origin: COLLAPSED_ORIGIN, field: '*', level, compartment })
    byGuard.set(atomKey(atom), atom)
  }
  return sorted(byGuard)
}

function sorted(byKey: ReadonlyMap<string, Atom>): Atom[] {
  if (byKey.size === 1) return [...byKey.values()]
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, atom]) => atom)
}
