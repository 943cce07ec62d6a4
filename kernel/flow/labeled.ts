/**
 * `Labeled<T>`: a value that cannot be read without naming a reader (DESIGN §2). Three functions unwrap:
 * `openForPrompt`, `openForTool`, `openForSink`; each asks the policy. The kernel computes on the inside with
 * `derive` and `combine`, which keep label and taint. `insideOf` exists for record.ts and sealed storage
 * alone; the import test names every module that may import each of these.
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

  /** The one door to the value; module-private by the import test. */
  static reveal<T extends Json>(labeled: Labeled<T>): T {
    return labeled.#value
  }

  /** A label that is lost by printing would be no label: serialising is a bug, so it throws. */
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

/** Labels a value. Only receipt (provenance.ts), records, sealed storage and model answers call this. */
export function createLabeled<T extends Json>(value: T, provenance: Provenance): Labeled<T> {
  return new Labeled(value, provenance)
}

/** Computes on the inside; label and taint stay. `fn` must be pure and must not keep its argument. */
export function derive<T extends Json, U extends Json>(labeled: Labeled<T>, fn: (value: T) => U): Labeled<U> {
  return new Labeled(fn(Labeled.reveal(labeled)), labeled)
}

/** Computes over several values; the result bears the join of all of them. */
export function combine<T extends Json, U extends Json>(
  parts: readonly Labeled<T>[],
  fn: (values: readonly T[]) => U,
): Labeled<U> {
  return new Labeled(fn(parts.map((part) => Labeled.reveal(part))), joinProvenance(...parts))
}

/** One bit for control flow. The caller adds the value's taint to everything the branch decides (DESIGN §3). */
export function test<T extends Json>(labeled: Labeled<T>, predicate: (value: T) => boolean): boolean {
  return predicate(Labeled.reveal(labeled))
}

/**
 * Digest of the canonical bytes, so that an approval and a token can bind to a value without showing it. `hash`
 * must be a one-way function; it tells no more than whether two values are equal.
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

/** Unwrap site 1: a prompt for a model whose clearance covers the label. Called by `finalize` only. */
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

/** For record.ts (structured fields by kind) and sealed storage. Never for a reader. */
export function insideOf<T extends Json>(labeled: Labeled<T>): T {
  return Labeled.reveal(labeled)
}

function openIf<T extends Json>(verdict: Verdict, labeled: Labeled<T>): Result<T> {
  return verdict.allow ? ok(Labeled.reveal(labeled)) : err(verdict.code, verdict.facts)
}
