/**
 * Fireflies' GraphQL API as its documentation describes it, as far as the tool uses it: strict about key, path, query, fields and variables; errors are answers
 * of GraphQL. Must not answer what Fireflies would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const KEY = '01234567-89ab-4cde-8f01-23456789abcd'

type Row = Record<string, unknown>

export interface FirefliesState {
  readonly meetings: Row[]
  /** Answers the next requests in the place of the above. */
  readonly next: ((response: ServerResponse) => void)[]
  readonly asked: { readonly name: string; readonly variables: Row }[]
}

export function firefliesState(): FirefliesState {
  return { meetings: [], next: [], asked: [] }
}

export function meetingRow(id: string, title: string, more: Row = {}): Row {
  return {
    id,
    title,
    date: Date.parse('2026-11-20T09:00:00Z'),
    duration: 31.6,
    organizer_email: 'ada@acme.example',
    participants: ['ada@acme.example', 'tom@acme.example'],
    transcript_url: `https://app.fireflies.ai/view/${id}`,
    speakers: [{ name: 'Ada' }, { name: 'Tom' }],
    sentences: [
      { speaker_name: 'Ada', text: 'Shall we begin?' },
      { speaker_name: 'Ada', text: 'The budget first.' },
      { speaker_name: 'Tom', text: 'Twelve thousand.' },
    ],
    summary: { overview: 'They talked about money.', action_items: '**Tom**\nSend the numbers' },
    ...more,
  }
}

export function failing(response: ServerResponse, code: string, status = 200): void {
  const errors = [{ message: 'text-of-the-service', code, extensions: { code, status } }]
  sendJson(response, { errors, data: null }, status)
}

export function serveFireflies(state: FirefliesState): Promise<Served> {
  return serve((request, response, text) => answer(state, request, response, text))
}

const FIELDS = new Set(
  [
    'id',
    'title',
    'date',
    'duration',
    'organizer_email',
    'participants',
    'transcript_url',
    'name',
    'email',
  ].concat(
    ['speakers', 'sentences', 'speaker_name', 'text', 'summary', 'overview', 'action_items'],
    ['user', 'transcript', 'transcripts'],
  ),
)
const TYPES: Readonly<Record<string, string>> = {
  id: 'String!',
  keyword: 'String',
  fromDate: 'DateTime',
  toDate: 'DateTime',
  limit: 'Int',
  skip: 'Int',
}

function answer(
  state: FirefliesState,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): unknown {
  const { authorization, 'content-type': type } = request.headers
  if (request.method !== 'POST' || request.url !== '/graphql') return sendJson(response, {}, 404)
  if (authorization !== `Bearer ${KEY}`) return failing(response, 'auth_failed', 401)
  if (type !== 'application/json') return failing(response, 'invalid_arguments', 400)
  const { query = '', variables = {}, ...others } = JSON.parse(text) as { query?: string; variables?: Row }
  const [, name = '', declared = '', body = ''] = /^query (\w+)(?:\(([^)]*)\))? (\{.*\})$/.exec(query) ?? []
  const asked = Object.fromEntries(
    [...declared.matchAll(/\$(\w+): ([\w!]+)/g)].map(([, key, kind]) => [key, kind]),
  )
  const fields = body.replace(/\([^)]*\)/g, '').match(/\w+/g) ?? []
  const isKnown =
    Object.keys(others).length === 0 &&
    fields.length > 0 &&
    fields.every((field) => FIELDS.has(field)) &&
    Object.entries(asked).every(([key = '', kind]) => TYPES[key] === kind) &&
    Object.keys(variables).every((key) => Object.hasOwn(asked, key))
  if (!isKnown) return failing(response, 'invalid_arguments', 400)
  state.asked.push({ name, variables })
  const next = state.next.shift()
  if (next !== undefined) return next(response)
  if (fields[0] === 'user')
    return sendJson(response, { data: { user: { email: 'ada@acme.example', name: 'Ada' } } })
  return fields[0] === 'transcript' ? one(state, variables, response) : list(state, variables, response)
}

function one({ meetings }: FirefliesState, { id }: Row, response: ServerResponse): void {
  const found = meetings.find((row) => row['id'] === id)
  if (found === undefined) failing(response, 'object_not_found')
  else sendJson(response, { data: { transcript: found } })
}

function list({ meetings }: FirefliesState, variables: Row, response: ServerResponse): void {
  const { keyword = '', limit = 50, skip = 0, fromDate, toDate } = variables
  const days = [fromDate, toDate].filter((day) => day !== undefined)
  const isInstant = days.every((day) => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(String(day)))
  const isTaken =
    typeof limit === 'number' && limit >= 1 && limit <= 50 && Number.isInteger(skip) && isInstant
  const found = meetings.filter(
    ({ title, date }) =>
      String(title).toLowerCase().includes(String(keyword).toLowerCase()) &&
      (fromDate === undefined || Number(date) >= Date.parse(String(fromDate))) &&
      (toDate === undefined || Number(date) <= Date.parse(String(toDate))),
  )
  const rows = found
    .slice(Number(skip), Number(skip) + Number(limit))
    .map(({ sentences: _said, summary: _made, speakers: _who, ...row }) => row)
  if (isTaken) sendJson(response, { data: { transcripts: rows } })
  else failing(response, 'invalid_arguments', 400)
}
