/**
 * Reads a model's plan answer. Providers that enforce a schema know only closed objects with all keys present, so arguments are
 * a list and missing parts are `null` (`PLAN_ANSWER`). Models without enforcement answer as `role-plan.md` says, possibly in a
 * code fence. Both become the same data. Must not judge: parsePlan does. Called by pipeline/plan.ts.
 */
import { isPlainRecord, isSafeKey, type Json } from '../flow/json.ts'
import type { AnswerSchema } from '../inference/provider.ts'

type Schema = { readonly [key: string]: Json }

const TEXT: Schema = { type: 'string' }
const NUMBER: Schema = { type: 'number' }
const BOOLEAN: Schema = { type: 'boolean' }

const or = (...of: readonly Schema[]): Schema => ({ anyOf: [...of, { type: 'null' }] })
const list = (items: Schema): Schema => ({ type: 'array', items })
const one = (...values: readonly string[]): Schema => ({ type: 'string', enum: [...values] })

function closed(properties: { readonly [key: string]: Schema }): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Exactly one member is not `null`: `ref` names a value, `value` is one. */
const VALUE = { ref: or(TEXT), value: or(TEXT, NUMBER, BOOLEAN) }
const ARGS = list(closed({ name: TEXT, ...VALUE, list: or(list(closed(VALUE))) }))
const WHEN = or(
  closed({
    ref: TEXT,
    is: one('empty', 'not_empty', 'true', 'false', 'equals'),
    value: or(TEXT, NUMBER, BOOLEAN),
  }),
)

function step(verb: string, own: { readonly [key: string]: Schema }): Schema {
  return closed({ id: TEXT, do: one(verb), ...own, when: WHEN, independent: or(BOOLEAN) })
}

const STEP: Schema = {
  anyOf: [
    step('tool', { tool: TEXT, args: ARGS }),
    step('compose', { from: list(TEXT), instruction: TEXT, maxChars: NUMBER }),
    step('classify', { of: TEXT, question: TEXT, options: list(TEXT) }),
    step('select', {
      from: TEXT,
      matching: or(TEXT),
      where: or(closed({ field: TEXT, equals: { anyOf: [TEXT, NUMBER, BOOLEAN] } })),
      take: one('first', 'all'),
    }),
    step('forEach', { in: TEXT, max: NUMBER, tool: TEXT, args: ARGS }),
  ],
}

export const PLAN_ANSWER: AnswerSchema = Object.freeze({
  name: 'plan',
  schema: closed({ steps: list(STEP), explanation: or(TEXT), again: or(BOOLEAN) }),
})

const FENCED = /^```[a-z]*[ \t]*\r?\n(?<inside>[\s\S]*?)\r?\n?```$/i

/** The data of a model's answer, for parsePlan. Throws on invalid JSON, like JSON.parse. */
export function readPlanAnswer(text: string): unknown {
  const plain = text.trim()
  const data: unknown = JSON.parse(FENCED.exec(plain)?.groups?.['inside'] ?? plain)
  if (!isPlainRecord(data) || !Array.isArray(data['steps'])) return data
  return { ...withoutNulls(data), steps: data['steps'].map(openStep) }
}

function openStep(step: unknown): unknown {
  if (!isPlainRecord(step)) return step
  const { args, when, ...rest } = withoutNulls(step)
  return {
    ...rest,
    ...(args !== undefined && { args: openArgs(args) }),
    ...(when !== undefined && { when: isPlainRecord(when) ? withoutNulls(when) : when }),
  }
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

/** Undefined, which no plan may contain, for an item with no value or with several. */
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
