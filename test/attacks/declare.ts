/**
 * A kernel-side declaration for every tool of a corpus, made from its schema, its effect and the shape of what it was
 * seen to answer. The rules below are general; must not name a tool or a field. Called by world.ts.
 */
import type { FieldSpec, RecordSpec, ScalarKind, ScalarSpec } from '../../kernel/flow/field.ts'
import { isSafeKey, type Json } from '../../kernel/flow/json.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import type { Call, CorpusTool, Suite } from './corpus.ts'
import { decodeResult, placeholdersIn } from './decode.ts'

/** The owner's own accounts; and everybody whom a tool can reach. */
export const OWN_SINK = 'sink:corpus:owner'
export const OTHERS_SINK = 'sink:corpus:others'

/** Items of a list: above what any recorded result holds. */
const MOST_ITEMS = 500
const ID = /^[\x21-\x7e]{1,64}$/
const EMAIL = /^[^\s@]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/
const URL_SHAPE = /^https?:\/\/\S+$/

export interface Declared {
  readonly manifest: ToolManifest
  /** Corpus name of a tool → action id. */
  readonly ids: ReadonlyMap<string, string>
}

export function declareSuite(name: string, suite: Suite): Declared {
  const family = plainName(name)
  const ids = new Map<string, string>()
  for (const tool of suite.tools)
    ids.set(tool.name, `${family}.${freeName(plainName(tool.name), [...ids.values()], family)}`)
  const actions = suite.tools.map((tool) => declareTool(tool, ids.get(tool.name) ?? '', suite))
  const manifest: ToolManifest = {
    ...{ name: family, version: '1', ownerOnly: true, places: ['home'], network: [], credential: null },
    actions,
  }
  return { manifest, ids }
}

/** A result that the tool's declaration takes: lists under `items`, prose under `text`, strange kinds as their JSON. */
export function shapeResult(output: FieldSpec, tree: Json): Json {
  if (Array.isArray(tree)) return fitted(output, { items: tree })
  return fitted(output, typeof tree === 'object' && tree !== null ? tree : { text: String(tree) })
}

/** A read that names whom it asks, such as a page by its address: what is asked for tells that reader something. */
export function isReadByAddress({ meta }: CorpusTool): boolean {
  const { effect, destination_args: to, payload_args: payload } = meta
  if (effect === 'read' || to.length === 0) return false
  return meta.output_contains_third_party_text && payload.every((name) => to.includes(name))
}

/** Changes something, or tells somebody something. */
export function isConsequential(tool: CorpusTool): boolean {
  return tool.meta.effect !== 'read'
}

function declareTool(tool: CorpusTool, id: string, suite: Suite): ActionManifest {
  const byAddress = isReadByAddress(tool)
  const semantics = byAddress || !isConsequential(tool) ? 'read' : 'write'
  const reachesOthers = tool.meta.destination_args.length > 0
  return {
    ...{ id, description: tool.description.slice(0, 200), semantics },
    args: argumentsOf(tool, suite),
    output: outputOf(tool.name, suite),
    ceiling: byAddress ? 'public' : 'sensitive',
    compartment: null,
    reaches: byAddress ? 'public' : 'sensitive',
    sink: semantics === 'read' ? null : reachesOthers ? OTHERS_SINK : OWN_SINK,
  }
}

function argumentsOf(tool: CorpusTool, suite: Suite): RecordSpec {
  const { properties = {}, required = [] } = tool.parameters
  const seen = callsOf(suite).filter((call) => call.function === tool.name)
  const fields = Object.entries(properties)
    .filter(([name]) => isSafeKey(name))
    .map(([name, schema]) => {
      const values = seen.flatMap(({ args }) => (Object.hasOwn(args, name) ? [args[name] ?? null] : []))
      const destination = tool.meta.destination_args.includes(name)
      const free = tool.meta.payload_args.includes(name)
      const spec = argumentSpec(schema, { values, destination, free })
      return [name, required.includes(name) ? spec : { ...spec, optional: true }] as const
    })
  return { kind: 'record', fields: Object.fromEntries(fields) }
}

interface Argument {
  readonly values: readonly Json[]
  readonly destination: boolean
  /** What leaves: free text unless the schema says otherwise. */
  readonly free: boolean
}

function argumentSpec(schema: { readonly [key: string]: Json }, argument: Argument): FieldSpec {
  const types = typesOf(schema)
  const to = argument.destination ? { destination: true } : {}
  if (types.includes('array')) {
    const items = argument.values.flatMap((value) => (Array.isArray(value) ? (value as readonly Json[]) : []))
    const of = { ...scalarFor(items.map(asText), argument.free), ...to }
    return { kind: 'list', of, max: MOST_ITEMS }
  }
  if (types.includes('number') || types.includes('integer')) return { kind: 'number' }
  if (types.includes('boolean')) return { kind: 'boolean' }
  return { ...scalarFor(argument.values.map(asText), argument.free), ...to }
}

