/**
 * Converts a JSON Schema to the form that this API accepts as strict: every property of an object is required. Called by
 * model.ts.
 */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'

/** Strict form has no optional properties, so an optional one becomes required and nullable. */
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
