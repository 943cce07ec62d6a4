/**
 * What the edge alone can tell its owner of itself: its clock, which of its settings is wrong, and how Telegram fares with its webhook,
 * which may be set again or taken away (S-18, H-03). Must not give out a token, a secret or a value of a setting. Called by the open
 * line, which has checked who asks.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import { telegramApi } from '../durable-objects/telegram-line.ts'
import { webhookInfo } from '../integrations/channels/telegram/health.ts'
import { WEBHOOK_PATH, webhookOf } from '../integrations/channels/telegram/webhook.ts'
import { err } from '../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type EdgeEnv, settingsOf } from './env.ts'
import { errorResponse } from './errors.ts'
import { readSignedJson } from './signed-json.ts'
import type { TelegramSetting } from './telegram-setting.ts'

/** UTF-16 units of what Telegram says of its last try. */
const MOST_SAID = 120

const order = z.strictObject({ set: z.boolean() })

export function health(): Hono<{ Bindings: EdgeEnv }> {
  const routes = new Hono<{ Bindings: EdgeEnv }>()
  routes.get('/', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const { models, telegram, nameKey } = settings.value
    const { setting } = telegram
    return Response.json({
      at: Date.now(),
      troubles: [models.trouble, telegram.trouble].filter((one) => one !== null),
      bot: setting === null ? null : await botOf(setting, new URL(req.url).origin),
      waiting: await waitingIn(env, nameKey),
      paused: await env.KERNEL.getByName(KERNEL_NAME).paused(),
    })
  })
  routes.post('/webhook', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const body = await readSignedJson(req.raw, order)
    const { setting } = settings.value.telegram
    if (!body.ok || setting === null)
      return errorResponse(body.ok ? err('nothing_found').reason : body.reason)
    const api = telegramApi(setting)
    // The address is that of this very request, which its owner's device signed.
    const done = body.value.set
      ? await api.call('setWebhook', webhookOf(new URL(req.url).origin, setting.secret))
      : await api.call('deleteWebhook', {})
    return done.ok ? Response.json({ done: true }) : errorResponse(done.reason)
  })
  return routes
}

/** Questions that wait for his answer; none is counted where his object cannot say. */
async function waitingIn({ PRINCIPALS }: EdgeEnv, nameKey: Uint8Array): Promise<number> {
  const asked = PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL)).approvals(OWNER_PRINCIPAL)
  const waiting = await asked.catch(() => null)
  return waiting?.ok === true ? waiting.value.length : 0
}

async function botOf(setting: TelegramSetting, origin: string): Promise<object> {
  const info = await webhookInfo(telegramApi(setting))
  if (!info.ok) return { trouble: info.reason.code }
  const { url, pending_update_count: pending, last_error_date: at, last_error_message: said } = info.value
  return {
    here: url === `${origin}${WEBHOOK_PATH}`,
    pending,
    /** Seconds since 1970. */
    failedAt: at ?? null,
    said: said?.slice(0, MOST_SAID) ?? null,
  }
}
