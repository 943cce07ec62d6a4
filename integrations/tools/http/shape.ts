/**
 * The answer of a web service → declared fields: what the owner declared becomes a value of its kind or is left out, everything else stays text. Pure; must
 * not guess a kind. Called by run.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpResponse } from '../../../kernel/tool/manifest.ts'
import { cleanLine, cleanText, toDate, toInstant } from '../../extractors/page-clean.ts'
import { HTTP_TEXT } from './manifest.ts'
import type { DeclaredField } from './setting.ts'

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]{1,80}\+json)$/
const TEXT_TYPE = /^(?:text\/(?:plain|csv|xml|markdown)|application\/(?:xml|[a-z0-9.+-]{1,80}\+xml|yaml))$/
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/
const NUMBER = /^[+-]?(?:\d{1,17}|\d{0,17}\.\d{1,17})(?:[eE][+-]?\d{1,3})?$/
/** Epoch milliseconds have more digits than seconds: seconds of the year 5138. */
const SECONDS_END = 100_000_000_000

export interface AnswerText {
  readonly text: string
  readonly cut: boolean
}

/** Refusals: tool_result_invalid for a page of the web, and for what is no text. */
export function shapeText({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): Result<AnswerText> {
  const type = typeOf(headers)
  const isJson = JSON_TYPE.test(type)
  if (PAGE_TYPE.test(type) || (!isJson && /^\s*<(?:!doctype html|html)\b/i.test(body)))
    return err('tool_result_invalid', { rule: 'page' })
  if ((type !== '' && !isJson && !TEXT_TYPE.test(type)) || /[\0\ufffd]/.test(body))
    return err('tool_result_invalid', { rule: 'content_type' })
  const text = cleanText(body, HTTP_TEXT.body)
  return ok({ text, cut: body.length > HTTP_TEXT.body })
}

export interface FieldValue {
  readonly field: string
  readonly number?: number
  readonly date?: string
  readonly yes?: boolean
  readonly no?: boolean
  readonly one?: string
  readonly text?: string
}

/**
 * A row for each declared field; one that the answer lacks, or that is of another kind, has no value. Refusals: tool_result_invalid for what is no JSON, and
 * for an answer with none of the fields.
 */
export function shapeFields(
  { headers, body }: Pick<HttpResponse, 'headers' | 'body'>,
  fields: readonly DeclaredField[],
): Result<readonly FieldValue[]> {
  // Services send JSON as anything, but a page is never one.
  if (PAGE_TYPE.test(typeOf(headers))) return err('tool_result_invalid', { rule: 'json' })
  const answer = parsed(body.replace(/^\ufeff/, ''))
  if (!answer.ok) return answer
  const rows = fields.map((field) => rowOf(field, valueAt(answer.value, field.path)))
  return rows.some((row) => Object.keys(row).length > 1)
    ? ok(rows)
    : err('tool_result_invalid', { rule: 'fields' })
}

function typeOf(headers: HttpResponse['headers']): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function parsed(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return err('tool_result_invalid', { rule: 'json' })
  }
}

/** Own members only, so that `__proto__` or `constructor` finds nothing. */
function valueAt(answer: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => {
    if (Array.isArray(found)) return /^\d{1,6}$/.test(key) ? found[Number(key)] : undefined
    return isPlainRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }, answer)
}

function rowOf({ name: field, kind, values }: DeclaredField, value: unknown): FieldValue {
  switch (kind) {
    case 'number': {
      const number = numberIn(value)
      return number === null ? { field } : { field, number }
    }
    case 'date': {
      const date = dateIn(value)
      return date === null ? { field } : { field, date }
    }
    case 'boolean': {
      const is = booleanIn(value)
      return is === null ? { field } : is ? { field, yes: true } : { field, no: true }
    }
    case 'enum': {
      const one = values.find((known) => textIn(value).toLowerCase() === known.toLowerCase())
      return one === undefined ? { field } : { field, one }
    }
    case 'text': {
      const text = textIn(value)
      return text === '' ? { field } : { field, text }
    }
  }
}

/** Services write numbers as text, too: `"21.5"`. */
function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** RFC 3339 or RFC 5322, or seconds or milliseconds since 1970. */
function dateIn(value: unknown): string | null {
  if (typeof value === 'string') return toDate(value)
  if (typeof value !== 'number' || value <= 0) return null
  return toInstant(value < SECONDS_END ? value * 1_000 : value)
}

function booleanIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : null
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return cleanLine(value.slice(0, HTTP_TEXT.value * 4), HTTP_TEXT.value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
