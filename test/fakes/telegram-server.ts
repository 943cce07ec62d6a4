/**
 * A scripted Telegram over real HTTP: the Bot API, strict where the real one is, and people who write to the bot. Everything that is
 * asked of it stands in its transcript. Its own doors, beside `/bot…`, are for tests inside workerd, which cannot hold it: `/control`
 * takes orders, `/transcript`, `/messages` and `/menus` tell. Called by the worker suite's set-up and by the e2e tests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formIn, type SentFile, serveFile } from './telegram-files.ts'
import {
  type Arguments,
  createMessenger,
  echoed,
  METHODS,
  type Messenger,
  queue,
  type StandingMessage,
  shown,
  stand,
  type Webhook,
} from './telegram-methods.ts'
import { badRequest, Refusal } from './telegram-refusal.ts'
import { BOT_TOKEN } from './telegram-token.ts'

/** One request as it came, and what it was answered. */
export interface Asked {
  readonly method: string
  readonly args: Arguments
  /** Null where it was granted. */
  readonly refused: string | null
}

/** What a test orders by `/control`: trouble to come, or what a person does. */
export interface Order {
  /** Requests of a method (all but chat actions and menus) that are refused from now on. */
  readonly refuse?: {
    readonly code: number
    readonly times: number
    readonly after?: number
    readonly words?: string
    /** So many are granted before. */
    readonly skip?: number
    /** Of this method alone. */
    readonly method?: string
  }
  /** Whether the token is one no more. */
  readonly revoked?: boolean
  /** These have written to the bot. */
  readonly chats?: readonly number[]
  /** A person deletes whatever the bot wrote in this chat. */
  readonly clear?: number
  readonly query?: string
  /** Somebody has sent these to the bot, by what Telegram calls them. */
  readonly files?: Readonly<Record<string, SentFile>>
  /** How the webhook fares from now on. */
  readonly fares?: Messenger['fares']
  /** How it stands with the webhook; null for none. */
  readonly webhook?: Partial<Webhook> | null
  /** Requests of this method get no answer from now on; null lets them go. */
  readonly stall?: string | null
  /** Nobody has written to the bot any more. */
  readonly forget?: true
}

export interface ScriptedTelegram {
  readonly origin: string
  readonly messenger: Messenger
  readonly transcript: readonly Asked[]
  order(order: Order): void
  /** Requests that get no answer now. Of an asker that is killed meanwhile they are done all the same. */
  stalled(): number
  /** A person writes to the bot in private; returns the id of the message. Needs no webhook. */
  write(chat: number, text: string): number
  /** What Telegram puts beside an answer to a message that stands there: the whole of it, and who wrote it. */
  replyTo(message: StandingMessage): object
  /** An update that waits for the bot's next question; its number is given here. */
  push(update: object): number
  /** Brings an update to the webhook, as it was set; the status of the answer. */
  bring(update: object): Promise<number>
  close(): Promise<void>
}

/** What the bot does beside what a test looks at: trouble that is ordered is not for it. */
const UNASKED = ['sendChatAction', 'setMyCommands']
/** Where tests inside workerd say that theirs is. */
export const WEBHOOK: Webhook = { url: 'https://edge.example.com/telegram/open', secret: 'x'.repeat(40) }

