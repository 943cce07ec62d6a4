/**
 * Health report of the edge for its owner: its clock, an invalid setting by name, and the state of the bot's webhook, which can be
 * set or removed here (S-18, H-03). Must not return a token, a secret or a value of a setting. Called by the open line, which has
 * checked the caller.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { OPEN_LINE } from '../durable-objects/directory.ts'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import { listApprovals } from '../kernel/features/approvals/operations/list.ts'
import { err } from '../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type EdgeEnv, settingsOf } from './env.ts'
import { askObject, errorResponse } from './errors.ts'
import { readSignedJson } from './signed-json.ts'

const order = z.strictObject({ set: z.boolean() })

export function health(): Hono<{ Bindings: EdgeEnv }> {
  const routes = new Hono<{ Bindings: EdgeEnv }>()
  routes.get('/', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const { models, bot, nameKey } = settings.value
    return Response.json({
      at: Date.now(),
      troubles: [models.trouble, bot.trouble].filter((one) => one !== null),
      bot: (await bot.channel?.health(new URL(req.url).origin)) ?? null,
      waiting: await waitingIn(env, nameKey),
      paused: await env.KERNEL.getByName(KERNEL_NAME).paused(),
    })
  })
  routes.post('/webhook', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const body = await readSignedJson(req.raw, order)
    const { channel } = settings.value.bot
    if (!body.ok || channel === null)
      return errorResponse(body.ok ? err('nothing_found').reason : body.reason)
    // The webhook's address is the origin of this request, which the owner's device signed.
    const done = await channel.order(new URL(req.url).origin, body.value.set)
    return done.ok ? Response.json({ done: true }) : errorResponse(done.reason)
  })
  return routes
}

/** Number of questions that wait for the owner; 0 when the owner's object does not answer. */
async function waitingIn({ PRINCIPALS }: EdgeEnv, nameKey: Uint8Array): Promise<number> {
  const call = { operation: listApprovals.name, args: {}, sink: OPEN_LINE.sink }
  const owner = PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
  const waiting = await askObject(() => owner.operate(OWNER_PRINCIPAL, call))
  return waiting.ok && Array.isArray(waiting.value) ? waiting.value.length : 0
}
