/**
 * Parses a plan before it is checked against a template (C-11 – C-14): closed verbs, numbered steps, references only to earlier
 * steps; and reads a model's answer as one, possibly in a code fence. Must not know tools or values. Called by the loader of
 * templates and by kernel/pipeline/plan.ts.
 */
import { canonicalJson, isPlainRecord, isSafeKey, type Json } from '../flow/json.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import type { AnswerSchema } from '../inference/provider.ts'
import {
  COMPUTED,
  EXTRACTED,
  isReference,
  OWN,
  PLAN,
  PLAN_BOUNDS,
  type Plan,
  parseReference,
  type Step,
  sourcesOf,
} from './plan.ts'

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
  if (!parsed.success) return err('plan_malformed', placeOf(parsed.error.issues))
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

/** The step and the field that violate the schema, named by the schema's own names. */
function placeOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): Refusal['facts'] {
  const [, index, field] = issues[0]?.path ?? []
  const step = typeof index === 'number' ? { step: `s${index + 1}` } : {}
  return { ...step, ...(typeof field === 'string' && { field }) }
}

function checkStep(step: Step, index: number): Result<true> {
  const position = index + 1
  if (step.id !== `s${position}`) return err('plan_malformed', { step: position })
  if (step.when !== undefined && (step.when.is === 'equals') !== (step.when.value !== undefined))
    return err('plan_malformed', { step: position })
  if (step.when?.is === 'skipped' && !/^s\d+$/.test(step.when.ref))
    return err('plan_malformed', { step: position })
  // A loop whose call does not depend on the item would repeat one effect many times.
  if (step.do === 'forEach' && !JSON.stringify(step.args).includes('"$ref":"item'))
    return err('plan_duplicate_effect', { step: position })
  const condition = step.when === undefined ? [] : [step.when.ref]
  for (const text of [...condition, ...sourcesOf(step)]) {
    const checked = checkReference(text, position, false)
    if (!checked.ok) return checked
  }
  if (step.do === 'compute') return checkArgument(step.of, position, false)
  if (step.do === 'clarify') {
    const isPlain = step.options.every((option) => isReference(option) || isName(option))
    return isPlain ? checkArgument(step.options, position, false) : err('plan_malformed', { step: position })
  }
  return 'args' in step ? checkArgument(step.args, position, step.do === 'forEach') : ok(true)
}

function isName(option: unknown): boolean {
  return typeof option === 'string' && option.trim() !== '' && option.length <= PLAN_BOUNDS.name
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

/** Whether the input is plain, shallow, small and without prototype keys, so that the rest of this file may walk it. */
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

type Schema = { readonly [key: string]: Json }

const TEXT: Schema = { type: 'string' }
const NUMBER: Schema = { type: 'number' }
const BOOLEAN: Schema = { type: 'boolean' }
const SCALAR: Schema = { anyOf: [TEXT, NUMBER, BOOLEAN] }

const list = (items: Schema): Schema => ({ type: 'array', items })
const one = (...values: readonly string[]): Schema => ({ type: 'string', enum: [...values] })
const defined = (name: string): Schema => ({ $ref: `#/$defs/${name}` })

/** Schema of an object with exactly these properties; `optional` ones may be missing. */
function closed(
  properties: { readonly [key: string]: Schema },
  optional: { readonly [key: string]: Schema } = {},
): Schema {
  const required = Object.keys(properties)
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required,
    additionalProperties: false,
  }
}

/** An argument has one of three forms: `ref` names a value, `value` is a value, `list` holds both. */
const VALUE: Schema = { anyOf: [closed({ ref: TEXT }), closed({ value: SCALAR })] }
const ARG: Schema = {
  anyOf: [
    closed({ name: TEXT, ref: TEXT }),
    closed({ name: TEXT, value: SCALAR }),
    closed({ name: TEXT, list: list(defined('value')) }),
  ],
}
const ANSWER_WHEN = closed(
  { ref: TEXT, is: one('empty', 'not_empty', 'true', 'false', 'equals', 'skipped') },
  { value: SCALAR },
)

function stepAnswer(
  verb: string,
  own: { readonly [key: string]: Schema },
  optional: { readonly [key: string]: Schema } = {},
): Schema {
  return closed(
    { id: TEXT, do: one(verb), ...own },
    { ...optional, when: defined('when'), independent: BOOLEAN },
  )
}

