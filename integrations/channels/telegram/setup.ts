/**
 * Sets up an owner's bot: checks the token, finds the owner by a code sent to the bot, and stores both. For the private line the token
 * goes to home's vault, and the edge is not involved; for the line at the edge to the edge's settings, and Telegram's webhook is set.
 * Must not accept anybody without that code, nor remove the webhook of a bot for home: it serves another line. Called by `pfar channel
 * connect`.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { tell as sentence } from '../../../kernel/wording/words.ts'
import type {
  EdgeSetup,
  EdgeSetupPorts,
  Given,
  HomeSetup,
  HomeSetupPorts,
  SetupWords,
  Tokens,
} from '../runtime/home-package.ts'
import { type BotApi, createBotApi, setWebhook } from './api.ts'
import {
  botOf,
  isBotToken,
  SECRET_HEADER,
  TELEGRAM,
  TELEGRAM_ORIGIN,
  telegramConfig,
  WEBHOOK_PATH,
} from './channel.ts'
import { isConflict, troubleWords } from './home-bot.ts'
import { type FoundOwner, findOwner, sayThere } from './home-owner.ts'
import { clearMenus, menuFor } from './menu.ts'

/** Texts of both setups, for home and for the edge. */
const BOT_WORDS: SetupWords = Object.freeze({
  prompts: ['Token of your bot, from @BotFather: '],
  notTokens: 'That is no token of a bot. @BotFather gives you one: digits, a colon, and letters.',
  tokenHint: 'Give it whole, as @BotFather shows it: /mybots, your bot, API Token.',
  device: 'your phone',
  done: 'Write to your bot: that chat is your private line, and may show you what the edge may not know.',
})

function botTokenIn(text: string): Tokens | null {
  const token = text.trim()
  return isBotToken(token) ? { [TELEGRAM]: token } : null
}

export const SETUP: HomeSetup = Object.freeze({
  words: BOT_WORDS,
  tokensIn: botTokenIn,
  // The vault holds the token of another, working bot: it is not replaced in passing.
  taken: (table, tokens) =>
    tokens === null || String(telegramConfig(table).bot) === botOf(tokens[TELEGRAM] ?? '') ? null : ANOTHER,
  connect: connectPrivateBot,
  trouble: (refusal) => (isConflict(refusal) ? troubleWords(refusal) : null),
} satisfies HomeSetup)

const ANOTHER =
  'Another bot is your private line already. `pfar channel disconnect telegram` ends that; then connect this one.'

/**
 * Refusals: credential_rejected (no such bot), remote_rejected (`why`: `webhook` or `polled` for a bot whose messages go elsewhere),
 * pairing_refused (nobody sent the code), those of the vault.
 */
async function connectPrivateBot(ports: HomeSetupPorts): Promise<Result<{ readonly written: boolean }>> {
  const { origin, transport, tokens, code, keep, write, tell } = ports
  const token = tokens[TELEGRAM] ?? ''
  const api = createBotApi({ token, origin, transport })
  const bot = await api.ask((telegram) => telegram.getMe())
  if (!bot.ok) return bot
  // Checked before the owner is asked to send the code.
  const free = await api.ask((telegram) => telegram.getUpdates({ timeout: 0, limit: 1 }))
  if (!free.ok) return free
  const found = await findOwner(api, { bot: bot.value.username, code, tell })
  if (!found.ok) return found
  const kept = await keep(TELEGRAM, token)
  if (!kept.ok) {
    await sayThere(api, found.value, sentence('channels.not_connected'))
    return kept
  }
  const { owner, next } = found.value
  const written = write({ owner, bot: bot.value.id, api: origin })
  // Confirms the code's update, so that it does not arrive as a message.
  await api.ask((telegram) => telegram.getUpdates({ offset: next, timeout: 0, limit: 1 }))
  await sayThere(
    api,
    found.value,
    written ? sentence('channels.at_home') : sentence('channels.not_connected'),
  )
  return ok({ written })
}

export const EDGE_SETUP: EdgeSetup = Object.freeze({
  words: {
    ...BOT_WORDS,
    done: 'Telegram brings what you write there to the edge from now on. Write to your bot.',
  },
  tokensIn: botTokenIn,
  connect: connectBot,
  trouble: SETUP.trouble,
} satisfies EdgeSetup)

interface BotSetup extends EdgeSetupPorts {
  readonly api: BotApi
  readonly token: string
}

/** Milliseconds until the edge must have its new settings. */
const EDGE_WITHIN = 60_000
const LOOK_EVERY = 1_000
const SECRET_BYTES = 32

/** The answer of edges before odd updates were audited, and that of newer ones. */
const taken = z.object({ ok: z.literal(true), ignored: z.enum(['malformed', 'event_malformed']) })

/** Refusals: credential_rejected (no such bot), pairing_refused (nobody sent the code), those of Telegram, and with `of: 'edge'` of the edge. */
async function connectBot(ports: EdgeSetupPorts): ReturnType<EdgeSetup['connect']> {
  const { origin, transport, tokens, code, tell } = ports
  const token = tokens[TELEGRAM] ?? ''
  const api = createBotApi({ token, origin, transport })
  const bot = await api.ask((telegram) => telegram.getMe())
  if (!bot.ok) return bot
  const free = await api.ask((telegram) => telegram.deleteWebhook())
  if (!free.ok) return free
  const found = await findOwner(api, { bot: bot.value.username, code, tell })
  if (!found.ok) return found
  const done = await connectTo({ ...ports, api, token }, found.value)
  await sayThere(
    api,
    found.value,
    done.ok ? sentence('channels.at_edge') : sentence('channels.not_connected'),
  )
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
  return setWebhook(api, { edge, secret, isFresh: true })
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
async function edgeKnows({ http, edge }: EdgeSetupPorts, secret: string): Promise<Result<true>> {
  for (const end = Date.now() + EDGE_WITHIN; ; await pause(LOOK_EVERY)) {
    const answer = await http.request({
      method: 'POST',
      url: `${edge}${WEBHOOK_PATH}`,
      headers: { 'content-type': 'application/json', [SECRET_HEADER]: secret },
      body: '{}',
    })
    if (answer.ok && taken.safeParse(parseJson(answer.value.body)).success) return ok(true)
    if (Date.now() < end) continue
    return answer.ok
      ? err('remote_rejected', { why: 'answer', of: 'edge' })
      : err(answer.reason.code, { ...answer.reason.facts, of: 'edge' })
  }
}
