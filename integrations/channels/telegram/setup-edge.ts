/**
 * Sets up an owner's bot as the line at the edge: checks the token, finds the owner by a code sent to the bot, writes the edge's
 * settings and sets Telegram's webhook. The token goes only to Telegram and to the edge's settings. Must not accept anybody without
 * that code. Called by `pfar channel connect`.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { CONNECTED_TO_EDGE, NOT_CONNECTED } from '../../../kernel/features/channels/channel-words.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { EdgeSetup, EdgeSetupWays, Given } from '../runtime/home-setup.ts'
import { type BotApi, createBotApi } from './api.ts'
import { TELEGRAM, TELEGRAM_ORIGIN } from './channel.ts'
import { type FoundOwner, findOwner, sayThere } from './home-owner.ts'
import { clearMenus, menuFor } from './menu.ts'
import { BOT_WORDS, botTokenIn, SETUP } from './setup.ts'
import { SECRET_HEADER, WEBHOOK_PATH, webhookOf } from './webhook.ts'

export const EDGE_SETUP: EdgeSetup = Object.freeze({
  words: {
    ...BOT_WORDS,
    done: 'Telegram brings what you write there to the edge from now on. Write to your bot.',
  },
  tokensIn: botTokenIn,
  connect: connectBot,
  trouble: SETUP.trouble,
} satisfies EdgeSetup)

interface BotSetup extends EdgeSetupWays {
  readonly api: BotApi
  readonly token: string
}

/** Milliseconds until the edge must have its new settings. */
const EDGE_WITHIN = 60_000
const LOOK_EVERY = 1_000
const SECRET_BYTES = 32

const me = z.object({ username: z.string() })
/** The answer of edges before odd updates were audited, and that of newer ones. */
const taken = z.object({ ok: z.literal(true), ignored: z.enum(['malformed', 'event_malformed']) })

/** Refusals: credential_rejected (no such bot), pairing_refused (nobody sent the code), those of Telegram, and with `of: 'edge'` of the edge. */
async function connectBot(ways: EdgeSetupWays): ReturnType<EdgeSetup['connect']> {
  const { origin, transport, tokens, code, tell } = ways
  const token = tokens[TELEGRAM] ?? ''
  const api = createBotApi({ token, origin, transport })
  const bot = parsed(await api.call('getMe', undefined), me)
  if (!bot.ok) return bot
  const free = await api.call('deleteWebhook', {})
  if (!free.ok) return free
  const found = await findOwner(api, { bot: bot.value.username, code, tell })
  if (!found.ok) return found
  const done = await connectTo({ ...ways, api, token }, found.value)
  await sayThere(api, found.value, done.ok ? CONNECTED_TO_EDGE : NOT_CONNECTED)
  return done
}

async function connectTo(
  setup: BotSetup,
  { owner }: Pick<FoundOwner, 'owner'>,
): ReturnType<EdgeSetup['connect']> {
  const { api, tell, edge } = setup
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const set = await giveEdge(setup, { owner, secret })
  if (!set.ok) return set
  const known = await edgeKnows(setup, secret)
  if (!known.ok) return known
  tell('The edge knows the bot.')
  const offered = await offerMenu(setup, owner)
  if (!offered.ok) return offered
  // Drops the code, so that it does not arrive as a message.
  const brought = await api.call('setWebhook', { ...webhookOf(edge, secret), drop_pending_updates: true })
  return brought.ok ? ok(true) : brought
}

/** Sets the owner's commands, in the owner's chat only (O-21). */
async function offerMenu({ api, commands }: BotSetup, owner: number): Promise<Result<unknown>> {
  const cleared = await clearMenus(api)
  return cleared.ok ? menuFor(owner, commands, 'edge').set(api) : cleared
}

function giveEdge(
  { give, token, origin, edge, commands }: BotSetup,
  { owner, secret }: { readonly owner: number; readonly secret: string },
): Promise<Given> {
  const api = origin === TELEGRAM_ORIGIN ? {} : { api: origin }
  return give({
    TELEGRAM: JSON.stringify({ owner, edge, ...api, ...(commands.length > 0 && { commands }) }),
    TELEGRAM_TOKEN: token,
    TELEGRAM_SECRET: secret,
  })
}

/** Sends an empty update with the new secret: only an edge with the new settings accepts it. */
async function edgeKnows({ http, edge }: EdgeSetupWays, secret: string): Promise<Result<true>> {
  for (const end = Date.now() + EDGE_WITHIN; ; await pause(LOOK_EVERY)) {
    const answer = await http.request({
      method: 'POST',
      url: `${edge}${WEBHOOK_PATH}`,
      headers: { 'content-type': 'application/json', [SECRET_HEADER]: secret },
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
