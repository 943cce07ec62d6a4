/**
 * GitHub's REST API as its documentation describes it (version 2022-11-28), as far as the tool uses it: strict about token, headers, method, path, query
 * and body, with answers as GitHub gives them, nulls and links included. Must not answer what GitHub would refuse. Called by tests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, serve } from '../kit/server.ts'

export const TOKEN = `github_pat_${'A1b2C3d4'.repeat(8)}`
export const LOGIN = 'ada'

type Row = Record<string, unknown>

export interface GithubState {
  /** By `owner/name`. */
  readonly repos: Record<string, Row>
  /** By `owner/name#1`: as an issue. Pull requests have `pull`, too. */
  readonly issues: Record<string, Row & { readonly pull?: Row; readonly said?: readonly Row[] }>
  readonly notifications: Row[]
  /** The token is a fine-grained one, which GitHub gives no notifications. */
  isFineGrained: boolean
  /** Check runs, statuses, workflow runs. */
  readonly ci: { checks: Row[] | 'withheld'; statuses: Row[] | 'withheld'; runs: Row[] | 'withheld' }
  /** What a search finds. */
  found: Row[]
  /** Answers the next requests in the place of the above; null for one that is let through. */
  readonly next: ((request: Asked, response: ServerResponse) => boolean)[]
  readonly asked: Asked[]
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Row | null
}

export function githubState(): GithubState {
  return {
    ...{ repos: {}, issues: {}, notifications: [], found: [], next: [], asked: [] },
    isFineGrained: false,
    ci: { checks: [], statuses: [], runs: [] },
  }
}

export function repoRow(name: string, more: Row = {}): Row {
  return {
    ...{ id: 1, node_id: 'R_1', full_name: name, private: false, visibility: 'public', archived: false },
    ...{ default_branch: 'main', open_issues_count: 3, description: null, homepage: '', license: null },
    html_url: `https://github.com/${name}`,
    ...more,
  }
}

export function issueRow(repo: string, number: number, more: Row = {}): Row {
  return {
    ...{ id: number, number, title: `Title ${number}`, state: 'open', state_reason: null, comments: 0 },
    ...{
      user: { login: 'sarah', type: 'User' },
      body: 'A body.',
      labels: [],
      assignees: [],
      milestone: null,
    },
    ...{ created_at: '2026-11-20T09:00:00Z', updated_at: '2026-11-21T09:00:00Z', closed_at: null },
    repository_url: `https://api.github.com/repos/${repo}`,
    html_url: `https://github.com/${repo}/issues/${number}`,
    ...more,
  }
}

export const SHA = 'c0ffee'.padEnd(40, '0')

export async function serveGithub(state: GithubState): Promise<Served> {
  return serve((request, response, text) => answer(state, request, response, text))
}

function send(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  const all = {
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-remaining': '4999',
    ...headers,
  }
  response.writeHead(status, all).end(JSON.stringify(body))
}

export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): true {
  const body = { message, documentation_url: 'https://docs.github.com/rest', status: String(status) }
  send(response, body, status, headers)
  return true
}

function answer(
  state: GithubState,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): unknown {
  const url = new URL(request.url ?? '/', 'http://github.test')
  const { authorization, accept, 'x-github-api-version': version, 'user-agent': agent } = request.headers
  if (agent === undefined || agent === '')
    return refuse(response, 403, 'Request forbidden by administrative rules.')
  if (authorization !== `Bearer ${TOKEN}`) return refuse(response, 401, 'Bad credentials')
  const path = decodeURI(url.pathname)
  const body = text === '' ? null : (JSON.parse(text) as Row)
  const asked = { method: request.method ?? '', path, query: url.searchParams, body }
  state.asked.push(asked)
  if (path !== '/user' && (accept !== 'application/vnd.github+json' || version !== '2022-11-28'))
    return refuse(response, 415, 'Unsupported')
  if (state.next.shift()?.(asked, response) === true) return
  return (asked.method === 'GET' ? read : write)(state, asked, response)
}

