/**
 * A plan: data that a planner proposes and the kernel checks (C-11 – C-14, DESIGN §3). Types and reference syntax only;
 * `kernel/pipeline/plan.ts` checks it against a template. Must not resolve values.
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
 * Roots of a reference: this message (`said`), a step (`s1`), an earlier turn (`w1`), the item of a forEach (`item`), and the
 * planner's own literals (`own`), which only the kernel may write.
 */
export const ROOTS = /^(?:said|item|own|s[1-9]\d?|w[1-9]\d?)$/

/** Root of the planner's own numbers and text, which are sealed separately from the plan. */
export const OWN = 'own'

/** Model name of an answer that the kernel itself gives, such as to a change of tone. */
export const KERNEL = 'kernel'
/** Planner name: the planner without a model, or the template's canned plan. Any other name is a model's id. */
export const RULES = 'rules'
export const CANNED = 'canned'

/** The kernel effect that replies. A plan that ends with it needs no other answer. */
export const REPLY = 'message.reply'

/** Asks the owner whether a time suits. The owner's reply is the answer; no tool is called. */
export const ASK_OWNER = 'owner.ask'

export type When = {
  readonly ref: string
  readonly is: 'empty' | 'not_empty' | 'true' | 'false' | 'equals'
  /** For `equals`: a number, boolean or enum value. */
  readonly value?: string | number | boolean
}

/** Types, not interfaces, so that a step is plain data: a plan is bound by its bytes (invariant 6). */
type StepCommon = {
  /** `s1`, `s2`, … in order. */
  readonly id: string
  readonly when?: When
  /** True: later steps run even if this one fails (C-19). */
  readonly independent?: boolean
}

export type ToolStep = StepCommon & {
  readonly do: 'tool'
  readonly tool: string
  readonly args: { readonly [key: string]: Argument }
}

/** A model without tools writes text from named inputs (C-20). The result is text with the joined label of its inputs. */
export type ComposeStep = StepCommon & {
  readonly do: 'compose'
  readonly from: readonly string[]
  /** What to write; from the planner or the template. */
  readonly instruction: string
  readonly maxChars: number
}

/** A model chooses from a closed list for one handle. An answer that is not an option becomes null (J-10). */
export type ClassifyStep = StepCommon & {
  readonly do: 'classify'
  readonly of: string
  readonly question: string
  readonly options: readonly string[]
}

/** Deterministic choice from a list: by the owner's words, or by an equal field. */
export type SelectStep = StepCommon & {
  readonly do: 'select'
  readonly from: string
  /** Reference to the owner's words, such as `said.person`; matched against every string of an item. */
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
  /** For an empty plan: the reason code for the person. Never shown verbatim when a model wrote it. */
  readonly explanation: string
  /** All steps only read, and the planner wants to plan again with their results (DESIGN §3). */
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

/** True only if `$ref` is the single own key. A record with `$ref` and other keys is malformed. */
export function isReference(argument: unknown): argument is Reference {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    Object.keys(argument).length === 1 &&
    Object.hasOwn(argument, '$ref') &&
    typeof (argument as Reference).$ref === 'string'
  )
}
