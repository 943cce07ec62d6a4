/**
 * A plan: data that a planner proposes and the kernel checks (C-11 – C-14, DESIGN §3): shape, limits, reference syntax,
 * and the literals that the kernel seals. `kernel/pipeline/plan.ts` checks it against a template. Must not resolve values.
 */
import * as z from 'zod/mini'
import { type DeepReadonly, isPlainRecord, isSafeKey, type Json, type Path } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'

/** Reference to an earlier result: `{"$ref":"s1.emails[0].id"}`. Roots: see `ROOTS`. */
type Reference = {
  readonly $ref: string
}

/** An argument: plain data in which any node may be a reference. */
export type Argument = Json | Reference | readonly Argument[] | { readonly [key: string]: Argument }

/**
 * Roots of a reference: this message (`said`), its contacts (`contacts`), a step (`s1`), an earlier turn (`w1`), a call that
 * waits for approval (`q1`), the item of a forEach (`item`), and the planner's literals (`own`), which only the kernel writes.
 */
const ROOTS = /^(?:said|item|own|contacts|[sqw][1-9]\d?)$/

/** Root of the owner's contacts that a message names. */
export const CONTACTS_ROOT = 'contacts'
/** Root of the planner's own numbers and text, which are sealed separately from the plan. */
export const OWN = 'own'

/** Model name of an answer that the kernel itself gives, such as to a change of tone. */
export const KERNEL = 'kernel'
/** Planner name: the planner without a model, or the template's canned plan. Any other name is a model's id. */
export const RULES = 'rules'
export const CANNED = 'canned'

/** The kernel effect that replies. A plan that ends with it needs no other answer. */
export const REPLY = 'message.reply'

/** Describes further tools to the next plan (O-29). Reads declarations only, no data of the owner. */
export const FIND_TOOLS = 'tools.search'

/** Asks the owner whether a time suits. The owner's reply is the answer; no tool is called. */
export const ASK_OWNER = 'owner.ask'

/** Limits of one plan: a manipulated planner must not use up a person's budget or patience. */
export const PLAN_BOUNDS = Object.freeze({
  steps: 12,
  /** Maximum calls from one `forEach`. */
  forEach: 20,
  /** Maximum nesting of lists and records in an argument. */
  depth: 8,
  /** Maximum nodes of the whole plan. */
  nodes: 2_000,
  /** UTF-16 units of one string. */
  text: 10_000,
  /** UTF-16 units of a planner's text for a model: instruction, question, explanation. */
  instruction: 1_000,
  /** Maximum inputs of one `compose`, and options of one `classify`. */
  list: 20,
  /** Maximum options of one `clarify`: as many as a person compares at a glance. */
  meanings: 8,
  /** UTF-16 units of one option or field name. */
  name: 80,
  /** UTF-16 units of one composed text. */
  composed: 10_000,
})

/** Kinds of an extracted value. `id`: a number or code, such as of an account. A choice from a closed list is `classify`. */
export const EXTRACTED = Object.freeze(['number', 'date', 'email', 'url', 'id', 'text'] as const)
export type ValueKind = (typeof EXTRACTED)[number]
/** `end`: the end of the period whose time the words state. Only plans made by code use it; planners are not told of it. */
export type ReadOut = ValueKind | 'end'
/**
 * Operations of `compute`. `product`: also a share of an amount, such as by 0.1. `percent`: the first as a percentage of
 * the second. `shift`: a date, moved later by a duration. `on_day`: the time of day of the first, on the day of the second.
 * `near`: the first, or twelve hours from it on the same day, whichever is nearer to the time of day of the second.
 */
export const COMPUTED = Object.freeze([
  ...(['sum', 'difference', 'product', 'percent', 'min', 'max', 'count'] as const),
  ...(['shift', 'on_day', 'near'] as const),
] as const)

const TOOL = /^[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39}){1,3}$/

const ref = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.text))
const name = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.name))
const instruction = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.instruction))
const scalar = z.union([name, z.number(), z.boolean()])
const tool = z.string().check(z.regex(TOOL))
const args = z.custom<{ readonly [key: string]: Argument }>(isPlainRecord)
const count = (most: number) => z.number().check(z.int(), z.positive(), z.maximum(most))
const argument = z.custom<Argument>((value) => value !== undefined)

const WHEN = z.strictObject({
  ref,
  /** `skipped`: the step that `ref` names did not run because of its own condition. The step with it is the "else". */
  is: z.enum(['empty', 'not_empty', 'true', 'false', 'equals', 'skipped']),
  /** For `equals`: a number, boolean or enum value. */
  value: z.exactOptional(scalar),
})
export type When = DeepReadonly<z.output<typeof WHEN>>

const COMMON = {
  /** `s1`, `s2`, … in order. */
  id: z.string(),
  when: z.exactOptional(WHEN),
  /** True: later steps run even if this one fails (C-19). */
  independent: z.exactOptional(z.boolean()),
}

