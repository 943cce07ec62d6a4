/**
 * A session at the owner's server (https://atproto.com/specs/xrpc), opened with an app password for one call and kept nowhere: a query, a procedure, and
 * what refusals mean. Must not retry, or put the server's text into a reason. Called by look.ts, write.ts and run.ts.
 */
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpRequest, ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, stringOf } from '../reading.ts'
import { checkStatus, parseRecord } from '../remote.ts'
import { loginIn } from './connect.ts'

export type Query = readonly (readonly [name: string, value: string | number])[]

export interface Session {
  /** Without a slash at the end. */
  readonly base: string
  readonly http: ToolCall['http']
  readonly token: string
  /** Of the account. */
  readonly did: string
  readonly handle: string
}

const DID = /^did:[a-z]{1,20}:[A-Za-z0-9._:%-]{1,200}$/
const HANDLE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const TOKEN = /^[\x21-\x7e]{8,8192}$/

export function isDid(text: string): boolean {
  return DID.test(text)
}

export function isHandle(text: string): boolean {
  return text.length <= 253 && HANDLE.test(text)
}

/** Refusals: credential_missing, remote_unauthorized for what is no app password, those of `ask`. */
export async function openSession(
  base: string,
  { http, credential }: Pick<ToolCall, 'http' | 'credential'>,
): Promise<Result<Session>> {
  if (credential === null) return err('credential_missing')
  const login = loginIn(credential.value)
  // Nothing is sent: it may be the password of the account, which is not ours to hold.
  if (login === null) return err('remote_unauthorized', { rule: 'app_password' })
  const body = JSON.stringify({ identifier: login.identifier, password: login.password })
  const answer = await send(http, {
    method: 'POST',
    url: `${base}/xrpc/com.atproto.server.createSession`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) return answer
  const { value: record } = answer
  const [token, did, handle] = [
    stringOf(record, 'accessJwt'),
    stringOf(record, 'did'),
    stringOf(record, 'handle'),
  ]
  if (fieldOf(record, 'active') === false) return err('remote_rejected', { rule: 'account' })
  if (!TOKEN.test(token) || !isDid(did)) return err('tool_result_invalid', { rule: 'session' })
  return ok({ base, http, token, did, handle: isHandle(handle) ? handle : did })
}

export async function query(session: Session, method: string, params: Query): Promise<Result<JsonRecord>> {
  const search = new URLSearchParams(params.map(([name, value]): [string, string] => [name, String(value)]))
  const url = `${session.base}/xrpc/${method}${search.size === 0 ? '' : `?${search}`}`
  return send(session.http, { method: 'GET', url, headers: headersOf(session) })
}

export async function procedure(
  session: Session,
  method: string,
  body: JsonRecord,
): Promise<Result<JsonRecord>> {
  const headers = { ...headersOf(session), 'content-type': 'application/json' }
  const request = { method: 'POST', url: `${session.base}/xrpc/${method}`, headers } as const
  return send(session.http, { ...request, body: JSON.stringify(body) })
}

function headersOf({ token }: Session): Readonly<Record<string, string>> {
  return { accept: 'application/json', authorization: `Bearer ${token}` }
}

async function send(http: ToolCall['http'], request: HttpRequest): Promise<Result<JsonRecord>> {
  const response = await http.request(request)
  if (!response.ok) return response
  const status = checkStatus(response.value)
  if (!status.ok) return { ok: false, reason: meant(status.reason, response.value.body) }
  return parseRecord(response.value.body)
}

/** Errors by their names; all others are judged by their status. */
const ACCOUNT = [
  'AccountTakedown',
  'AccountSuspended',
  'AccountDeactivated',
  'RepoTakendown',
  'RepoDeactivated',
]
const ENDED = ['ExpiredToken', 'InvalidToken']
const ABSENT = ['NotFound', 'HandleNotFound', 'RecordNotFound']

function meant(reason: Refusal, body: string): Refusal {
  const parsed = parseRecord(body)
  const name = parsed.ok ? stringOf(parsed.value, 'error') : ''
  const { facts } = reason
  if (ACCOUNT.includes(name)) return { code: 'remote_rejected', facts: { ...facts, rule: 'account' } }
  // The session is seconds old: this says nothing of the app password.
  if (ENDED.includes(name)) return { code: 'remote_rejected', facts: { ...facts, rule: 'session' } }
  if (ABSENT.includes(name) && reason.code === 'remote_rejected') return { code: 'remote_not_found', facts }
  return reason
}
