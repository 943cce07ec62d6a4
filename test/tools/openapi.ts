/**
 * What an OpenAPI description has against a request: its method, path, query and JSON body. As much of JSON Schema as the description in test/fixtures uses, and
 * strict where it is not: a name that an object does not declare is a fault. Called by notion-openapi.test.ts.
 */

type Json = Readonly<Record<string, unknown>>

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Json
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** One line a fault; empty: nothing. */
export function faultsOf(of: Description, { method, path, query, body }: Request): readonly string[] {
  const found = Object.entries(of.paths).find(([template]) => isOf(template, path))
  const operation = found?.[1][method.toLowerCase()]
  if (found === undefined || operation === undefined) return [`${method} ${path} is not described`]
  const where = `${method} ${found[0]}`
  const parameters = rowsIn(operation['parameters']).map((one) => resolved(of, one))
  const named = (place: string): readonly Json[] => parameters.filter((one) => one['in'] === place)
  const strange = [...query.keys()].filter((name) => !named('query').some((one) => one['name'] === name))
  const missing = named('query').filter((one) => one['required'] === true && !query.has(String(one['name'])))
  const content = recordIn(recordIn(operation['requestBody'])['content'])
  const schema = recordIn(content['application/json'])['schema']
  return [
    ...strange.map((name) => `${where}?${name} is not described`),
    ...missing.map((one) => `${where}?${String(one['name'])} is missing`),
    ...(body === null || body === undefined
      ? schema === undefined
        ? []
        : [`${where} has no body`]
      : schema === undefined
        ? [`${where} takes no body`]
        : faultsIn(of, recordIn(schema), { value: body, at: where })),
  ]
}

interface Place {
  readonly value: unknown
  readonly at: string
}

function faultsIn(of: Description, given: Json, { value, at }: Place): readonly string[] {
  const schema = resolved(of, given)
  const choices = rowsIn(schema['oneOf'] ?? schema['anyOf'])
  if (choices.length > 0) {
    const all = choices.map((one) => faultsIn(of, one, { value, at }))
    return all.some((faults) => faults.length === 0) ? [] : [`${at} fits none of its kinds`]
  }
  if ('const' in schema && schema['const'] !== value) return [`${at} is not ${String(schema['const'])}`]
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value))
    return [`${at} is no value of its set`]
  const kinds = [schema['type']].flat().filter((kind) => kind !== undefined)
  if (kinds.length > 0 && !kinds.some((kind) => isKind(String(kind), value)))
    return [`${at} is no ${kinds.join(' or ')}`]
  if (Array.isArray(value)) return rowsOf(of, schema, { value, at })
  return typeof value === 'object' && value !== null
    ? fieldsOf(of, schema, { value: recordIn(value), at })
    : []
}

function rowsOf(
  of: Description,
  schema: Json,
  { value, at }: { readonly value: readonly unknown[]; readonly at: string },
) {
  const most = schema['maxItems']
  return [
    ...(typeof most === 'number' && value.length > most ? [`${at} has more than ${most}`] : []),
    ...value.flatMap((one) => faultsIn(of, recordIn(schema['items']), { value: one, at: `${at}[]` })),
  ]
}

function fieldsOf(
  of: Description,
  schema: Json,
  { value, at }: { readonly value: Json; readonly at: string },
) {
  const { properties, required, additionalProperties } = schema
  const declared = recordIn(properties)
  const isOpen = additionalProperties === true || (properties === undefined && additionalProperties !== false)
  return [
    ...(Array.isArray(required) ? required : [])
      .filter((name) => !Object.hasOwn(value, String(name)))
      .map((name) => `${at}.${String(name)} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      Object.hasOwn(declared, name)
        ? faultsIn(of, recordIn(declared[name]), { value: inner, at: `${at}.${name}` })
        : isOpen
          ? []
          : [`${at}.${name} is not described`],
    ),
  ]
}

function isKind(kind: string, value: unknown): boolean {
  if (kind === 'null') return value === null
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'integer') return Number.isInteger(value)
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === kind
}

function resolved(of: Description, schema: Json): Json {
  const ref = /^#\/components\/(\w+)\/(\w+)$/.exec(String(schema['$ref'] ?? ''))
  return ref === null ? schema : recordIn(recordIn(of.components[ref[1] ?? ''])[ref[2] ?? ''])
}

function isOf(template: string, path: string): boolean {
  const [want, has] = [template.split('/'), path.split('/')]
  return want.length === has.length && want.every((part, at) => part.startsWith('{') || part === has[at])
}

function recordIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function rowsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(recordIn) : []
}
