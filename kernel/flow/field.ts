/**
 * Field kinds: one declaration per action, from which validation, taint, labels and planner visibility follow (DESIGN §2). Must
 * not hold data. Called by record.ts, tool manifests and extractors.
 */
import type { Json, Path } from './json.ts'
import { isPlainRecord, isSafeKey } from './json.ts'
import type { Compartment, Level } from './level.ts'
import { err, ok, type Result } from './verdict.ts'

/** `text` always stays raw. Every other kind is structured and decays to extracted. */
export type ScalarKind = 'number' | 'date' | 'boolean' | 'enum' | 'id' | 'email' | 'url' | 'text'

export interface ScalarSpec {
  readonly kind: ScalarKind
  /** The allowed values of an `enum`. */
  readonly values?: readonly string[]
  /** Maximum UTF-16 units of a string. */
  readonly max?: number
  /** Level of this field, where it differs from the action's ceiling. */
  readonly level?: Level
  readonly compartment?: Compartment
  readonly optional?: boolean
  /**
   * Arguments only: the destination of a write. The value must be typed by the owner, be a contact, or be covered by a grant.
   */
  readonly destination?: boolean
  /**
   * Arguments only: a span of the owner's words that is disclosed to a service with a lower clearance. Needs an approval or a
   * grant (DESIGN §2).
   */
  readonly disclosed?: boolean
  /** Arguments only: it picks among what was read, at the place where the tool runs, and is sent to nobody. */
  readonly stays?: true
  /** Arguments only: the resource that a token is scoped to, such as an account. */
  readonly scope?: boolean
  /**
   * Outputs only: a statement about the result as a whole, for the model or code that words the answer; planners do not get it.
   */
  readonly remark?: boolean
  /**
   * Outputs only: the value was an argument of the call and was not written by the
   * service (`kernel/tool/pages.ts`). Its taint is that of the arguments.
   */
  readonly given?: true
}

export interface ListSpec {
  /** As for a scalar: a statement about the result as a whole, for whoever words the answer. */
  readonly remark?: boolean
  readonly kind: 'list'
  readonly of: FieldSpec
  /** Maximum number of items. A longer list is refused, so that a tool cannot flood a prompt. */
  readonly max: number
  readonly optional?: boolean
}

export interface RecordSpec {
  readonly kind: 'record'
  readonly fields: Readonly<Record<string, FieldSpec>>
  readonly optional?: boolean
  /** Used by a later plan only: left out of the content for a writer, and not accepted in a result that another place stored. */
  readonly apart?: true
}

export type FieldSpec = ScalarSpec | ListSpec | RecordSpec

/** How undeclared keys are treated: dropped in a tool's output, refused in a plan. */
export type UnknownKeys = 'drop' | 'refuse'

