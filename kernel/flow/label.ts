/**
 * A label is a set of provenance atoms; its level is their maximum (DESIGN §1, A-02, A-03). Labels come only from `labelOf` at
 * receipt (provenance.ts, record.ts), `joinLabels`, or storage through `parseLabel`. Must not offer a setter: only an owner's
 * declassification record lowers a label (declassify.ts).
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

/** One source of a label: where a datum comes from, its field, and the level and compartment that guard it. */
export interface Atom {
  /** The source, such as `tool:email.list` or `chat:terminal:owner`. Never payload. */
  readonly origin: string
  /** Field path without list positions, such as `emails[].subject`; `*` for the whole value. */
  readonly field: string
  readonly level: Level
  readonly compartment: Compartment | null
}

export interface Label {
  readonly atoms: readonly Atom[]
}

/**
 * Maximum number of atoms. Beyond it, atoms with the same level and compartment collapse into one, so that joining many sources
 * stays small.
 */
export const MAX_ATOMS = 48
/** Origin of a collapsed atom. No exemption names it (grant.ts). */
export const COLLAPSED_ORIGIN = 'many'
const MAX_NAME = 200
/**
 * A reader at this level or above who holds a compartment may read `regulated` data in it: the owner's private line is
 * `sensitive` plus the granted compartments (DESIGN §1). A reader below this level gains nothing from a compartment.
 */
const COMPARTMENT_BASE: Level = 'sensitive'

export const PUBLIC: Label = Object.freeze({ atoms: Object.freeze([]) })

/** Builds a canonical label: sorted, deduplicated, frozen, at most `MAX_ATOMS` atoms. */
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

/** The level that a reader needs if it also holds the atom's compartment. */
export function neededLevel(atom: Pick<Atom, 'level' | 'compartment'>): Level {
  return atom.level === 'regulated' && atom.compartment !== null ? COMPARTMENT_BASE : atom.level
}

export function compartmentsOf(label: Label): readonly Compartment[] {
  return [
    ...new Set(label.atoms.flatMap((atom) => (atom.compartment === null ? [] : [atom.compartment]))),
  ].sort()
}

/** Text for people and audit rows: `sensitive`, `regulated:health`. Never contains an origin. */
export function describeLabel(label: Label): string {
  return [levelOf(label), ...compartmentsOf(label)].join(':')
}

/**
 * True when `b` guards at least as much as `a`: every reader cleared for `b` is cleared for `a`. Plain `regulated` is therefore
 * not below `regulated:health`, which a `sensitive` line with that compartment may read.
 */
export function isAtOrBelow(a: Label, b: Label): boolean {
  if (levelOf(b) === 'secret') return true
  const held = new Set(compartmentsOf(b))
  return compareLevels(neededBy(a), neededBy(b)) <= 0 && compartmentsOf(a).every((c) => held.has(c))
}

/**
 * Reads a label from storage or the tunnel. Anything malformed is refused; the caller then assumes the most restrictive label.
 */
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

/** Copies exactly the four declared fields, so that no extra property of the caller's object enters a label. */
function copyAtom({ origin, field, level, compartment }: Atom): Atom {
  return Object.freeze({ origin, field, level, compartment })
}

function atomKey(atom: Atom): string {
  return JSON.stringify([atom.level, atom.compartment, atom.origin, atom.field])
}

/** Collapsing drops the origin. It can therefore only remove exemptions (audience, grants), never add one. */
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