const STEP = z.discriminatedUnion('do', [
  z.strictObject({ ...COMMON, do: z.literal('tool'), tool, args }),
  /** A model without tools writes text from named inputs (C-20). The result is text with the joined label of its inputs. */
  z.strictObject({
    ...COMMON,
    do: z.literal('compose'),
    from: z.array(ref).check(z.minLength(1), z.maxLength(PLAN_BOUNDS.list)),
    /** What to write; from the planner or the template. */
    instruction,
    maxChars: count(PLAN_BOUNDS.composed),
  }),
  /** A model chooses from a closed list for one handle. An answer that is not an option becomes null (J-10). */
  z.strictObject({
    ...COMMON,
    do: z.literal('classify'),
    of: ref,
    question: instruction,
    options: z.array(name).check(z.minLength(2), z.maxLength(PLAN_BOUNDS.list)),
  }),
  /** Deterministic choice from a list: by the owner's words, or by an equal field. */
  z.strictObject({
    ...COMMON,
    do: z.literal('select'),
    from: ref,
    /** Words, or a reference to words such as `said.person`; matched against every string of an item. */
    matching: z.exactOptional(ref),
    /** Field that must equal a number, boolean or enum. */
    where: z.exactOptional(z.strictObject({ field: name, equals: scalar })),
    /** `one`: the only row that fits; if several do, the owner is asked which. */
    take: z.enum(['first', 'all', 'one']),
  }),
  /** Extracts a typed value: a model copies its words from the text, the kernel finds and reads them (DESIGN §10). Stays raw. */
  z.strictObject({
    ...COMMON,
    do: z.literal('extract'),
    from: ref,
    kind: z.enum([...EXTRACTED, 'end']),
    question: instruction,
  }),
  /** A model without tools picks items of a list by their content. Whatever depends on the choice asks the owner (DESIGN §10). */
  z.strictObject({
    ...COMMON,
    do: z.literal('choose'),
    from: ref,
    question: instruction,
    take: z.enum(['first', 'all']),
  }),
  /** Arithmetic by code over numbers, dates and lists of them. */
  z.strictObject({
    ...COMMON,
    do: z.literal('compute'),
    op: z.enum(COMPUTED),
    of: z.array(argument).check(z.minLength(1), z.maxLength(PLAN_BOUNDS.list)),
    /** For `shift`: the unit of the second operand. */
    unit: z.exactOptional(z.enum(['minutes', 'hours', 'days'])),
  }),
  /** Asks the owner which option (a text or a reference) is meant. The result is that option with its provenance (DESIGN §10). */
  z.strictObject({
    ...COMMON,
    do: z.literal('clarify'),
    question: instruction,
    options: z.array(argument).check(z.minLength(2), z.maxLength(PLAN_BOUNDS.meanings)),
  }),
  /** Bounded repetition of one tool call over a list. */
  z.strictObject({
    ...COMMON,
    do: z.literal('forEach'),
    in: ref,
    max: count(PLAN_BOUNDS.forEach),
    tool,
    args,
  }),
])
/** A type, not an interface, so that a step is plain data: a plan is bound by its bytes (invariant 6). */
export type Step = DeepReadonly<z.output<typeof STEP>>

export const PLAN = z.strictObject({
  steps: z.array(STEP),
  explanation: z.exactOptional(z.string().check(z.maxLength(PLAN_BOUNDS.instruction))),
  again: z.exactOptional(z.boolean()),
})

export type ToolStep = Extract<Step, { readonly do: 'tool' }>
export type ComposeStep = Extract<Step, { readonly do: 'compose' }>
export type ClassifyStep = Extract<Step, { readonly do: 'classify' }>
export type SelectStep = Extract<Step, { readonly do: 'select' }>
export type ForEachStep = Extract<Step, { readonly do: 'forEach' }>
export type ExtractStep = Extract<Step, { readonly do: 'extract' }>
export type ChooseStep = Extract<Step, { readonly do: 'choose' }>
export type ClarifyStep = Extract<Step, { readonly do: 'clarify' }>
export type ComputeStep = Extract<Step, { readonly do: 'compute' }>

/** Verbs that a model without tools works on. */
export type ModelVerb = 'compose' | 'classify' | 'extract' | 'choose'

/** Explanations of a plan by `rules`: it covers part of the request; or it may not be what was meant, so each write asks. */
export const [IN_PART, UNSURE] = ['in_part', 'unsure'] as const
export interface Plan {
  readonly steps: readonly Step[]
  /** Empty plan: the reason code for the person; otherwise `IN_PART`, `UNSURE` or empty. A model's text is not shown verbatim. */
  readonly explanation: string
  /** All steps only read, and the planner wants to plan again with their results (DESIGN §3). */
  readonly again?: true
}

