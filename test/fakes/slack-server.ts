/**
 * A scripted Slack over real HTTP and real WebSockets: the Web API and Socket Mode, strict where the real one is, and people who write
 * to the app. What is not acknowledged in time it brings again, on any connection. Everything that is asked of it stands in its
 * transcript, without tokens. Called by the tests of the line.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { checkBlocks, checkText, type ShownBlock, SlackError } from './slack-checks.ts'

export const SLACK_APP_TOKEN = 'xapp-1-A0SCRIPTED-1234567890-scripted0token0of0an0app0nobody0has'
export const SLACK_BOT_TOKEN = 'xoxb-1234567890-scripted0token0of0a0bot0nobody0has'
export const SLACK_OWNER = 'U0OWNER'
export const SLACK_TEAM = 'T0TEAM'
export const SLACK_APP = 'A0SCRIPTED'
export const SLACK_DM = 'D0OWNER'
const BOT_USER = 'U0BOT'

export interface SlackStanding {
  readonly ts: string
  readonly channel: string
  readonly text: string
  readonly blocks: readonly ShownBlock[]
  readonly byBot: boolean
}

/** One request as it came, and what it was answered. */
export interface SlackAsked {
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
  /** Null where it was granted. */
  readonly refused: string | null
}

export interface SlackOrder {
  /** Requests of a method that are refused from now on. */
  readonly refuse?: {
    readonly method: string
    readonly error: string
    readonly times: number
    readonly status?: number
    /** Seconds. */
    readonly after?: number
    /** So many are granted before. */
    readonly skip?: number
  }
  readonly revoked?: boolean
  /** The workspace whose bot it is, as `auth.test` says. */
  readonly team?: string
  /** Envelopes are not listened for: as one whose acknowledgements are lost. */
  readonly loseAcknowledgements?: number
  /** Says hello to nobody. */
  readonly silent?: boolean
}

export interface ScriptedSlack {
  readonly origin: string
  readonly messages: ReadonlyMap<string, SlackStanding>
  readonly transcript: readonly SlackAsked[]
  /** What a client did that the real one would not forgive. */
  readonly faults: readonly string[]
  /** Envelopes that were acknowledged, by what brought them: one name however often it was brought. */
  readonly acknowledged: readonly string[]
  /** How often each was brought. */
  readonly brought: ReadonlyMap<string, number>
  /** Addresses of connections that were given out. */
  readonly addresses: readonly string[]
  order(order: SlackOrder): void
  /** A person writes to the app in a direct message; returns the message's timestamp. */
  write(user: string, text: string, extra?: object): string
  /** Any event of the Events API, under a name. */
  push(event: object, outer?: object): string
  /** Somebody taps a button. */
  tap(message: SlackStanding, label: string, over?: { readonly user?: string; readonly team?: string }): void
  /** An envelope of any kind. */
  envelope(of: string, payload: unknown): string
  connections(): number
  /** Slack ends a connection, and says so before. */
  disconnect(reason: 'refresh_requested' | 'warning' | 'link_disabled'): void
  /** The network ends all of them. */
  drop(): void
  /** Sends raw text to all. */
  raw(text: string): void
  close(): Promise<void>
}

