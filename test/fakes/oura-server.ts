/**
 * Oura's API v2 as its documentation describes it, as far as the tool uses it: strict about method, token, path and query; answers page by page. Must not answer
 * what Oura would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, sendJson, serve } from '../kit/server.ts'

export const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

type Row = Record<string, unknown>

export interface OuraState {
  readonly sleep: Row[]
  readonly daily_sleep: Row[]
  readonly daily_activity: Row[]
  readonly daily_readiness: Row[]
  readonly heartrate: Row[]
  /** Tokens that it takes. */
  readonly tokens: Set<string>
  /** Documents of one page. */
  pageSize: number
  /** Answers every request in the place of the above, until it is null again. */
  /** `path`: which collection was asked for. */
  instead: ((response: ServerResponse, path: string) => void) | null
  readonly asked: { readonly collection: string; readonly query: Readonly<Record<string, string>> }[]
}

export function ouraState(): OuraState {
  return {
    ...{ sleep: [], daily_sleep: [], daily_activity: [], daily_readiness: [], heartrate: [] },
    ...{ tokens: new Set([TOKEN]), pageSize: 100, instead: null, asked: [] },
  }
}

/** Seconds, as Oura has them. */
export function nightOf(day: string, minutes: number, more: Row = {}): Row {
  return {
    id: `sleep-${day}`,
    day,
    type: 'long_sleep',
    bedtime_start: `${day}T00:05:00+01:00`,
    bedtime_end: `${day}T08:00:00+01:00`,
    total_sleep_duration: minutes * 60,
    deep_sleep_duration: 70 * 60,
    rem_sleep_duration: 90 * 60,
    light_sleep_duration: (minutes - 160) * 60,
    awake_time: 30 * 60,
    time_in_bed: (minutes + 30) * 60,
    average_hrv: 48,
    lowest_heart_rate: 51,
    average_heart_rate: 56.5,
    average_breath: 14.25,
    heart_rate: { interval: 300, items: [60, null, 58], timestamp: `${day}T00:05:00.000+01:00` },
    sleep_phase_5_min: '4421133',
    readiness: { score: 80, contributors: {} },
    ...more,
  }
}

export function activityOf(day: string, steps: number): Row {
  return { id: `activity-${day}`, day, score: 88, steps, active_calories: 512, total_calories: 2_400 }
}

export function scoreOf(day: string, score: number | null): Row {
  return { id: `score-${day}`, day, score, contributors: {}, timestamp: `${day}T00:00:00+00:00` }
}

export function rateOf(timestamp: string, bpm: number): Row {
  return { bpm, source: 'awake', timestamp }
}

export function serveOura(state: OuraState): Promise<Served> {
  return serve((request, response) => answerOura(state, request, response))
}

const DAILY = ['start_date', 'end_date', 'next_token'] as const
const TIMED = ['start_datetime', 'end_datetime', 'next_token'] as const
const COLLECTIONS = {
  sleep: DAILY,
  daily_sleep: DAILY,
  daily_activity: DAILY,
  daily_readiness: DAILY,
  heartrate: TIMED,
} as const
type Name = keyof typeof COLLECTIONS

const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
/** Milliseconds: what it gives of a time series at once. */
const LONGEST = 30 * 86_400_000

/** In the form of its errors. */
function refuse(response: ServerResponse, status: number, title: string): void {
  sendJson(response, { status, title, detail: 'text-of-the-service' }, status)
}

export function answerOura(state: OuraState, request: IncomingMessage, response: ServerResponse): unknown {
  const { authorization, accept } = request.headers
  if (state.instead !== null) return state.instead(response, request.url ?? '')
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''
  if (!state.tokens.has(token)) return refuse(response, 401, 'Unauthorized')
  if (request.method !== 'GET') return refuse(response, 405, 'Method Not Allowed')
  const url = new URL(request.url ?? '', 'http://oura')
  const name = /^\/v2\/usercollection\/([a-z_]+)$/.exec(url.pathname)?.[1] ?? ''
  const query = Object.fromEntries(url.searchParams)
  if (name === 'personal_info' && url.search === '')
    return sendJson(response, { id: '8f9a5221', age: 41, weight: 74.8, email: 'ada@acme.example' })
  if (!Object.hasOwn(COLLECTIONS, name) || accept !== 'application/json')
    return refuse(response, 404, 'Not Found')
  const collection = name as Name
  const known: readonly string[] = COLLECTIONS[collection]
  if (!Object.keys(query).every((key) => known.includes(key)) || !isSpan(collection, query))
    return refuse(response, 400, 'Request Validation Error')
  state.asked.push({ collection, query })
  return sendJson(response, pageOf(state, collection, query))
}

function isSpan(collection: Name, query: Readonly<Record<string, string>>): boolean {
  const [start = '', end = ''] =
    collection === 'heartrate'
      ? [query['start_datetime'], query['end_datetime']]
      : [query['start_date'], query['end_date']]
  const shape = collection === 'heartrate' ? MOMENT : DATE
  const isLong = collection === 'heartrate' && Date.parse(end) - Date.parse(start) > LONGEST
  return shape.test(start) && shape.test(end) && start <= end && !isLong
}

/** The last day of a span of dates is left out of sleep, as it is there for some. */
function pageOf(state: OuraState, collection: Name, query: Readonly<Record<string, string>>): Row {
  const found = state[collection].filter((row) => {
    if (collection === 'heartrate') {
      const at = Date.parse(String(row['timestamp']))
      const [from, to] = [query['start_datetime'], query['end_datetime']].map((one) =>
        Date.parse(String(one)),
      )
      return at >= Number(from) && at <= Number(to)
    }
    const day = String(row['day'])
    const [from = '', to = ''] = [query['start_date'], query['end_date']]
    return day >= from && (collection === 'sleep' ? day < to : day <= to)
  })
  const begin = query['next_token'] === undefined ? 0 : Number(atob(query['next_token']))
  const end = begin + state.pageSize
  return { data: found.slice(begin, end), next_token: end < found.length ? btoa(String(end)) : null }
}
