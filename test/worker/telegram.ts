/** Helpers of the worker tests for the scripted Telegram and the edge's route for its updates. */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import type { Update } from 'grammy/types'
import { inject } from 'vitest'
import type { EdgeEnv } from '../../durable-objects/platform/env.ts'
import { createApp } from '../../worker/app.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import type { Asked, Order } from '../fakes/telegram-server.ts'
import { fresh, SECRET } from '../fakes/telegram-updates.ts'
import { until } from './edge.ts'
import { EDGE } from './signed.ts'

const HEADER = 'x-telegram-bot-api-secret-token'

export function webhookRequest(body: string, secret: string | null = SECRET): Request {
  const headers = { 'content-type': 'application/json', ...(secret !== null && { [HEADER]: secret }) }
  return new Request(`${EDGE}/telegram/open`, { method: 'POST', headers, body })
}

export interface Acknowledged {
  readonly status: number
  /** Why the update was ignored; absent when it was taken. */
  readonly ignored?: string
}

/** Delivers an update, as Telegram does. */
export async function bring(update: Update): Promise<Acknowledged> {
  const response = await exports.default.fetch(webhookRequest(JSON.stringify(update)))
  const body = await response.text()
  await fetch(`${inject('telegram')}/answered`, { method: 'POST', body })
  const { ignored } = JSON.parse(body) as { ignored?: string }
  return { status: response.status, ...(ignored !== undefined && { ignored }) }
}

/** The route with other bindings than the suite's. */
export async function bringTo(
  bindings: Readonly<Record<string, unknown>>,
  body: unknown,
): Promise<Acknowledged> {
  const context = createExecutionContext()
  const response = await createApp().fetch(
    webhookRequest(JSON.stringify(body)),
    { ...env, ...bindings } as EdgeEnv,
    context,
  )
  await waitOnExecutionContext(context)
  const { ignored } = await response.json<{ ignored?: string }>()
  return { status: response.status, ...(ignored !== undefined && { ignored }) }
}

export async function order(given: Order): Promise<void> {
  await fetch(`${inject('telegram')}/control`, { method: 'POST', body: JSON.stringify(given) })
}

/** Requests of the bot about one chat, in order, without chat actions. */
export async function askedFor(chat: number): Promise<readonly Asked[]> {
  return (await transcriptOf(chat)).filter(
    ({ method }) => !['sendChatAction', 'setMyCommands'].includes(method),
  )
}

/** How often the chat showed the typing indicator. */
export async function typingIn(chat: number): Promise<number> {
  return (await transcriptOf(chat)).filter(({ method }) => method === 'sendChatAction').length
}

async function transcriptOf(chat: number): Promise<readonly Asked[]> {
  const all = await (await fetch(`${inject('telegram')}/transcript`)).json<readonly Asked[]>()
  return all.filter(({ args }) => args['chat_id'] === chat)
}

/** The bot's messages in a chat, without progress messages. */
export async function standingIn(chat: number): Promise<readonly StandingMessage[]> {
  return (await allIn(chat)).filter(({ text }) => !text.endsWith('…'))
}

/** The progress message; undefined when there is none. */
export async function progressIn(chat: number): Promise<StandingMessage | undefined> {
  return (await allIn(chat)).find(({ text }) => text.endsWith('…'))
}

async function allIn(chat: number): Promise<readonly StandingMessage[]> {
  const all = await (await fetch(`${inject('telegram')}/messages`)).json<readonly StandingMessage[]>()
  return all.filter((message) => message.byBot && message.chat === chat)
}

/** Resolves once there are this many messages. */
export function answersIn(chat: number, count: number): Promise<readonly StandingMessage[]> {
  return until(
    () => standingIn(chat),
    (found) => found.length >= count,
  )
}

export interface Tapping {
  readonly user: number
  readonly chat: number
  readonly message: number
  readonly data: string
  /** The tap is on a forwarded copy of the card. */
  readonly copy: boolean
}

/** A tap on a card's button, as Telegram delivers it; the callback query waits for its answer. */
export async function tapOn(
  card: StandingMessage,
  label: 'Yes' | 'No' | 'Go' | 'Stop',
  over: Partial<Tapping>,
): Promise<Update> {
  const buttons = (card.markup?.inline_keyboard ?? []).flat()
  const button = buttons.find(({ text }) => text === label)
  const own = button !== undefined && 'callback_data' in button ? button.callback_data : undefined
  const { user, chat = card.chat, message = card.id, data = own, copy = false } = over
  const query = String(fresh())
  await order({ query })
  const where = { message_id: message, date: 1, chat: { id: chat, type: 'private', first_name: 'X' } }
  return {
    update_id: fresh(),
    callback_query: {
      ...{ id: query, from: { id: user, is_bot: false, first_name: 'X' }, chat_instance: '1', data },
      message: { ...where, ...(copy && { forward_origin: { type: 'user' } }) },
    },
  } as unknown as Update
}
