/**
 * Webhook of the edge's Telegram bot: checks Telegram's secret header before anything else (H-03), and stores the update before
 * acknowledging it (B-25). Must not reply in the chat: the principal's object does, through the egress step. Called by edge.ts.
 */
import { equalBytes } from '@noble/ciphers/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { EdgeRequestPorts } from '../runtime/edge-package.ts'
import { takeTap } from '../runtime/inbox.ts'
import type { BotApi } from './api.ts'
import { botOf, SECRET_HEADER, TELEGRAM, TELEGRAM_OPEN } from './channel.ts'
import type { TelegramSetting } from './edge-setting.ts'
import { eventOf, type Ignored, type Received } from './event.ts'
import { MOST_TOAST, type Tap, tapIn } from './update.ts'

/** Bytes of an update. A message has up to 4,096 characters, as has the one it replies to; a rich one has 32,768. */
export const MAX_UPDATE_BYTES = 512 * 1024

interface Asked {
  readonly request: Request
  readonly ports: EdgeRequestPorts
  readonly setting: TelegramSetting
  readonly api: BotApi
}

export async function answerUpdate(asked: Asked): Promise<Response> {
  const { request, ports, setting } = asked
  if (!isFromTelegram(request, setting)) {
    await ports.reportAuthFailure()
    return ports.refused(err('signature_invalid').reason)
  }
  const body = await ports.body(MAX_UPDATE_BYTES)
  if (!body.ok) return rejected(ports, body.reason.code)
  const update = parseJson(new TextDecoder().decode(body.value))
  const tap = tapIn(update)
  if (tap !== null) return tapped(asked, tap)
  const read = await readAs(asked, update)
  if (!read.ok) return read.ignored === 'malformed' ? rejected(ports, 'event_malformed') : taken(read.ignored)
  const { event, chat } = read
  const told = await ports.take(event)
  if (told.what === 'again') return ports.refused(told.reason)
  if (told.what === 'refused') return taken(told.code)
  // Messages of other people are answered without a model, or show progress once home works on them.
  return !told.duplicate && chat === setting.owner ? typing(chat) : taken()
}

/**
 * Telegram executes a method call in the response to its webhook: the typing indicator shows that the message arrived (C-32), and
 * costs no request.
 */
function typing(chat: number): Response {
  return Response.json({ method: 'sendChatAction', chat_id: chat, action: 'typing' })
}

/** Compares digests of equal length in constant time, so that response times reveal nothing about the secret. */
function isFromTelegram(request: Request, { secret }: TelegramSetting): boolean {
  const said = sha256(utf8ToBytes(request.headers.get(SECRET_HEADER) ?? ''))
  return equalBytes(said, sha256(utf8ToBytes(secret)))
}

/** A button works only for the owner, in the owner's chat, on its own card; anybody else's tap gets no answer (F-02). */
async function tapped({ ports, setting, api }: Asked, tap: Tap): Promise<Response> {
  if (tap.user !== setting.owner || tap.chat !== setting.owner)
    return rejected(ports, 'approval_wrong_principal')
  const settled = await takeTap(ports, { channel: TELEGRAM, key: ports.key, tap })
  if (settled.what === 'again') return ports.refused(settled.reason)
  const text = settled.words.slice(0, MOST_TOAST)
  ports.afterResponse(api.ask((bot) => bot.answerCallbackQuery(tap.query, { text })))
  return settled.what === 'refused' ? taken(settled.code) : taken()
}

/**
 * Drops what the bot itself wrote, unless home never replied through it. Until that is known, none of it is read, stored or passed
 * on (DESIGN §1).
 */
async function readAs({ ports, setting }: Asked, update: unknown): Promise<Received> {
  const { owner, token } = setting
  const line = { owner, name: TELEGRAM_OPEN.chat, bot: botOf(token), place: 'edge' } as const
  const now = ports.now()
  const bare = eventOf(update, { ...line, echo: 'drop' }, now)
  if (bare.echoed !== true) return bare
  return (await ports.mayHaveReplied()) ? bare : eventOf(update, line, now)
}

/** No reply; an audit line, rate-limited. */
async function rejected(ports: EdgeRequestPorts, code: ReasonCode): Promise<Response> {
  await ports.reportRejected(code)
  return taken(code)
}

/** Telegram only needs to know not to deliver the update again; the reason is for manual tests. */
function taken(ignored?: Ignored | ReasonCode): Response {
  return Response.json(ignored === undefined ? { ok: true } : { ok: true, ignored })
}
