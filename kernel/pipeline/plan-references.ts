/**
 * Checks the references of a plan against declared results and arguments: finds a field that a result does
 * not have, and a list where one value is needed. Runs before any step, so that the planner can correct the
 * plan (DESIGN §10). Must not resolve a value; resolve.ts handles undeclared results. Called by plan.ts.
 */
import { type FieldSpec, specAt } from '../flow/field.ts'
import type { Path } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import {
  type Argument,
  inputsOf,
  isReference,
  parseReference,
  referencesIn,
  type Step,
} from '../task/plan.ts'
import type { Registry } from '../tool/registry.ts'

/** Declared result of a step; null if nothing declares it. */
type Shape = FieldSpec | null

const UNFIT = 'unfit'
const TEXT: FieldSpec = Object.freeze({ kind: 'text' })

/**
 * Refusal: reference_malformed, with the step, the argument, and the tool whose result has no such field.
 * `before`: steps of an earlier plan of the task.
 */
export function checkReferences(
  steps: readonly Step[],
  before: readonly Step[],
  registry: Registry,
): Result<true> {
  const given = new Map<string, Shape>()
  const tools = new Map<string, string>()
  for (const step of [...before, ...steps]) {
    if (!before.includes(step)) {
      const fault = faultIn(step, given, registry)
      if (fault !== null) {
        const tool = tools.get(fault.root) ?? ('tool' in step ? step.tool : undefined)
        const { field } = fault
        return err('reference_malformed', {
          step: step.id,
          ...(field !== undefined && { field }),
          ...(tool !== undefined && { tool }),
        })
      }
    }
    given.set(step.id, shapeOf(step, given, registry))
    if ('tool' in step) tools.set(step.id, step.tool)
  }
  return ok(true)
}

interface Fault {
  readonly root: string
  readonly field?: string
}

type Given = ReadonlyMap<string, Shape>

function faultIn(step: Step, given: Given, registry: Registry): Fault | null {
  const item = step.do === 'forEach' ? itemOf(shapeAt(step.in, given)) : null
  const seen: Given = item === null ? given : new Map([...given, ['item', item]])
  const condition = step.when === undefined ? [] : [step.when.ref]
  const strange = [...condition, ...inputsOf(step)].find((ref) => shapeAt(ref, seen) === UNFIT)
  if (strange !== undefined) return { root: rootOf(strange), ...argumentOf(step, strange) }
  if (step.do === 'select' || step.do === 'choose' || step.do === 'forEach') {
    const from = step.do === 'forEach' ? step.in : step.from
    const list = shapeAt(from, seen)
    if (list !== null && list !== UNFIT && list.kind !== 'list')
      return { root: rootOf(from), field: step.do === 'forEach' ? 'in' : 'from' }
    const where = step.do === 'select' ? step.where : undefined
    const row = itemOf(list)
    if (where !== undefined && row !== null && !specAt(row, where.field.split('.')).ok)
      return { root: rootOf(from), field: 'where' }
  }
  return 'args' in step ? wrongArgument(step, seen, registry) : null
}

function wrongArgument(
  step: Extract<Step, { readonly args: unknown }>,
  given: Given,
  registry: Registry,
): Fault | null {
  const action = lookUpAction(registry, step.tool)
  if (!action.ok) return null
  for (const [name, argument] of Object.entries(step.args)) {
    const spec = action.value.args.fields[name]
    const ref = spec === undefined ? null : misfit(argument, spec, given)
    if (ref !== null) return { root: rootOf(ref), field: name }
  }
  return null
}

/** The first reference to a list or record where a single value is needed; null if all fit. */
function misfit(argument: Argument, spec: FieldSpec, given: Given): string | null {
  if (isReference(argument)) {
    const shape = shapeAt(argument.$ref, given)
    return shape === null || shape === UNFIT || fits(shape, spec) ? null : argument.$ref
  }
  if (!Array.isArray(argument) || spec.kind !== 'list') return null
  // An item of a list of single values may be a list of them (`fitted` in members.ts).
  const each = isSingle(spec.of) ? spec : spec.of
  return argument.map((inner: Argument) => misfit(inner, each, given)).find((ref) => ref !== null) ?? null
}

function fits(shape: FieldSpec, spec: FieldSpec): boolean {
  if (isSingle(spec)) return isSingle(shape)
  if (spec.kind !== 'list' || !isSingle(spec.of)) return true
  const inner = shape.kind === 'list' && shape.of.kind === 'list' ? shape.of : shape
  return isSingle(inner) || (inner.kind === 'list' && isSingle(inner.of))
}

function isSingle({ kind }: FieldSpec): boolean {
  return kind !== 'list' && kind !== 'record'
}

function argumentOf(step: Step, ref: string): { readonly field?: string } {
  const [name] =
    'args' in step
      ? (Object.entries(step.args).find(([, argument]) => referencesIn(argument).includes(ref)) ?? [])
      : []
  return name === undefined ? {} : { field: name }
}

function rootOf(ref: string): string {
  const parsed = parseReference(ref)
  return parsed.ok ? parsed.value.root : ''
}

/** Declared shape behind a reference; `unfit` if the declaration has nothing there. */
function shapeAt(ref: string, given: Given): Shape | typeof UNFIT {
  const parsed = parseReference(ref)
  const root = parsed.ok ? (given.get(parsed.value.root) ?? null) : null
  return !parsed.ok || root === null ? null : shapeUnder(root, parsed.value.path)
}

function shapeUnder(spec: FieldSpec, path: Path): FieldSpec | typeof UNFIT {
  const [step, ...rest] = path
  if (step === undefined) return spec
  if (spec.kind === 'list') {
    if (typeof step === 'number') return shapeUnder(spec.of, rest)
    // A field of a list stands for that field of all items.
    const each = shapeUnder(spec.of, path)
    return each === UNFIT ? UNFIT : { kind: 'list', max: spec.max, of: each }
  }
  if (spec.kind !== 'record' || typeof step !== 'string' || !Object.hasOwn(spec.fields, step)) return UNFIT
  const field = spec.fields[step]
  return field === undefined ? UNFIT : shapeUnder(field, rest)
}

function itemOf(shape: Shape | typeof UNFIT): Shape {
  return shape !== null && shape !== UNFIT && shape.kind === 'list' ? shape.of : null
}

function shapeOf(step: Step, given: Given, registry: Registry): Shape {
  switch (step.do) {
    case 'tool':
      return outputOf(step.tool, registry)
    case 'forEach': {
      const of = outputOf(step.tool, registry)
      return of === null ? null : { kind: 'list', max: step.max, of }
    }
    case 'select':
    case 'choose': {
      const list = shapeAt(step.from, given)
      // The owner chooses among several matches, so the result is not known here.
      if (step.take === 'one' || list === UNFIT) return null
      return step.take === 'all' ? list : itemOf(list)
    }
    case 'clarify':
      return null
    // Each returns one value of an undeclared kind.
    default:
      return TEXT
  }
}

function outputOf(tool: string, registry: Registry): Shape {
  const action = lookUpAction(registry, tool)
  return action.ok ? action.value.output : null
}
