/**
 * The schema of a plan, for planners and canned plans alike, before it is checked against a template (C-11 – C-14): closed
 * verbs, numbered steps, references only to earlier steps. Must not know tools or values. Called by the loader of templates and
 * by kernel/pipeline/plan.ts.
 */
import * as z from 'zod/mini'
import { canonicalJson, isPlainRecord, isSafeKey, type Json } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { type Argument, isReference, OWN, type Plan, parseReference, type Step } from './plan.ts'

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
  /** UTF-16 units of one option or field name. */
  name: 80,
  /** UTF-16 units of one composed text. */
  composed: 10_000,
})

const TOOL = /^[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39}){1,3}$/

const ref = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.text))
const name = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.name))
const instruction = z.string().check(z.minLength(1), z.maxLength(PLAN_BOUNDS.instruction))
const scalar = z.union([name, z.number(), z.boolean()])
const tool = z.string().check(z.regex(TOOL))
const args = z.custom<{ readonly [key: string]: Argument }>(isPlainRecord)
const count = (most: number) => z.number().check(z.int(), z.positive(), z.maximum(most))

const WHEN = z.strictObject({
  ref,
  is: z.enum(['empty', 'not_empty', 'true', 'false', 'equals']),
  value: z.exactOptional(scalar),
})

const COMMON = {
  id: z.string(),
  when: z.exactOptional(WHEN),
  independent: z.exactOptional(z.boolean()),
}

const STEP = z.discriminatedUnion('do', [
  z.strictObject({ ...COMMON, do: z.literal('tool'), tool, args }),
  z.strictObject({
    ...COMMON,
    do: z.literal('compose'),
    from: z.array(ref).check(z.minLength(1), z.maxLength(PLAN_BOUNDS.list)),
    instruction,
    maxChars: count(PLAN_BOUNDS.composed),
  }),
  z.strictObject({
    ...COMMON,
    do: z.literal('classify'),
    of: ref,
    question: instruction,
    options: z.array(name).check(z.minLength(2), z.maxLength(PLAN_BOUNDS.list)),
  }),
  z.strictObject({
    ...COMMON,
    do: z.literal('select'),
    from: ref,
    matching: z.exactOptional(ref),
    where: z.exactOptional(z.strictObject({ field: name, equals: scalar })),
    take: z.enum(['first', 'all']),
  }),
  z.strictObject({
    ...COMMON,
    do: z.literal('forEach'),
    in: ref,
    max: count(PLAN_BOUNDS.forEach),
    tool,
    args,
  }),
])

const PLAN = z.strictObject({
  steps: z.array(STEP),
  explanation: z.exactOptional(z.string().check(z.maxLength(PLAN_BOUNDS.instruction))),
  again: z.exactOptional(z.boolean()),
})

/**
 * Parses a plan from decoded JSON or TOML. Refusals: plan_malformed (shape, unknown or prototype key, wrong numbering);
 * plan_too_long; reference_malformed and reference_forward; plan_duplicate_effect for the same call twice. Truncated text does
 * not decode, so the caller refuses it. `ran`: number of steps that already ran; the plan's steps are numbered after them and
 * may refer to them.
 */
export function parsePlan(input: unknown, ran = 0): Result<Plan> {
  if (!isBounded(input)) return err('plan_malformed')
  if (isPlainRecord(input) && Array.isArray(input['steps']) && input['steps'].length > PLAN_BOUNDS.steps)
    return err('plan_too_long', { max: PLAN_BOUNDS.steps })
  const parsed = PLAN.safeParse(input)
  if (!parsed.success) return err('plan_malformed')
  const { steps, explanation = '', again } = parsed.data
  for (const [index, step] of steps.entries()) {
    const checked = checkStep(step, ran + index)
    if (!checked.ok) return checked
  }
  const repeated = steps.find((step, index) => steps.slice(0, index).some((other) => isSameCall(step, other)))
  return repeated === undefined
    ? ok({ steps, explanation, ...(again === true && { again }) })
    : err('plan_duplicate_effect', { step: repeated.id })
}

function checkStep(step: Step, index: number): Result<true> {
  const position = index + 1
  if (step.id !== `s${position}`) return err('plan_malformed', { step: position })
  if (step.when !== undefined && (step.when.is === 'equals') !== (step.when.value !== undefined))
    return err('plan_malformed', { step: position })
  // A loop whose call does not depend on the item would repeat one effect many times.
  if (step.do === 'forEach' && !JSON.stringify(step.args).includes('"$ref":"item'))
    return err('plan_duplicate_effect', { step: position })
  for (const text of referencesOf(step)) {
    const checked = checkReference(text, position, false)
    if (!checked.ok) return checked
  }
  return 'args' in step ? checkArgument(step.args, position, step.do === 'forEach') : ok(true)
}

/** References outside of arguments. */
function referencesOf(step: Step): readonly string[] {
  const condition = step.when === undefined ? [] : [step.when.ref]
  switch (step.do) {
    case 'tool':
      return condition
    case 'compose':
      return [...condition, ...step.from]
    case 'classify':
      return [...condition, step.of]
    case 'select':
      return [...condition, step.from, ...(step.matching === undefined ? [] : [step.matching])]
    case 'forEach':
      return [...condition, step.in]
  }
}

/** `$ref` must be the only key of its record, so that a reference cannot hide in data. */
function checkArgument(argument: unknown, position: number, inLoop: boolean): Result<true> {
  if (typeof argument !== 'object' || argument === null) return ok(true)
  if (isReference(argument)) return checkReference(argument.$ref, position, inLoop)
  if (Object.hasOwn(argument, '$ref')) return err('reference_malformed', { step: position })
  for (const child of Object.values(argument)) {
    const checked = checkArgument(child, position, inLoop)
    if (!checked.ok) return checked
  }
  return ok(true)
}

function checkReference(text: string, position: number, inLoop: boolean): Result<true> {
  const parsed = parseReference(text)
  if (!parsed.ok) return err('reference_malformed', { step: position })
  const { root } = parsed.value
  if (root === OWN || (root === 'item' && !inLoop)) return err('reference_malformed', { step: position })
  const target = /^s\d/.test(root) ? Number(root.slice(1)) : 0
  return target < position ? ok(true) : err('reference_forward', { step: position })
}

/** True for the same tool with the same arguments: the planner meant one write, not two. */
function isSameCall(a: Step, b: Step): boolean {
  return callBytes(a) !== null && callBytes(a) === callBytes(b)
}

function callBytes(step: Step): string | null {
  if (step.do !== 'tool' && step.do !== 'forEach') return null
  const over = step.do === 'forEach' ? step.in : null
  return canonicalJson([step.tool, over, step.args as Json])
}

/** Plain, shallow, small and without prototype keys, so that the rest of this file may walk it. */
function isBounded(input: unknown): boolean {
  let nodes = 0
  const walk = (node: unknown, depth: number): boolean => {
    nodes += 1
    if (nodes > PLAN_BOUNDS.nodes || depth > PLAN_BOUNDS.depth) return false
    if (typeof node === 'string') return node.length <= PLAN_BOUNDS.text
    if (typeof node === 'number') return Number.isFinite(node)
    if (typeof node === 'boolean' || node === null) return true
    if (Array.isArray(node)) return node.every((child) => walk(child, depth + 1))
    if (!isPlainRecord(node)) return false
    return Object.entries(node).every(([key, child]) => isSafeKey(key) && walk(child, depth + 1))
  }
  return walk(input, 0)
}
