/** The names that a zod schema reads: paths of fields, tags of unions, words of enums. Used by test/frozen/derive.ts. */

/** The part of a zod schema that tells what it is made of; the same for `zod` and `zod/mini`. */
interface Schema {
  readonly _zod: { readonly def: Definition }
}
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly options?: readonly Schema[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly element?: Schema
  readonly valueType?: Schema
  readonly innerType?: Schema
  readonly in?: Schema
  readonly getter?: () => Schema
}

/** Each leaf as `path: kind`, where a union's branch is named by its literal fields. */
export function namesOfSchema(schema: unknown): string[] {
  return [...new Set(namesAt(asSchema(schema), ''))]
}

function namesAt(schema: Schema, path: string): string[] {
  const { type, shape, options, values, entries, element, valueType, innerType, ...rest } = schema._zod.def
  if (shape !== undefined) {
    const tag = tagOf(shape)
    return Object.entries(shape).flatMap(([key, field]) => namesAt(field, `${path}${tag}.${key}`))
  }
  if (options !== undefined) return options.flatMap((option) => namesAt(option, path))
  if (values !== undefined) return values.map((value) => `${path}: ${String(value)}`)
  if (entries !== undefined) return Object.values(entries).map((value) => `${path}: ${String(value)}`)
  if (element !== undefined) return namesAt(element, `${path}[]`)
  if (valueType !== undefined) return namesAt(valueType, `${path}{}`)
  const inner = innerType ?? rest.in
  if (inner !== undefined) return namesAt(inner, path)
  return [`${path}: ${type}`]
}

/** `(deliver)` for a branch whose `type` is that literal; nothing for a plain object. */
function tagOf(shape: Readonly<Record<string, Schema>>): string {
  const literals = Object.values(shape)
    .map((field) => field._zod.def)
    .filter(({ type, values }) => type === 'literal' && values?.length === 1)
    .map(({ values }) => String(values?.[0]))
  return literals.length === 0 ? '' : `(${literals.join(' ')})`
}

function asSchema(value: unknown): Schema {
  if (typeof value !== 'object' || value === null || !('_zod' in value))
    throw new TypeError('not a schema of zod')
  return value as Schema
}
