/**
 * Makes the one request of a call to a web service. Must not add anything to what was approved, follow a link, retry, or put a service's text into a refusal.
 * Called through integrations/tools/port.ts.
 */
import type { Level } from '../../../kernel/flow/level.ts'
import { err } from '../../../kernel/flow/verdict.ts'
import type { ScopedHttp, Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { checkTarget } from '../../http/target.ts'
import type { HomeToolPowers } from '../package.ts'
import { checkStatus, UNCLEAR } from '../remote.ts'
import { BODY_TYPES, httpManifest, METHODS } from './manifest.ts'
import {
  type HttpLabel,
  type HttpSetting,
  keyedHost,
  labelOf,
  NO_HTTP,
  requestName,
  UNLABELLED,
} from './setting.ts'
import { shapeFields, shapeText } from './shape.ts'

/** Milliseconds. */
const SECOND = 1_000
const ACCEPT = 'application/json, text/plain;q=0.8, */*;q=0.5'

type Action = (call: ToolCall, setting: HttpSetting) => Promise<ToolOutcome>
type Refused = Extract<ToolOutcome, { readonly ok: false }>
type Answer = Awaited<ReturnType<ScopedHttp['request']>>

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['http.saved', runSaved],
  ['http.request', readAddress],
  ['http.requests', listSaved],
  ['http.host', findHost],
  ['http.send', send],
])

export function createHttpTool({ http = NO_HTTP }: Pick<HomeToolPowers, 'http'> = {}): Tool {
  const waits = createWaits()
  return {
    manifest: httpManifest(http),
    opens: (action, args) => keyedHost(http, addressOf(http, action, args))?.origin ?? null,
    async execute(call) {
      const shut = shutTo(http, call)
      if (shut !== null) return shut
      const keyed = keyedHost(http, addressOf(http, call.action, call.args))
      const opened = keyed === null ? null : await call.open?.(keyed.origin)
      if (opened?.ok === false) return opened
      const client = opened?.value.http ?? call.http
      const one = { ...call, http: waits.around({ ...call, http: client }) }
      const done = (await ACTIONS.get(call.action)?.(one, http)) ?? err('tool_unknown')
      return keyed === null && !done.ok ? withoutKey(done) : done
    },
  }
}

/** A saved request opens its own address and no other of its host, unless that is named as well; null for what is open. */
function shutTo({ hosts, saved }: HttpSetting, { action, args }: ToolCall): Refused | null {
  const url = URL.parse(action === 'http.request' || action === 'http.send' ? String(args['url']) : '')
  if (url === null || hosts.some(({ origin }) => origin === url.origin)) return null
  const there = saved.flatMap((one) => URL.parse(one.url) ?? []).filter(({ origin }) => origin === url.origin)
  const isSaved = action === 'http.request' && there.some(({ href }) => href === url.href)
  if (there.length === 0 || isSaved) return null
  const target = checkTarget(url.href, { hosts: ['*'], exemptOrigins: [] })
  return target.ok ? null : target
}

/** Of what the action asks; empty where it asks nobody. */
function addressOf({ saved }: HttpSetting, action: string, args: ToolCall['args']): string {
  if (action === 'http.saved') {
    const name = requestName(String(args['name']))
    return saved.find((one) => one.name === name)?.url ?? ''
  }
  return action === 'http.request' || action === 'http.send' ? String(args['url']) : ''
}

/** A host that was named without a key has none that could be given anew. */
function withoutKey(refused: Refused): ToolOutcome {
  const { code, facts } = refused.reason
  return code === 'remote_unauthorized' ? err('remote_rejected', { ...facts, rule: 'key' }) : refused
}

