/**
 * What the edge tells its owner's device of itself, and its bot's webhook, set again or taken away: the token is there alone. Must not
 * decide what is wrong. Called by `pfar doctor` and `pfar uninstall`.
 */
import * as z from 'zod/mini'
import type { Result } from '../kernel/flow/verdict.ts'
import type { DeviceKey } from './device-key.ts'
import { callEdge } from './edge-call.ts'

const bot = z.union([
  z.strictObject({
    /** Whether its service brings messages to this very edge. */
    here: z.boolean(),
    /** Messages that wait there. */
    pending: z.int(),
    /** Seconds since 1970, and what it said. */
    failedAt: z.nullable(z.int()),
    said: z.nullable(z.string()),
  }),
  z.strictObject({ trouble: z.string() }),
])

const health = z.object({
  /** Of the edge's clock, epoch milliseconds. */
  at: z.number(),
  /** Names of settings that are wrong. */
  troubles: z.array(z.string()),
  /** Null where there is none. */
  bot: z.nullable(bot),
  /** Questions there that wait for his answer. */
  waiting: z.optional(z.int()),
  /** The owner has it pause, by this chat of his. */
  paused: z.optional(z.nullable(z.object({ since: z.int(), sink: z.string() }))),
})

export type EdgeHealth = z.output<typeof health>

/** Refusals: those of `callEdge`. */
export function edgeHealth(edge: string, device: DeviceKey): Promise<Result<EdgeHealth>> {
  return callEdge({ url: `${edge}/line/health`, body: null, device }, health)
}

/** Refusals: nothing_found where it has no bot, those of `callEdge` and of the Bot API. */
export function orderWebhook(edge: string, device: DeviceKey, set: boolean): Promise<Result<unknown>> {
  const call = { url: `${edge}/line/health/webhook`, body: JSON.stringify({ set }), device }
  return callEdge(call, z.object({ done: z.literal(true) }))
}
