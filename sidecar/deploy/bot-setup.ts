/**
 * Makes a bot of the owner's his line at the edge: looks whether the token is one, finds the owner by a code that he sends to it,
 * gives the edge what it needs and tells Telegram where to bring updates. The token goes to Telegram and over wrangler's stdin,
 * and is kept by the edge alone. Must not take anybody for the owner who did not send the code. Called by `pfar telegram`.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { BotApi } from '../../integrations/channels/telegram/api.ts'
import { clearMenus, menuFor } from '../../integrations/channels/telegram/menu.ts'
import { TELEGRAM_ORIGIN } from '../../integrations/channels/telegram/names.ts'
import { webhookOf } from '../../integrations/channels/telegram/webhook.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { OwnCommandEntry } from '../../kernel/task/command.ts'
import type { ScopedHttp } from '../../kernel/tool/http.ts'
import { CONNECTED_TO_EDGE, NOT_CONNECTED } from '../../kernel/wording/channels.ts'
import { type FoundOwner, findOwner, sayThere } from './bot-owner.ts'
import type { Failure } from './deploy.ts'
import type { Wrangler } from './wrangler.ts'

export interface BotSetup {
  readonly api: BotApi
  /** Where the Bot API is. */
  readonly apiOrigin: string
  readonly token: string
  /** Origin of the edge. */
  readonly edge: string
  /** For the edge alone. */
  readonly http: ScopedHttp
  readonly wrangler: Wrangler
  /** Of the Worker; null for the usual one. */
  readonly name: string | null
  /** Commands of the owner's own that the edge may know. */
  readonly commands: readonly OwnCommandEntry[]
  readonly tell: (words: string) => void
}

/** Milliseconds for the edge to have its new settings. */
const EDGE_WITHIN = 60_000
const LOOK_EVERY = 1_000
const SECRET_BYTES = 32

const me = z.object({ username: z.string() })
/** As an edge before the audit of odd updates said it, and as it says it now. */
const taken = z.object({ ok: z.literal(true), ignored: z.enum(['malformed', 'event_malformed']) })

/** Refusals: credential_rejected (no such bot), pairing_refused (nobody sent the code), those of Telegram, and with `of: 'edge'` of the edge. */
export async function connectBot(setup: BotSetup): Promise<Result<true> | Failure> {
  const { api, tell } = setup
  const bot = parsed(await api.call('getMe', undefined), me)
  if (!bot.ok) return bot
  const free = await api.call('deleteWebhook', {})
  if (!free.ok) return free
  const found = await findOwner(api, bot.value.username, tell)
  if (!found.ok) return found
  const done = await connectTo(setup, found.value)
  await sayThere(api, found.value, 'ok' in done && done.ok ? CONNECTED_TO_EDGE : NOT_CONNECTED)
  return done
}

async function connectTo(
  setup: BotSetup,
  { owner }: Pick<FoundOwner, 'owner'>,
): Promise<Result<true> | Failure> {
  const { api, tell } = setup
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const set = await giveEdge(setup, { owner, secret })
  if (!set.ok) return { step: 'keys', why: set.why }
  const known = await edgeKnows(setup, secret)
  if (!known.ok) return known
  tell('The edge knows the bot.')
  const offered = await offerMenu(setup, owner)
  if (!offered.ok) return offered
  const brought = await api.call('setWebhook', {
    ...webhookOf(setup.edge, secret),
    // The code is not a message of his.
    drop_pending_updates: true,
  })
  return brought.ok ? ok(true) : brought
}

/** His commands, in his chat alone (O-21). */
async function offerMenu({ api, commands }: BotSetup, owner: number): Promise<Result<unknown>> {
  const cleared = await clearMenus(api)
  return cleared.ok ? menuFor(owner, commands, 'edge').set(api) : cleared
}

function giveEdge(
  { wrangler, name, token, apiOrigin, edge, commands }: BotSetup,
  { owner, secret }: { readonly owner: number; readonly secret: string },
): ReturnType<Wrangler> {
  const api = apiOrigin === TELEGRAM_ORIGIN ? {} : { api: apiOrigin }
  const values = {
    TELEGRAM: JSON.stringify({ owner, edge, ...api, ...(commands.length > 0 && { commands }) }),
    TELEGRAM_TOKEN: token,
    TELEGRAM_SECRET: secret,
  }
  return wrangler(['secret', 'bulk', ...(name === null ? [] : ['--name', name])], JSON.stringify(values))
}

/** An update that is none, with the secret: only an edge that has the new settings takes it. */
async function edgeKnows({ http, edge }: BotSetup, secret: string): Promise<Result<true>> {
  for (const end = Date.now() + EDGE_WITHIN; ; await pause(LOOK_EVERY)) {
    const answer = await http.request({
      method: 'POST',
      url: `${edge}/telegram/open`,
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: '{}',
    })
    const said = answer.ok ? parsed(ok(decoded(answer.value.body)), taken) : answer
    if (said.ok) return ok(true)
    if (Date.now() >= end) return err(said.reason.code, { ...said.reason.facts, of: 'edge' })
  }
}

function parsed<T>(answer: Result<unknown>, schema: z.ZodMiniType<T>): Result<T> {
  if (!answer.ok) return answer
  const read = z.safeParse(schema, answer.value)
  return read.success ? ok(read.data) : err('remote_rejected', { why: 'answer' })
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