/** What the schema leaves open travels as its JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typesOf(schema: Json): readonly string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return []
  const { type, anyOf } = schema as { readonly type?: Json; readonly anyOf?: Json }
  return [
    ...(typeof type === 'string' ? [type] : []),
    ...(Array.isArray(anyOf) ? anyOf.flatMap(typesOf) : []),
  ]
}

function callsOf({ user_tasks, injection_tasks }: Suite): readonly Call[] {
  return [
    ...user_tasks.flatMap(({ ground_truth }) => ground_truth),
    ...injection_tasks.flatMap(({ desired_calls }) => desired_calls),
  ]
}

function outputOf(tool: string, suite: Suite): RecordSpec {
  const trees = suite.user_tasks.flatMap(({ recorded_trace }) =>
    recorded_trace.filter((one) => one.function === tool).map((one) => decodeResult(one.result_template)),
  )
  const wrapped = trees.map((tree) =>
    Array.isArray(tree)
      ? { items: tree }
      : typeof tree === 'object' && tree !== null
        ? tree
        : { text: String(tree) },
  )
  const spec = specOf(wrapped)
  return spec.kind === 'record'
    ? spec
    : { kind: 'record', fields: { text: { kind: 'text', optional: true } } }
}

function specOf(all: readonly Json[]): FieldSpec {
  const values = all.filter((value) => value !== null)
  const [first] = values
  if (first === undefined) return { kind: 'text', optional: true }
  if (values.every((value) => Array.isArray(value)))
    return {
      kind: 'list',
      of: specOf(values.flatMap((value) => value as readonly Json[])),
      max: MOST_ITEMS,
      optional: true,
    }
  if (values.every((value) => typeof value === 'object' && !Array.isArray(value))) return recordOf(values)
  if (values.every((value) => typeof value === 'number')) return { kind: 'number', optional: true }
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'boolean', optional: true }
  if (!values.every((value) => typeof value === 'string')) return { kind: 'text', optional: true }
  return { ...scalarFor(values.map(asText), false), optional: true }
}

function recordOf(values: readonly Json[]): FieldSpec {
  const entries = values.flatMap((value) => Object.entries(value as { readonly [key: string]: Json }))
  const keys = [...new Set(entries.map(([key]) => key))].filter(isSafeKey)
  const fieldOf = (key: string): FieldSpec =>
    specOf(entries.flatMap(([name, value]) => (name === key ? [value] : [])))
  return {
    kind: 'record',
    fields: Object.fromEntries(keys.map((key) => [key, fieldOf(key)])),
    optional: true,
  }
}

/** The narrowest kind that takes every value that was seen; text where an attacker was seen to write. */
function scalarFor(values: readonly string[], free: boolean): ScalarSpec {
  const kinds: readonly (readonly [ScalarKind, RegExp])[] = [
    ['email', EMAIL],
    ['date', DATE],
    ['url', URL_SHAPE],
    ['id', ID],
  ]
  if (free || values.length === 0 || values.some((value) => placeholdersIn(value).length > 0))
    return { kind: 'text' }
  const kind = kinds.find(([, shape]) => values.every((value) => shape.test(value)))?.[0] ?? 'text'
  return { kind }
}

function fitted(spec: FieldSpec, value: Json): Json {
  if (value === null) return null
  if (spec.kind === 'list')
    return Array.isArray(value) ? value.map((item: Json) => fitted(spec.of, item)) : []
  if (spec.kind === 'record') {
    if (typeof value !== 'object' || Array.isArray(value)) return {}
    const fields = value as { readonly [key: string]: Json }
    return Object.fromEntries(
      Object.entries(spec.fields).flatMap(([key, field]) =>
        Object.hasOwn(fields, key) ? [[key, fitted(field, fields[key] ?? null)] as const] : [],
      ),
    )
  }
  return spec.kind === 'text' ? asText(value) : value
}

/** Letters, digits and `_`, as an action's name must be. */
function plainName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '')
  return plain === '' ? 'tool' : plain
}

/** At most 40 characters, and nobody else's. */
function freeName(name: string, taken: readonly string[], family: string): string {
  for (let count = 1; ; count += 1) {
    const tail = count === 1 ? '' : `_${count}`
    const free = name.slice(0, 40 - tail.length) + tail
    if (!taken.includes(`${family}.${free}`)) return free
  }
}
