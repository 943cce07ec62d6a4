/**
 * The form of a JSON Schema that this API takes as strict: every property of an object is required. Called by model.ts.
 */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'

/** The service's strict form knows no optional properties: one that may be missing is one that may be null. */
export function strictSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(strictSchema)
  if (!isPlainRecord(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, strictSchema(value as Json)]),
  )
  const { properties, required } = schema
  if (!isPlainRecord(properties) || !Array.isArray(required)) return inner
  const nullable = Object.entries(properties).map(([key, value]) => {
    const strict = strictSchema(value as Json)
    return [key, required.includes(key) ? strict : { anyOf: [strict, { type: 'null' }] }]
  })
  return { ...inner, properties: Object.fromEntries(nullable), required: Object.keys(properties) }
}