function read(state: GithubState, { path, query }: Asked, response: ServerResponse): unknown {
  const pageOf = (rows: readonly Row[]): void => page(rows, query, response)
  if (path === '/user') return send(response, { login: LOGIN, id: 1, type: 'User', name: null })
  if (path === '/notifications' && state.isFineGrained)
    return refuse(response, 403, 'Resource not accessible by personal access token')
  if (path === '/notifications')
    return pageOf(state.notifications.filter((row) => query.get('all') === 'true' || row['unread']))
  if (path === '/search/issues')
    return page(state.found, query, response, (items) => ({
      ...{ total_count: state.found.length, incomplete_results: false, items },
    }))
  const [, repo = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(?:\/(.*))?$/.exec(path) ?? []
  const found = state.repos[repo]
  if (found === undefined) return refuse(response, 404, 'Not Found')
  if (rest === '') return send(response, found)
  const [, kind, number, more] = /^(issues|pulls)\/(\d+)(\/comments)?$/.exec(rest) ?? []
  if (kind !== undefined) return readItem(state.issues[`${repo}#${number}`], { kind, more, query }, response)
  if (rest === 'pulls') {
    const pulls = Object.entries(state.issues).filter(
      ([name, row]) => name.startsWith(`${repo}#`) && row.pull,
    )
    return pageOf(pulls.map(([, { said: _said, pull, ...row }]) => ({ ...row, ...pull })))
  }
  const branch = /^branches\/(.+)$/.exec(rest)?.[1]
  if (branch !== undefined)
    return branch === 'gone'
      ? refuse(response, 404, 'Branch not found')
      : send(response, {
          name: branch,
          commit: { sha: SHA, html_url: `https://github.com/${repo}/commit/${SHA}` },
        })
  return readCi(state, rest, { query, response })
}

function readItem(
  item: GithubState['issues'][string] | undefined,
  {
    kind,
    more,
    query,
  }: { readonly kind: string; readonly more: string | undefined; readonly query: URLSearchParams },
  response: ServerResponse,
): unknown {
  if (item === undefined || (kind === 'pulls' && item.pull === undefined))
    return refuse(response, 404, 'Not Found')
  const { said = [], pull, ...row } = item
  if (more !== undefined) return page(said, query, response)
  return send(response, kind === 'pulls' ? { ...row, ...pull } : row)
}

function readCi(
  { ci }: GithubState,
  rest: string,
  { query, response }: { readonly query: URLSearchParams; readonly response: ServerResponse },
): unknown {
  const withheld = (): true => refuse(response, 403, 'Resource not accessible by personal access token')
  const [rows, field] =
    rest === `commits/${SHA}/check-runs`
      ? ([ci.checks, 'check_runs'] as const)
      : rest === `commits/${SHA}/status`
        ? ([ci.statuses, 'statuses'] as const)
        : rest === 'actions/runs' && query.get('head_sha') === SHA
          ? ([ci.runs, 'workflow_runs'] as const)
          : ([null, ''] as const)
  if (rows === null) return refuse(response, 404, 'Not Found')
  return rows === 'withheld'
    ? withheld()
    : page(rows, query, response, (items) => ({ total_count: rows.length, [field]: items }))
}

/** With the header `Link`, as GitHub leads on. */
function page(
  rows: readonly Row[],
  query: URLSearchParams,
  response: ServerResponse,
  wrap: (rows: readonly Row[]) => unknown = (own) => own,
): void {
  const [size, at] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
  if (!(size >= 1 && size <= 100 && at >= 1)) return void refuse(response, 422, 'Validation Failed')
  const isLast = at * size >= rows.length
  const link = isLast
    ? {}
    : {
        link: `<https://api.github.com/x?page=${at + 1}>; rel="next", <https://api.github.com/x?page=9>; rel="last"`,
      }
  send(response, wrap(rows.slice((at - 1) * size, at * size)), 200, link)
}

function write(state: GithubState, { method, path, body }: Asked, response: ServerResponse): unknown {
  const [, repo = '', number = '', comments] =
    /^\/repos\/([^/]+\/[^/]+)\/issues(?:\/(\d+)(\/comments))?$/.exec(path) ?? []
  if (method !== 'POST' || state.repos[repo] === undefined) return refuse(response, 404, 'Not Found')
  const { title, body: text, ...strange } = body ?? {}
  if (Object.keys(strange).length > 0) return refuse(response, 422, 'Validation Failed')
  if (comments !== undefined) {
    if (state.issues[`${repo}#${number}`] === undefined) return refuse(response, 404, 'Not Found')
    if (typeof text !== 'string' || text === '' || title !== undefined)
      return refuse(response, 422, 'Validation Failed')
    return send(
      response,
      { id: 5, body: text, html_url: `https://github.com/${repo}/issues/${number}#issuecomment-5` },
      201,
    )
  }
  if (typeof title !== 'string' || title === '') return refuse(response, 422, 'Validation Failed')
  const next = 1 + Object.keys(state.issues).filter((name) => name.startsWith(`${repo}#`)).length
  const row = issueRow(repo, next, { title, body: text ?? null, user: { login: LOGIN } })
  state.issues[`${repo}#${next}`] = row
  return send(response, row, 201)
}