/** Default maximum lengths, in UTF-16 units, so that one field cannot fill a prompt or a row. */
const DEFAULT_MAX = { text: 200_000, url: 2_048, structured: 320 } as const
const ID = /^[\x21-\x7e]{1,256}$/
/** No control, bidi or invisible characters: the owner reads the address when approving. */
const EMAIL = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/u
const URL_SHAPE = /^https?:\/\/[^\s\p{C}<>"'`\\^{|}]{1,2040}$/iu
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

export function isStructured(kind: ScalarKind): boolean {
  return kind !== 'text'
}

/** Kinds whose values a planner may see, because no sender can write a sentence in them (DESIGN §2). */
export function isPlannerVisible(kind: ScalarKind): boolean {
  return kind === 'number' || kind === 'date' || kind === 'boolean' || kind === 'enum'
}

/** Validates outside data against a declaration. Returns a fresh tree that holds only declared keys. */
export function parseFields(
  spec: FieldSpec,
  input: unknown,
  unknownKeys: UnknownKeys,
  path = '',
): Result<Json> {
  if (spec.kind === 'list') return parseList(spec, input, unknownKeys, path)
  if (spec.kind === 'record') return parseRecord(spec, input, unknownKeys, path)
  return parseScalar(spec, input, path)
}

/** The declaration at a path. Refuses a path that was not declared. */
export function specAt(spec: FieldSpec, path: Path): Result<FieldSpec> {
  let here: FieldSpec = spec
  for (const step of path) {
    const next: FieldSpec | undefined =
      here.kind === 'list' && typeof step === 'number'
        ? here.of
        : here.kind === 'record' && typeof step === 'string' && Object.hasOwn(here.fields, step)
          ? here.fields[step]
          : undefined
    if (next === undefined) return err('field_unknown', { path: fieldName(path) })
    here = next
  }
  return ok(here)
}

/** Every scalar declared at or under `spec`, with its path; list positions appear as `[]`. */
export function leavesOf(spec: FieldSpec, prefix = ''): readonly (readonly [string, ScalarSpec])[] {
  if (spec.kind === 'list') return leavesOf(spec.of, `${prefix}[]`)
  if (spec.kind !== 'record') return [[prefix === '' ? '*' : prefix, spec]]
  return Object.entries(spec.fields).flatMap(([key, field]) =>
    leavesOf(field, prefix === '' ? key : `${prefix}.${key}`),
  )
}

/** `['emails', 0, 'subject']` → `emails[].subject`: the name a label's atom carries. */
export function fieldName(path: Path): string {
  return path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[]` : name === '' ? step : `${name}.${step}`),
    '',
  )
}

function parseList(spec: ListSpec, input: unknown, unknownKeys: UnknownKeys, path: string): Result<Json> {
  if (!Array.isArray(input)) return err('field_malformed', { path, kind: 'list' })
  if (input.length > spec.max) return err('field_too_large', { path, max: spec.max })
  const items: Json[] = []
  for (const item of input) {
    const parsed = parseFields(spec.of, item, unknownKeys, `${path}[]`)
    if (!parsed.ok) return parsed
    items.push(parsed.value)
  }
  return ok(items)
}

function parseRecord(spec: RecordSpec, input: unknown, unknownKeys: UnknownKeys, path: string): Result<Json> {
  if (!isPlainRecord(input)) return err('field_malformed', { path, kind: 'record' })
  const strange = Object.keys(input).some((key) => !Object.hasOwn(spec.fields, key))
  if (strange && unknownKeys === 'refuse') return err('field_unknown', { path })
  const fields: Record<string, Json> = {}
  for (const [key, field] of Object.entries(spec.fields)) {
    const here = path === '' ? key : `${path}.${key}`
    if (!isSafeKey(key)) return err('field_unknown', { path: here })
    const value = Object.hasOwn(input, key) ? input[key] : undefined
    if (value === undefined || value === null) {
      if (field.optional === true) continue
      return err('field_missing', { path: here })
    }
    const parsed = parseFields(field, value, unknownKeys, here)
    if (!parsed.ok) return parsed
    fields[key] = parsed.value
  }
  return ok(fields)
}

function parseScalar(spec: ScalarSpec, input: unknown, path: string): Result<Json> {
  const malformed = err('field_malformed', { path, kind: spec.kind })
  if (spec.kind === 'number')
    return typeof input === 'number' && Number.isFinite(input) ? ok(input) : malformed
  if (spec.kind === 'boolean') return typeof input === 'boolean' ? ok(input) : malformed
  if (typeof input !== 'string') return malformed
  const max = spec.max ?? DEFAULT_MAX[spec.kind === 'text' || spec.kind === 'url' ? spec.kind : 'structured']
  if (input.length > max) return err('field_too_large', { path, max })
  return matchesKind(spec, input) ? ok(input) : malformed
}

function matchesKind(spec: ScalarSpec, input: string): boolean {
  switch (spec.kind) {
    case 'enum':
      return spec.values?.includes(input) ?? false
    case 'date':
      return DATE.test(input) && !Number.isNaN(Date.parse(input))
    case 'id':
      return ID.test(input)
    case 'email':
      return EMAIL.test(input)
    case 'url':
      return URL_SHAPE.test(input)
    case 'text':
      return true
    default:
      return false
  }
}

/**
 * The names of a result that a step can use, formatted like `outline`. Statements
 * about the result as a whole are left out; they are for whoever words the answer.
 */
export function usableOutline(spec: FieldSpec): string {
  if (spec.kind !== 'record') return outline(spec)
  const isRemark = (field: FieldSpec): boolean =>
    (field.kind === 'boolean' && field.optional === true) || ('remark' in field && field.remark === true)
  const fields = Object.entries(spec.fields).filter(([, field]) => !isRemark(field))
  return outline({ ...spec, fields: Object.fromEntries(fields) })
}

/** The field names of a declaration: `events[id, title, people[name]], more`. */
function outline(spec: FieldSpec): string {
  if (spec.kind === 'list') return spec.of.kind === 'record' ? `[${outline(spec.of)}]` : '[]'
  if (spec.kind !== 'record') return ''
  return Object.entries(spec.fields)
    .map(([name, field]) =>
      field.kind === 'record' ? `${name}{${outline(field)}}` : `${name}${outline(field)}`,
    )
    .join(', ')
}