/** Milliseconds for an acknowledgement, as Slack gives it; a test may be in more of a hurry. */
export async function startSlack(ackWithin = 3_000): Promise<ScriptedSlack> {
  const messages = new Map<string, SlackStanding>()
  const transcript: SlackAsked[] = []
  const faults: string[] = []
  const acknowledged: string[] = []
  const brought = new Map<string, number>()
  const addresses: string[] = []
  const tickets = new Set<string>()
  const open = new Set<WebSocket>()
  const waiting: Pending[] = []
  const flying = new Map<string, { readonly pending: Pending; readonly timer: NodeJS.Timeout }>()
  /** Brought again, and still to be acknowledged once. */
  const late = new Set<string>()
  let current: SlackOrder = {}
  let refusing: NonNullable<SlackOrder['refuse']> | null = null
  let losing = 0
  let clock = 1_700_000_000
  const nextTime = (): string => {
    clock += 1
    return `${clock}.000100`
  }

  interface Pending {
    readonly name: string
    readonly of: string
    readonly payload: unknown
    readonly attempt: number
  }

  const bring = (pending: Pending): void => {
    const socket = [...open].at(-1)
    if (socket === undefined) {
      waiting.push(pending)
      return
    }
    const id = randomUUID()
    const { name, of, payload, attempt } = pending
    brought.set(name, (brought.get(name) ?? 0) + 1)
    const again = (): void => {
      flying.delete(id)
      late.add(id)
      // A tap is not brought again: its person sees that nothing happened.
      if (of === 'interactive') faults.push(`a tap was not acknowledged: ${name}`)
      else bring({ ...pending, attempt: attempt + 1 })
    }
    flying.set(id, { pending, timer: setTimeout(again, ackWithin) })
    const retries =
      of === 'events_api' ? { retry_attempt: attempt, retry_reason: attempt > 0 ? 'timeout' : '' } : {}
    socket.send(
      JSON.stringify({ envelope_id: id, type: of, accepts_response_payload: false, payload, ...retries }),
    )
  }

  const hear = (text: string): void => {
    const { envelope_id: id, payload: _payload, ...more } = JSON.parse(text) as Record<string, unknown>
    if (Object.keys(more).length > 0) faults.push('an acknowledgement says more')
    const known = flying.get(String(id))
    if (known === undefined) {
      if (!late.delete(String(id))) faults.push('an acknowledgement of nothing')
      return
    }
    if (losing > 0) {
      losing -= 1
      return
    }
    clearTimeout(known.timer)
    flying.delete(String(id))
    acknowledged.push(known.pending.name)
  }

  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const method = /^\/api\/([a-z.A-Z]+)$/.exec(path)?.[1] ?? ''
    let args: Record<string, unknown> = {}
    try {
      args = await argumentsOf(request)
      const result = call(method, tokenOf(request, args), args)
      transcript.push({ method, args, refused: null })
      end(response, 200, { ok: true, ...result })
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      const { message, status, retryAfter } = error
      transcript.push({ method, args, refused: message })
      end(response, status, { ok: false, error: message }, retryAfter)
    }
  })

  const call = (method: string, token: string, args: Record<string, unknown>): object => {
    const run = METHODS[method]
    if (run === undefined) throw new SlackError('unknown_method')
    const wanted = method === 'apps.connections.open' ? SLACK_APP_TOKEN : SLACK_BOT_TOKEN
    if (token !== wanted || current.revoked === true)
      throw new SlackError(
        /^x(?:app|oxb)-/.test(token) && current.revoked !== true ? 'not_allowed_token_type' : 'invalid_auth',
      )
    if (refusing?.method === method && refusing.times > 0) {
      const { error, status = 200, after = null, skip = 0, times } = refusing
      refusing = skip > 0 ? { ...refusing, skip: skip - 1 } : { ...refusing, times: times - 1 }
      if (skip === 0) throw new SlackError(error, status, after)
    }
    return run(args)
  }

  const known = (args: Record<string, unknown>): SlackStanding => {
    const message = messages.get(String(args['ts']))
    if (message === undefined || message.channel !== args['channel'])
      throw new SlackError('message_not_found')
    return message
  }
  const shown = (args: Record<string, unknown>): Pick<SlackStanding, 'text' | 'blocks'> => ({
    text: checkText(args['text']),
    blocks: checkBlocks(args['blocks']),
  })
  const METHODS: Readonly<Record<string, (args: Record<string, unknown>) => object>> = {
    'auth.test': () => ({
      ...{
        url: 'https://scripted.slack.com/',
        team: 'Scripted',
        user: 'pfar',
        team_id: current.team ?? SLACK_TEAM,
      },
      ...{ user_id: BOT_USER, bot_id: 'B0BOT', is_enterprise_install: false },
    }),
    'apps.connections.open': () => {
      const ticket = randomUUID()
      tickets.add(ticket)
      const url = `${origin.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${SLACK_APP}`
      addresses.push(url)
      return { url }
    },
    'chat.postMessage': (args) => {
      if (args['unfurl_links'] !== false || args['unfurl_media'] !== false) faults.push('previews are on')
      if (!String(args['channel']).startsWith('D')) throw new SlackError('channel_not_found')
      const message = { ts: nextTime(), channel: String(args['channel']), byBot: true, ...shown(args) }
      messages.set(message.ts, message)
      echo(message)
      return { channel: message.channel, ts: message.ts, message }
    },
    'chat.update': (args) => {
      const before = known(args)
      if (!before.byBot) throw new SlackError('cant_update_message')
      messages.set(before.ts, { ...before, ...shown(args) })
      return { channel: before.channel, ts: before.ts }
    },
    'chat.delete': (args) => {
      const before = known(args)
      if (!before.byBot) throw new SlackError('cant_delete_message')
      messages.delete(before.ts)
      return { channel: before.channel, ts: before.ts }
    },
  }

  /** An app hears its own words, too. */
  const echo = ({ ts, channel, text }: SlackStanding): void => {
    push({
      type: 'message',
      user: BOT_USER,
      bot_id: 'B0BOT',
      app_id: SLACK_APP,
      text,
      ts,
      channel,
      channel_type: 'im',
    })
  }
  const push = (event: object, outer: object = {}): string => {
    const name = `Ev${randomUUID().slice(0, 8)}`
    const payload = {
      ...{ token: 'legacy-verification-token', team_id: SLACK_TEAM, api_app_id: SLACK_APP, event },
      ...{ type: 'event_callback', event_id: name, event_time: clock, authorizations: [], ...outer },
    }
    bring({ name, of: 'events_api', payload, attempt: 0 })
    return name
  }
  const envelope = (of: string, payload: unknown): string => {
    const name = randomUUID()
    bring({ name, of, payload, attempt: 0 })
    return name
  }

  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    socket.on('error', () => undefined)
    const url = new URL(request.url ?? '/', 'http://slack')
    if (url.pathname !== '/link/' || !tickets.delete(url.searchParams.get('ticket') ?? '')) {
      faults.push('a connection without a ticket')
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      return
    }
    if (request.headers.authorization !== undefined) faults.push('a token went along with a connection')
    sockets.handleUpgrade(request, socket, head, (made) => {
      made.on('message', (data) => hear(String(data)))
      made.on('close', () => open.delete(made))
      if (current.silent === true) return
      const connection = { app_id: SLACK_APP }
      made.send(
        JSON.stringify({ type: 'hello', num_connections: open.size + 1, connection_info: connection }),
      )
      open.add(made)
      for (const one of waiting.splice(0)) bring(one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ origin, messages, transcript, faults, acknowledged, brought, addresses, push, envelope },
    order(given) {
      current = { ...current, ...given }
      refusing = given.refuse ?? refusing
      losing = given.loseAcknowledgements ?? losing
    },
    write(user, text, extra = {}) {
      const ts = nextTime()
      const channel = user === SLACK_OWNER ? SLACK_DM : `D0${user}`
      messages.set(ts, { ts, channel, text, blocks: [], byBot: false })
      const said = { client_msg_id: randomUUID(), type: 'message', user, text, ts, team: SLACK_TEAM }
      push({ ...said, channel, event_ts: ts, channel_type: 'im', ...extra })
      return ts
    },
    tap(message, label, { user = SLACK_OWNER, team = SLACK_TEAM } = {}) {
      const button = message.blocks
        .flatMap(({ elements = [] }) => elements)
        .find(({ text }) => text.text === label)
      envelope('interactive', {
        ...{
          type: 'block_actions',
          api_app_id: SLACK_APP,
          token: 'legacy-verification-token',
          trigger_id: '1.2',
        },
        team: { id: SLACK_TEAM, domain: 'scripted' },
        user: { id: user, username: 'x', name: 'x', team_id: team },
        container: {
          type: 'message',
          message_ts: message.ts,
          channel_id: message.channel,
          is_ephemeral: false,
        },
        channel: { id: message.channel, name: 'directmessage' },
        response_url: 'https://hooks.slack.com/actions/whoever-holds-this',
        actions: [{ type: 'button', action_id: button?.action_id ?? '', block_id: 'b', action_ts: '1.2' }],
      })
    },
    connections: () => open.size,
    disconnect(reason) {
      for (const one of open)
        one.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'x' } }))
    },
    drop() {
      for (const one of open) one.terminate()
      open.clear()
    },
    raw(text) {
      for (const one of open) one.send(text)
    },
    async close() {
      for (const { timer } of flying.values()) clearTimeout(timer)
      flying.clear()
      for (const one of sockets.clients) one.terminate()
      sockets.close()
      await new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
    },
  }
}

/** In the header, and nowhere else. */
function tokenOf(request: IncomingMessage, args: Readonly<Record<string, unknown>>): string {
  if ('token' in args || /token=/.test(request.url ?? '')) throw new SlackError('token_outside_of_header')
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new SlackError('not_authed')
  return token
}

/** JSON, or a form as the official client sends it. */
async function argumentsOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  if (request.method !== 'POST') throw new SlackError('insecure_request')
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, fieldOf(value)]))
  if (type !== 'application/json; charset=utf-8') throw new SlackError('missing_charset')
  const args = decoded(body)
  if (typeof args === 'object' && args !== null && !Array.isArray(args))
    return args as Record<string, unknown>
  throw new SlackError('invalid_json')
}

/** Lists and truth values stand in a form as JSON. */
function fieldOf(value: string): unknown {
  return /^(?:\[|true$|false$)/.test(value) ? decoded(value) : value
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function end(response: ServerResponse, status: number, body: object, after: number | null = null): void {
  const wait = after === null ? {} : { 'retry-after': String(after) }
  response.writeHead(status, { 'content-type': 'application/json', ...wait })
  response.end(JSON.stringify(body))
}
