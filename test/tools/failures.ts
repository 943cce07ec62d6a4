/** Ways in which a JSON service fails, and the reason that each must become. */

import type { ServerResponse } from 'node:http'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { sendJson } from '../kit/server.ts'
import { sendText } from './servers.ts'

type Failure = readonly [what: string, answer: (response: ServerResponse) => void, code: ReasonCode]

const QUOTA = { error: { code: 403, errors: [{ reason: 'rateLimitExceeded' }] } }
const SECRET = 'text-of-the-service'

export const FAILURES: readonly Failure[] = [
  ['400', (response) => sendJson(response, { error: SECRET }, 400), 'remote_rejected'],
  ['401', (response) => sendJson(response, { error: SECRET }, 401), 'remote_unauthorized'],
  ['403', (response) => sendJson(response, { error: SECRET }, 403), 'remote_rejected'],
  ['403 for the rate', (response) => sendJson(response, QUOTA, 403), 'remote_rate_limited'],
  ['404', (response) => sendJson(response, { error: SECRET }, 404), 'remote_not_found'],
  ['429', (response) => sendJson(response, { error: SECRET }, 429), 'remote_rate_limited'],
  ['500', (response) => sendJson(response, { error: SECRET }, 500), 'remote_unavailable'],
  [
    '503 with HTML',
    (response) => sendText(response, `<h1>${SECRET}</h1>`, 'text/html', 503),
    'remote_unavailable',
  ],
  ['304', (response) => response.writeHead(304).end(), 'remote_rejected'],
  [
    '200 with HTML',
    (response) => sendText(response, `<h1>${SECRET}</h1>`, 'text/html'),
    'tool_result_invalid',
  ],
  [
    '200 with half of its JSON',
    (response) => sendText(response, '{"id":"a', 'application/json'),
    'tool_result_invalid',
  ],
  ['200 with nothing', (response) => sendText(response, '', 'application/json'), 'tool_result_invalid'],
  ['200 with a list', (response) => sendJson(response, [SECRET]), 'tool_result_invalid'],
  ['200 with null', (response) => sendJson(response, null), 'tool_result_invalid'],
  ['a hang-up', (response) => response.destroy(), 'network_failed'],
  [
    'a redirect away',
    (response) => response.writeHead(302, { location: 'https://evil.example.com/' }).end(),
    'host_not_allowed',
  ],
]

/** What a service says must not reach a reason: reasons stand in audit rows. */
export function quotesTheService(result: unknown): boolean {
  return JSON.stringify(result).includes(SECRET)
}