/** A host that asked to be left alone is not asked before that time, and says nothing about others. In memory, since a restart may try again. */
function createWaits() {
  const until = new Map<string, number>()
  return {
    around({ http, capability }: ToolCall): ScopedHttp {
      const now = capability.claims.issuedAt
      return {
        async request(request): Promise<Answer> {
          const origin = URL.parse(request.url)?.origin ?? ''
          if (now < (until.get(origin) ?? 0)) return err('remote_rate_limited')
          const answer = await http.request(request)
          const status = answer.ok ? checkStatus(answer.value) : answer
          const wait = status.ok ? undefined : status.reason.facts['wait']
          if (typeof wait === 'number') until.set(origin, now + wait * SECOND)
          return answer
        },
      }
    },
  }
}

async function readAddress(call: ToolCall, setting: HttpSetting): Promise<ToolOutcome> {
  const url = String(call.args['url'])
  const answer = await get(call, url)
  if (!answer.ok) return answer
  const text = shapeText(answer.value)
  if (!text.ok) return text
  const level = levelOf(labelOf(setting, url))
  return { ok: true, output: { status: answer.value.status, ...text.value }, level }
}

async function runSaved(call: ToolCall, { saved }: HttpSetting): Promise<ToolOutcome> {
  const name = requestName(String(call.args['name']))
  const request = saved.find((one) => one.name === name)
  if (request === undefined) return err('remote_not_found', { rule: 'saved' })
  const answer = await get(call, request.url)
  if (!answer.ok) return answer
  const level = levelOf(request.label)
  const { fields } = request
  if (fields.length === 0) {
    const text = shapeText(answer.value)
    return text.ok
      ? { ok: true, output: { name: request.name, values: [], text: text.value.text }, level }
      : text
  }
  const values = shapeFields(answer.value, fields)
  return values.ok ? { ok: true, output: { name: request.name, values: values.value }, level } : values
}

async function listSaved(_: ToolCall, { saved }: HttpSetting): Promise<ToolOutcome> {
  const requests = saved.map(({ name, url, fields }) => ({
    name,
    host: URL.parse(url)?.host ?? '',
    fields: fields.map((field) => field.name).join(', '),
  }))
  return { ok: true, output: { requests } }
}

async function findHost({ args }: ToolCall, setting: HttpSetting): Promise<ToolOutcome> {
  return { ok: true, output: { host: labelOf(setting, String(args['url'])) ?? 'not_named' } }
}

async function send({ args, http }: ToolCall, setting: HttpSetting): Promise<ToolOutcome> {
  const method = METHODS.find((one) => one === args['method'])
  const url = String(args['url'])
  if (method === undefined) return err('tool_arguments_invalid', { rule: 'method' })
  const body = typeof args['body'] === 'string' ? args['body'] : null
  const as = BODY_TYPES.find((one) => one === args['as']) ?? kindOf(body ?? '')
  const made = await http.request({
    ...{ method, url },
    headers: { accept: ACCEPT, ...(body !== null && { 'content-type': CONTENT_TYPES[as] }) },
    ...(body !== null && { body }),
  })
  if (!made.ok) return unclear(made)
  const status = checkStatus(made.value)
  if (!status.ok) return unclear(status)
  // Whatever it answered: it took what was sent.
  const text = shapeText(made.value)
  return {
    ok: true,
    output: {
      status: made.value.status,
      ...(text.ok ? text.value : { cut: false }),
    },
    level: levelOf(labelOf(setting, url)),
  }
}

const CONTENT_TYPES = Object.freeze({
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
})

function kindOf(body: string): 'json' | 'text' {
  try {
    JSON.parse(body)
    return 'json'
  } catch {
    return 'text'
  }
}

const REDIRECTS = /^3\d\d$/

function unclear(refused: Refused): ToolOutcome {
  const { code, facts } = refused.reason
  // A service may do what it was sent, and answer with the place of what it made.
  const isAnswered = code === 'redirect_refused' || REDIRECTS.test(String(facts['status'] ?? ''))
  return isAnswered || UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : refused
}

async function get({ http }: ToolCall, url: string) {
  const answer = await http.request({ method: 'GET', url, headers: { accept: ACCEPT } })
  if (!answer.ok) return answer
  const status = checkStatus(answer.value)
  return status.ok ? answer : status
}

function levelOf(label: HttpLabel | null): Level {
  return label ?? UNLABELLED
}
