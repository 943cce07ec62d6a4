/**
 * A plan: data that a planner proposes and the kernel checks (C-11 – C-14, DESIGN §3). Types and the reference
 * syntax only; checking against a template is `kernel/pipeline/plan.ts`. Must not resolve values.
 */
import type { Json, Path } from '../flow/json.ts'
import { isSafeKey } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'

/** Reference to an earlier result: `{"$ref":"s1.emails[0].id"}`. Roots: see `ROOTS`. */
export type Reference = {
  readonly $ref: string
}

/** An argument: plain data in which any node may be a reference. */
export type Argument = Json | Reference | readonly Argument[] | { readonly [key: string]: Argument }

/**
 * Where a reference may start: this message (`said`), a step (`s1`), an earlier turn (`w1`), the item of a forEach
 * (`item`), and what the planner wrote itself (`own`), which no planner may name: the kernel puts it there.
 */
export const ROOTS = /^(?:said|item|own|s[1-9]\d?|w[1-9]\d?)$/

/** Root of the planner's own numbers and text, which are sealed apart from the plan. */
export const OWN = 'own'

/** Who answers what the owner says of the assistant's manner. */
export const KERNEL = 'kernel'
/** Who planned: the planner that needs no model, or the template itself; anything else is a model's id. */
export const RULES = 'rules'
export const CANNED = 'canned'

/** The kernel effect that answers: a plan whose last word it is needs no other answer. */
export const REPLY = 'message.reply'

/** The question whether a time suits the owner: what he says to it is the answer, and nothing is called. */
export const ASK_OWNER = 'owner.ask'

export type When = {
  readonly ref: string
  readonly is: 'empty' | 'not_empty' | 'true' | 'false' | 'equals'
  /** For `equals`: a number, boolean or enum value. */
  readonly value?: string | number | boolean
}

/** Types and no interfaces, so that a step is plain data: what a plan is bound to are its bytes (invariant 6). */
type StepCommon = {
  /** `s1`, `s2`, … in order. */
  readonly id: string
  readonly when?: When
  /** True: later steps run although this one failed (C-19). */
  readonly independent?: boolean
}

export type ToolStep = StepCommon & {
  readonly do: 'tool'
  readonly tool: string
  readonly args: { readonly [key: string]: Argument }
}

/** A tool-less model writes text from named inputs (C-20). The result is text with the join of what it read. */
export type ComposeStep = StepCommon & {
  readonly do: 'compose'
  readonly from: readonly string[]
  /** Written by the planner or the template: what to write. */
  readonly instruction: string
  readonly maxChars: number
}

/** Closed choice by a model over one handle; an answer that is not an option is null (J-10). */
export type ClassifyStep = StepCommon & {
  readonly do: 'classify'
  readonly of: string
  readonly question: string
  readonly options: readonly string[]
}

/** Deterministic choice from a list, by the owner's own words or an equal field. */
export type SelectStep = StepCommon & {
  readonly do: 'select'
  readonly from: string
  /** Reference to the owner's words to match against every string of an item, such as `said.person`. */
  readonly matching?: string
  /** Field that must equal a number, boolean or enum. */
  readonly where?: { readonly field: string; readonly equals: string | number | boolean }
  readonly take: 'first' | 'all'
}

/** Bounded repetition of one tool call over a list. */
export type ForEachStep = StepCommon & {
  readonly do: 'forEach'
  readonly in: string
  readonly max: number
  readonly tool: string
  readonly args: { readonly [key: string]: Argument }
}

export type Step = ToolStep | ComposeStep | ClassifyStep | SelectStep | ForEachStep

export interface Plan {
  readonly steps: readonly Step[]
  /** For an empty plan: which reason to tell the person. Never shown verbatim when a model wrote it. */
  readonly explanation: string
  /** These steps only read, and the planner wants to plan once more when it can see what they found (DESIGN §3). */
  readonly again?: true
}

export interface ParsedReference {
  readonly root: string
  readonly path: Path
}

const SEGMENT = /^(?:\.([A-Za-z_][A-Za-z0-9_]{0,63})|\[(\d{1,4})\])/

/** `s1.emails[0].id` → root `s1`, path `['emails', 0, 'id']`. */
export function parseReference(text: string): Result<ParsedReference> {
  const root = /^[a-z]+[0-9]{0,2}/.exec(text)?.[0] ?? ''
  if (!ROOTS.test(root)) return err('reference_malformed')
  const path: (string | number)[] = []
  let rest = text.slice(root.length)
  while (rest !== '') {
    const match = SEGMENT.exec(rest)
    if (match === null) return err('reference_malformed')
    const [whole, key, index] = match
    if (key !== undefined && !isSafeKey(key)) return err('reference_malformed')
    path.push(key ?? Number(index))
    rest = rest.slice(whole.length)
  }
  return ok({ root, path })
}

/** A node is a reference only if `$ref` is its single own key; anything else with `$ref` is malformed data. */
export function isReference(argument: unknown): argument is Reference {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    Object.keys(argument).length === 1 &&
    Object.hasOwn(argument, '$ref') &&
    typeof (argument as Reference).$ref === 'string'
  )
}