/** The answer schema for a planner's prompt, with the tools that the prompt offers. */
export function planAnswer(tools: readonly string[]): AnswerSchema {
  const tool = defined('tool')
  const step: Schema = {
    anyOf: [
      stepAnswer('tool', { tool, args: list(defined('arg')) }),
      stepAnswer(
        'select',
        { from: TEXT, take: one('first', 'all') },
        { matching: TEXT, where: defined('where') },
      ),
      stepAnswer('forEach', { in: TEXT, max: NUMBER, tool, args: list(defined('arg')) }),
      stepAnswer('classify', { of: TEXT, question: TEXT, options: list(TEXT) }),
      stepAnswer('clarify', { question: TEXT, options: list(defined('value')) }),
      stepAnswer('choose', { from: TEXT, question: TEXT, take: one('first', 'all') }),
      stepAnswer('extract', { from: TEXT, kind: one(...EXTRACTED), question: TEXT }),
      stepAnswer(
        'compute',
        { op: one(...COMPUTED), of: list(defined('value')) },
        { unit: one('minutes', 'hours', 'days') },
      ),
      stepAnswer('compose', { from: list(TEXT), instruction: TEXT, maxChars: NUMBER }),
    ],
  }
  const $defs: Schema = {
    arg: ARG,
    value: VALUE,
    when: ANSWER_WHEN,
    where: closed({ field: TEXT, equals: SCALAR }),
    tool: tools.length === 0 ? TEXT : one(...tools),
    step,
  }
  const { type, ...answer } = closed({ steps: list(defined('step')) }, { again: BOOLEAN, left_out: TEXT })
  return Object.freeze({ name: 'plan', schema: { type: type ?? 'object', ...answer, $defs } })
}

const FENCED = /^```[a-z]*[ \t]*\r?\n(?<inside>[\s\S]*?)\r?\n?```$/i

export interface PlanAnswer {
  /** Input of parsePlan. */
  readonly plan: unknown
  /** The part of the request that the plan omits, and why, in the planner's words; null if it plans all of it. */
  readonly leftOut: string | null
}

/** The data of a model's answer. Throws on invalid JSON, like JSON.parse. */
export function readPlanAnswer(text: string): PlanAnswer {
  const plain = text.trim()
  const data: unknown = JSON.parse(FENCED.exec(plain)?.groups?.['inside'] ?? plain)
  if (!isPlainRecord(data) || !Array.isArray(data['steps'])) return { plan: data, leftOut: null }
  const { left_out: left, ...plan } = withoutNulls(data)
  const leftOut = typeof left === 'string' && left.trim() !== '' ? left.trim() : null
  return { plan: { ...plan, steps: data['steps'].map(openStep) }, leftOut }
}

function openStep(step: unknown): unknown {
  if (!isPlainRecord(step)) return step
  const { args, when, of, options, max, maxChars, ...rest } = withoutNulls(step)
  return {
    ...rest,
    // The schema's maxima are larger; a plan's own limit counts up to the general one.
    ...(max !== undefined && { max: atMost(max, PLAN_BOUNDS.forEach) }),
    ...(maxChars !== undefined && { maxChars: atMost(maxChars, PLAN_BOUNDS.composed) }),
    ...(of !== undefined && { of: step['do'] === 'compute' ? openOperands(of) : of }),
    ...(options !== undefined && {
      options: step['do'] === 'clarify' ? openOperands(options) : options,
    }),
    ...(args !== undefined && { args: openArgs(args) }),
    ...(when !== undefined && { when: isPlainRecord(when) ? withoutNulls(when) : when }),
  }
}

function atMost(limit: unknown, most: number): unknown {
  return typeof limit === 'number' && limit > most ? most : limit
}

/**
 * Turns a list of named arguments into a record. Returns anything else unchanged, including a list with a repeated name, so
 * that parsePlan refuses it.
 */
function openArgs(args: unknown): unknown {
  if (!Array.isArray(args)) return args
  const entries = args.map((item: unknown) => {
    if (!isPlainRecord(item)) return null
    const { name, ...value } = withoutNulls(item)
    return typeof name === 'string' && isSafeKey(name) ? ([name, openValue(value)] as const) : null
  })
  const named = entries.filter((entry) => entry !== null)
  const names = new Set(named.map(([name]) => name))
  return names.size === args.length ? Object.fromEntries(named) : args
}

/** A list of operands: each a reference or a value, written plainly or in the form of the schema. */
function openOperands(of: unknown): unknown {
  if (!Array.isArray(of)) return of
  return of.map((one: unknown) => {
    if (!isPlainRecord(one) || isReference(one)) return one
    return openValue(withoutNulls(one))
  })
}

/** Undefined, which no plan may contain, for an item with no value or with more than one. */
function openValue(item: Readonly<Record<string, unknown>>): unknown {
  const { ref, value, list: items, ...strange } = item
  const said = [ref, value, items].filter((one) => one !== undefined)
  if (said.length !== 1 || Object.keys(strange).length > 0) return undefined
  if (ref !== undefined) return { $ref: ref }
  if (value !== undefined) return value
  return Array.isArray(items)
    ? items.map((one: unknown) => (isPlainRecord(one) ? openValue(withoutNulls(one)) : undefined))
    : undefined
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}
