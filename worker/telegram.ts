/**
 * Where Telegram brings updates of the edge's bot: the secret that Telegram sends with each is looked at before anything else (H-03),
 * strangers are bounded before an object wakes (H-18), and the update is stored before it is acknowledged (B-25). Must not answer
 * in the chat: the principal's object does, through the egress step. Called by worker/app.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { type Context, Hono } from 'hono'
import { edgeDirectory } from '../durable-objects/directory.ts'
import { objectName } from '../durable-objects/names.ts'
import { telegramApi } from '../durable-objects/telegram-line.ts'
import { buttonIdIn } from '../integrations/channels/runtime/button.ts'
import { type Tap, tapIn } from '../integrations/channels/telegram/button.ts'
import { TELEGRAM_OPEN } from '../integrations/channels/telegram/channel.ts'
import { eventOf, type Ignored, type Received } from '../integrations/channels/telegram/event.ts'
import { botOf } from '../integrations/channels/telegram/token.ts'
import { err, type ReasonCode, type Result } from '../kernel/flow/verdict.ts'
import { invitationSaid } from '../kernel/task/agreement.ts'
import type { InboundEvent } from '../kernel/task/event.ts'
import { codeSaid } from '../kernel/task/identity-link.ts'
import { OWNER_PRINCIPAL, type Principal, principalOf } from '../kernel/task/principal.ts'
import { wordsFor } from '../kernel/wording/words.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from './env.ts'
import { askObject, errorResponse, routeUnknown } from './errors.ts'
import { noteKnock } from './knocks.ts'
import { isPaired } from './paired.ts'
import { readBounded } from './signature.ts'
import { meetStranger } from './strangers.ts'
import type { TelegramSetting } from './telegram-setting.ts'

/** Bytes of an update. A message has 4,096 characters, and one that it answers; a rich one has 32,768. */
export const MAX_UPDATE_BYTES = 512 * 1024

/** UTF-16 units of what a tap is answered with. */
const MOST_TOAST = 200

const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** Refusals that may be over when Telegram brings the update again. Any other is final: an error would hold up what comes behind it. */
const AGAIN: readonly ReasonCode[] = ['storage_failed', 'storage_full', 'edge_locked']

interface Bot {
  Bindings: EdgeEnv
}

export function telegram(): Hono<Bot> {
  const app = new Hono<Bot>()
  app.post('/open', async (context) => {
    const settings = settingsOf(context.env)
    if (!settings.ok) return errorResponse(settings.reason)
    const bot = settings.value.telegram.setting
    if (bot === null) return routeUnknown()
    if (!isFromTelegram(context.req.raw, bot)) {
      await noteKnock(context.env, Date.now())
      return errorResponse(err('signature_invalid').reason)
    }
    return takeUpdate(context, settings.value, bot)
  })
  return app
}

/** Digests are compared, of one length and in constant time: an answer's time tells nothing of the secret. */
function isFromTelegram(request: Request, { secret }: TelegramSetting): boolean {
  const said = sha256(utf8ToBytes(request.headers.get(SECRET_HEADER) ?? ''))
  return crypto.subtle.timingSafeEqual(said, sha256(utf8ToBytes(secret)))
}

async function takeUpdate(
  context: Context<Bot>,
  settings: EdgeSettings,
  bot: TelegramSetting,
): Promise<Response> {
  const { req, env, executionCtx } = context
  const body = await readBounded(req.raw, MAX_UPDATE_BYTES)
  if (!body.ok) return odd(env, body.reason.code)
  const update = decode(body.value)
  const tap = tapIn(update)
  if (tap !== null) return takeTap(context, settings, { bot, tap })
  const read = await readAs(context.env, settings, { bot, update })
  if (!read.ok) return read.ignored === 'malformed' ? odd(env, 'event_malformed') : taken(read.ignored)
  const { event, chat } = read
  const principal = principalOf(event.source, edgeDirectory(bot))
  const name = objectName(settings.nameKey, principal.id)
  const admitted = await admit(env, bot, { event, principal, name })
  if (!admitted.ok) return taken(admitted.reason.code)
  const object = env.PRINCIPALS.getByName(name)
  const received = await askObject(() => object.receive(principal.id, event))
  if (received.ok) {
    if (!received.value.duplicate) executionCtx.waitUntil(showTyping(bot, chat))
    return taken()
  }
  const { code } = received.reason
  if (AGAIN.includes(code)) return errorResponse(received.reason)
  // He wrote something that is not taken: a sentence says so, once for however many deliveries.
  if (principal.class === 'owner')
    await askObject(() => object.notify(principal.id, { id: `telegram:${event.id}`, code }))
  return taken(code)
}