export async function startTelegram(own = BOT_TOKEN): Promise<ScriptedTelegram> {
  const messenger = createMessenger(Number(own.split(':')[0]))
  /** The question that is held; a second one ends it, as Telegram does. */
  let held: { over: boolean } | null = null
  const transcript: Asked[] = []
  let refusing: NonNullable<Order['refuse']> = { code: 0, times: 0 }
  let isRevoked = false
  let stalling: string | null = null
  /** Whoever waits for such an answer. */
  const stalled = new Set<() => void>()

  const order = (given: Order): void => {
    if (given.refuse !== undefined) refusing = given.refuse
    if (given.fares !== undefined) messenger.fares = given.fares
    isRevoked = given.revoked ?? isRevoked
    if (given.stall !== undefined) stalling = given.stall
    if (given.stall === null) for (const go of stalled) go()
    if (given.forget === true) messenger.chats.clear()
    for (const chat of given.chats ?? []) messenger.chats.add(chat)
    for (const [id, file] of Object.entries(given.files ?? {})) messenger.files.set(id, file)
    if (given.webhook === null) messenger.webhook = null
    else if (given.webhook !== undefined) messenger.webhook = { ...WEBHOOK, ...given.webhook }
    if (given.query !== undefined) messenger.queries.add(given.query)
    for (const [place, { chat, byBot }] of messenger.messages)
      if (byBot && chat === given.clear) messenger.messages.delete(place)
  }

  const call = (path: string, args: Arguments): unknown => {
    const [, token, method = ''] = /^\/bot([^/]*)\/([A-Za-z]+)$/.exec(path) ?? []
    if (token === undefined || !/^\d+:[\w-]{30,}$/.test(token)) throw new Refusal(404, 'Not Found')
    if (token !== own || isRevoked) throw new Refusal(401, 'Unauthorized')
    const known = METHODS[method]
    if (known === undefined) throw new Refusal(404, 'Not Found: method not found')
    const { skip = 0, method: only = method } = refusing
    if (only !== method) return known(messenger, args)
    if (skip > 0) refusing = { ...refusing, skip: skip - 1 }
    else if (refusing.times > 0 && !UNASKED.includes(method)) {
      refusing = { ...refusing, times: refusing.times - 1 }
      const words = refusing.words ?? `Too Many Requests: retry after ${refusing.after}`
      throw new Refusal(refusing.code, words, refusing.code === 429 ? refusing.after : undefined)
    }
    return known(messenger, args)
  }

  const answer = async (path: string, body: Buffer, type: string): Promise<object> => {
    const method = path.split('/').at(-1) ?? ''
    let args: Arguments = {}
    try {
      if (type.startsWith('multipart/form-data')) args = formIn(body, type)
      else args = body.length === 0 ? {} : argumentsIn(body.toString('utf8'))
      const result = call(path, args)
      transcript.push({ method, args, refused: null })
      return { ok: true, result }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, message: description, parameters } = error
      transcript.push({ method, args, refused: description })
      return { ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) }
    }
  }

  /** Telegram makes the call that stands in the answer to its webhook, and says nothing of it. */
  const made = async (answered: Buffer): Promise<void> => {
    const { method, ...args } = argumentsIn(answered.toString('utf8'))
    if (typeof method === 'string')
      await answer(`/bot${own}/${method}`, Buffer.from(JSON.stringify(args)), 'application/json')
  }

  /** Held until there is something, its time is up, its asker is gone, or another question ends it. */
  const hold = async (say: () => Promise<object>, body: Buffer, isGone: () => boolean): Promise<object> => {
    if (held !== null) held.over = true
    const mine = { over: false }
    held = mine
    let said = await say()
    const seconds = body.length === 0 ? 0 : Number(argumentsIn(body.toString('utf8'))['timeout'] ?? 0)
    for (const end = Date.now() + seconds * 1_000; Date.now() < end && isEmpty(said) && !isGone(); ) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (mine.over) return CONFLICT
      if (messenger.queue.length > 0 || messenger.webhook !== null) said = await say()
    }
    if (held === mine) held = null
    return said
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://telegram').pathname
    const body = await read(request)
    if (path === '/transcript') return end(response, transcript)
    if (path === '/menus') return end(response, Object.fromEntries(messenger.menus))
    if (path === '/messages') return end(response, [...messenger.messages.values()])
    if (path === '/control') {
      order(JSON.parse(body.toString('utf8')) as Order)
      return end(response, {})
    }
    if (path === '/answered') {
      await made(body)
      return end(response, {})
    }
    const file = /^\/file\/bot([^/]*)\/(.+)$/.exec(path)
    if (file !== null) {
      transcript.push({ method: 'file', args: { path: file[2] }, refused: null })
      return serveFile(messenger.files, { path: file[2] ?? '', isOurs: file[1] === own }, response)
    }
    let isGone = false
    response.on('close', () => {
      isGone = true
    })
    if (path.split('/').at(-1) === stalling)
      await new Promise<void>((resolve) => {
        const go = (): void => {
          stalled.delete(go)
          resolve()
        }
        stalled.add(go)
        response.on('close', go)
      })
    const say = (): Promise<object> => answer(path, body, request.headers['content-type'] ?? '')
    const said = path.endsWith('/getUpdates') ? await hold(say, body, () => isGone) : await say()
    end(response, said, 'error_code' in said ? Number(said.error_code) : 200)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messenger,
    transcript,
    order,
    stalled: () => stalled.size,
    write(chat, text) {
      messenger.chats.add(chat)
      const message = stand(messenger, { chat, byBot: false, text, entities: [], markup: undefined })
      const from = { id: chat, is_bot: false, first_name: 'P' }
      queue(messenger, { message: { ...shown(message), from } })
      return message.id
    },
    replyTo: (message) => ({ reply_to_message: echoed(messenger, message) }),
    push: (update) => queue(messenger, update),
    async bring(update) {
      const { webhook } = messenger
      if (webhook === null) throw new Error('no webhook is set')
      const headers = {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': webhook.secret,
      }
      const { url } = webhook
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) })
      const answered = Buffer.from(await response.arrayBuffer())
      if (response.ok) await made(answered)
      return response.status
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function isEmpty(said: object): boolean {
  return 'result' in said && Array.isArray(said.result) && said.result.length === 0
}

const CONFLICT = Object.freeze({
  ok: false,
  error_code: 409,
  description:
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
})

function argumentsIn(body: string): Arguments {
  try {
    return JSON.parse(body) as Arguments
  } catch {
    throw badRequest("can't parse request JSON object")
  }
}

function end(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