interface ParsedReference {
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

/** References in an argument, at any depth. */
export function referencesIn(argument: unknown): readonly string[] {
  if (isReference(argument)) return [argument.$ref]
  if (typeof argument !== 'object' || argument === null) return []
  return Object.values(argument).flatMap(referencesIn)
}

/** References of a step other than those of its condition and its arguments. */
export function sourcesOf(step: Step): readonly string[] {
  switch (step.do) {
    case 'tool':
    case 'compute':
    case 'clarify':
      return []
    case 'compose':
      return step.from
    case 'classify':
      return [step.of]
    case 'extract':
    case 'choose':
      return [step.from]
    case 'select':
      return [step.from, ...(step.matching === undefined || isWords(step.matching) ? [] : [step.matching])]
    case 'forEach':
      return [step.in]
  }
}

/** All references of a step except that of its condition. */
export function inputsOf(step: Step): readonly string[] {
  const within =
    step.do === 'compute' ? step.of : step.do === 'clarify' ? step.options : 'args' in step ? step.args : []
  return [...sourcesOf(step), ...referencesIn(within)]
}

/** True for plain words in a place where a reference is also allowed. */
export function isWords(text: string): boolean {
  return !parseReference(text).ok
}

interface Lifted {
  readonly plan: Plan
  /** By position: the first is `own[0]`, or the next index after those of an earlier plan. */
  readonly literals: readonly Json[]
}

/**
 * Replaces every number and text of the planner's own, except names of tools and fields, and its explanation. `first`: number of
 * literals left by an earlier plan of the same task. `said`: returns the reference that gives a text of an argument, or null.
 */
export function liftLiterals(
  { steps, explanation, again }: Plan,
  first = 0,
  said: (written: Json) => string | null = () => null,
): Lifted {
  const literals: Json[] = []
  const lift = (literal: Json): string => ownLiteral(first + literals.push(literal) - 1)
  const lifted = steps.map((step) => liftStep(fromWords(step, said), lift))
  // An empty plan's explanation is a code, and so is this one. A planner's own explanation is never shown, so it is dropped.
  const told = steps.length === 0 || explanation === UNSURE ? explanation : ''
  return { plan: { steps: lifted, explanation: told, ...(again && { again }) }, literals }
}

/** The placeholder of the literal at this index. */
export function ownLiteral(index: number): string {
  return `${OWN}[${index}]`
}

/** Index of the literal behind a placeholder; null for any other text. */
export function literalIndex(text: string): number | null {
  const parsed = parseReference(text)
  if (!parsed.ok || parsed.value.root !== OWN) return null
  const [index, ...rest] = parsed.value.path
  return typeof index === 'number' && rest.length === 0 ? index : null
}

type Lift = (literal: Json) => string
type ReferenceFor = (written: Json) => string | null

/** Replaces arguments, and the words of a `select`, by references to the owner's message; options of a question stay. */
function fromWords(step: Step, referenceFor: ReferenceFor): Step {
  if (step.do === 'select' && step.matching !== undefined && isWords(step.matching))
    return { ...step, matching: referenceFor(step.matching) ?? step.matching }
  return 'args' in step ? { ...step, args: referEach(step.args, referenceFor) } : step
}

function referEach(
  args: { readonly [key: string]: Argument },
  referenceFor: ReferenceFor,
): { [key: string]: Argument } {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, refer(value, referenceFor)]))
}

function refer(argument: Argument, referenceFor: ReferenceFor): Argument {
  if (isReference(argument)) return argument
  if (Array.isArray(argument)) return argument.map((inner: Argument) => refer(inner, referenceFor))
  if (isPlainRecord(argument)) return referEach(argument as { [key: string]: Argument }, referenceFor)
  const ref = referenceFor(argument as Json)
  return ref === null ? argument : { $ref: ref }
}

function liftStep(written: Step, lift: Lift): Step {
  const { when } = written
  const step =
    when?.value === undefined ? written : { ...written, when: { ...when, value: lift(when.value) } }
  switch (step.do) {
    case 'tool':
    case 'forEach':
      return { ...step, args: liftEach(step.args, lift) }
    case 'compose':
      return { ...step, instruction: lift(step.instruction) }
    case 'classify':
      return { ...step, question: lift(step.question), options: step.options.map(lift) }
    case 'extract':
    case 'choose':
      return { ...step, question: lift(step.question) }
    case 'clarify':
      return {
        ...step,
        question: lift(step.question),
        options: step.options.map((option) => liftArgument(option, lift)),
      }
    case 'compute':
      return { ...step, of: step.of.map((operand) => liftArgument(operand, lift)) }
    case 'select': {
      const { where, matching } = step
      return {
        ...step,
        ...(matching !== undefined && { matching: isWords(matching) ? lift(matching) : matching }),
        ...(where !== undefined && { where: { ...where, equals: lift(where.equals) } }),
      }
    }
  }
}

function liftEach(args: { readonly [key: string]: Argument }, lift: Lift): { [key: string]: Argument } {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, liftArgument(value, lift)]))
}

/** Lifts an argument as a whole, keys included, if nothing inside is a reference: a key may contain words too. */
function liftArgument(argument: Argument, lift: Lift): Argument {
  if (isReference(argument)) return argument
  if (!refers(argument)) return { $ref: lift(argument as Json) }
  if (Array.isArray(argument)) return argument.map((inner: Argument) => liftArgument(inner, lift))
  return isPlainRecord(argument) ? liftEach(argument as { [key: string]: Argument }, lift) : argument
}

function refers(argument: unknown): boolean {
  if (isReference(argument)) return true
  return typeof argument === 'object' && argument !== null && Object.values(argument).some(refers)
}
