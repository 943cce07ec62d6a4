/**
 * `Labeled<T>`: a value that is read only by naming a reader (DESIGN §2). `openForPrompt`, `openForTool` and `openForSink`
 * unwrap, and each asks the policy; `derive` and `combine` compute inside and keep label and taint. `insideOf` is for record.ts
 * and sealed storage only. The import test lists which modules may import each of these.
 */
import type { Json } from './json.ts'
import { joinLabels, type Label } from './label.ts'
import {
  checkEgress,
  checkModel,
  checkTool,
  type EgressRequest,
  type ModelReader,
  type Policy,
  type ToolReader,
} from './policy.ts'
import { joinTaints, type Taint } from './taint.ts'
import { err, ok, type Result, type Verdict } from './verdict.ts'

/** Label and taint without the value: what may be written in task records, audit rows and tokens. */
export interface Provenance {
  readonly label: Label
  readonly taint: Taint
}

export class Labeled<T extends Json = Json> implements Provenance {
  readonly #value: T
  readonly label: Label
  readonly taint: Taint

  constructor(value: T, provenance: Provenance) {
    this.#value = value
    this.label = provenance.label
    this.taint = provenance.taint
    Object.freeze(this)
  }

  /** The only access to the value. The import test keeps it private to this module. */
  static reveal<T extends Json>(labeled: Labeled<T>): T {
    return labeled.#value
  }

  /** Serialising would lose the label. It is a bug, so it throws. */
  toJSON(): never {
    throw new TypeError('a labelled value must be sealed or opened for a named reader, never serialised')
  }

  toString(): never {
    return this.toJSON()
  }

  [Symbol.toPrimitive](): never {
    return this.toJSON()
  }
}

/** Labels a value. Called only at receipt (provenance.ts), for records, by sealed storage and for model answers. */
export function createLabeled<T extends Json>(value: T, provenance: Provenance): Labeled<T> {
  return new Labeled(value, provenance)
}

/** Computes on the value; the result has the same label and taint. `fn` must be pure and must not retain its argument. */
export function derive<T extends Json, U extends Json>(labeled: Labeled<T>, fn: (value: T) => U): Labeled<U> {
  return new Labeled(fn(Labeled.reveal(labeled)), labeled)
}

/** Computes over several values. The result carries the join of their labels and taints. */
export function combine<T extends Json, U extends Json>(
  parts: readonly Labeled<T>[],
  fn: (values: readonly T[]) => U,
): Labeled<U> {
  return new Labeled(fn(parts.map((part) => Labeled.reveal(part))), joinProvenance(...parts))
}

/**
 * Returns one bit for control flow. The caller must add the value's taint to everything that the branch decides (DESIGN §3).
 */
export function test<T extends Json>(labeled: Labeled<T>, predicate: (value: T) => boolean): boolean {
  return predicate(Labeled.reveal(labeled))
}

/**
 * Digest of the canonical bytes, so that an approval or a token can bind to a value without revealing it. `hash` must be
 * one-way; the digest reveals only whether two values are equal.
 */
export function fingerprint(labeled: Labeled, hash: (value: Json) => string): string {
  return hash(Labeled.reveal(labeled))
}

export function joinProvenance(...parts: readonly Provenance[]): Provenance {
  return {
    label: joinLabels(...parts.map((part) => part.label)),
    taint: joinTaints(...parts.map((part) => part.taint)),
  }
}

/** Unwrap site 1: a prompt, for a model whose clearance covers the label. Called by `finalize` only. */
export function openForPrompt<T extends Json>(labeled: Labeled<T>, model: ModelReader): Result<T> {
  return openIf(checkModel(model, labeled.label), labeled)
}

/** Unwrap site 2: the arguments of one authorised tool call. Called by `invoke` only. */
export function openForTool<T extends Json>(labeled: Labeled<T>, reader: ToolReader): Result<T> {
  return openIf(checkTool(reader, labeled.label), labeled)
}

/** Unwrap site 3: bytes to a sink. Called by `deliver` only. */
export function openForSink<T extends Json>(
  labeled: Labeled<T>,
  policy: Policy,
  request: Omit<EgressRequest, 'label'>,
): Result<T> {
  return openIf(checkEgress(policy, { ...request, label: labeled.label }), labeled)
}

/** For record.ts (structured fields by kind) and sealed storage only. Never for a reader. */
export function insideOf<T extends Json>(labeled: Labeled<T>): T {
  return Labeled.reveal(labeled)
}

function openIf<T extends Json>(verdict: Verdict, labeled: Labeled<T>): Result<T> {
  return verdict.allow ? ok(Labeled.reveal(labeled)) : err(verdict.code, verdict.facts)
}