/** A button is the owner's, in his own chat, on the card that it was made for; whoever else taps one hears nothing (F-02). */
async function takeTap(
  { env, executionCtx }: Context<Bot>,
  { nameKey, tokenKey }: EdgeSettings,
  { bot, tap }: { readonly bot: TelegramSetting; readonly tap: Tap },
): Promise<Response> {
  const { user, chat, message, original, query } = tap
  if (user !== bot.owner || chat !== bot.owner) return odd(env, 'approval_wrong_principal')
  const button = original ? buttonIdIn(tokenKey, { channel: 'telegram', chat }, tap.data) : null
  const object = env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
  const settled =
    button === null
      ? err('approval_unknown')
      : await askObject(() => object.tapped(OWNER_PRINCIPAL, { button, chat, message }))
  if (!settled.ok && AGAIN.includes(settled.reason.code)) return errorResponse(settled.reason)
  const text = settled.ok ? settled.value.words : wordsFor(settled.reason.code)
  executionCtx.waitUntil(
    telegramApi(bot).call('answerCallbackQuery', {
      callback_query_id: query,
      text: text.slice(0, MOST_TOAST),
    }),
  )
  return settled.ok ? taken() : taken(settled.reason.code)
}

/**
 * Without what the bot said itself, unless home never spoke by it: before anybody knows whether it did, nothing of that is read, stored
 * or told (DESIGN §1).
 */
async function readAs(
  env: EdgeEnv,
  { nameKey }: EdgeSettings,
  { bot, update }: { readonly bot: TelegramSetting; readonly update: unknown },
): Promise<Received> {
  const now = Date.now()
  const bare = eventOf(update, { ...lineOf(bot), echo: 'drop' }, now)
  if (bare.echoed !== true) return bare
  const object = env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
  const spoke = await askObject(() => object.bothLines(OWNER_PRINCIPAL, { do: 'spoke' }))
  return spoke.ok && !spoke.value ? eventOf(update, lineOf(bot), now) : bare
}

function lineOf({ owner, token }: TelegramSetting): Parameters<typeof eventOf>[1] {
  return { owner, name: TELEGRAM_OPEN.chat, bot: botOf(token), place: 'edge' }
}

interface Knocking {
  readonly event: InboundEvent
  readonly principal: Principal
  /** Of his object: a keyed hash. */
  readonly name: string
}

/**
 * Whom the owner knows passes, and whom he is paired with, up to a rate. Of everybody else nothing wakes but for what the owner
 * lets strangers ask, or for a one-time code that somebody says alone, and of that so many a minute from one chat and so many from all. Refusals:
 * principal_not_allowed, remote_rate_limited.
 */
async function admit(env: EdgeEnv, bot: TelegramSetting, knocking: Knocking): Promise<Result<true>> {
  const { event, principal, name } = knocking
  if (principal.class !== 'third_party') return { ok: true, value: true }
  let paired = await isPaired(env, principal.id, event.at)
  if (!paired && bot.strangers === 'silent' && !isCode(event)) {
    paired = await meetStranger(env, { principal: principal.id, name, event })
    if (!paired) return err('principal_not_allowed')
  }
  // One chat first: whoever is over his own bound uses up nothing of what all have, and no stranger what a friend has.
  const within =
    (await isWithin(env.STRANGER_RATE, name)) && (paired || (await isWithin(env.STRANGERS_RATE, 'strangers')))
  return within ? { ok: true, value: true } : err('remote_rate_limited')
}

/** By its form alone: of an identity link, or of an invitation. A group is nobody who could say one. */
function isCode({ text, source: { group } }: InboundEvent): boolean {
  return !group && (codeSaid(text) !== null || invitationSaid(text) !== null)
}

/** Nobody, where there is nothing to count with. */
async function isWithin(rate: RateLimit | undefined, key: string): Promise<boolean> {
  return rate !== undefined && (await rate.limit({ key })).success
}

/** It says nothing but that the message was taken (C-32). Lost, nobody misses it. */
async function showTyping(bot: TelegramSetting, chat: number): Promise<void> {
  await telegramApi(bot).call('sendChatAction', { chat_id: chat, action: 'typing' })
}

/** What no messenger sends, and somebody else's tap: silence, with a line of the audit up to a rate. */
async function odd(env: EdgeEnv, code: ReasonCode): Promise<Response> {
  await noteKnock(env, Date.now(), { of: 'channel', code })
  return taken(code)
}

/** Telegram needs to know nothing but that the update need not come again; the reason is for whoever looks by hand. */
function taken(ignored?: Ignored | ReasonCode): Response {
  return Response.json(ignored === undefined ? { ok: true } : { ok: true, ignored })
}

function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
