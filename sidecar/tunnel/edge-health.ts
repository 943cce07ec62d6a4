/**
 * Health report of the edge for the owner's device, and the command that sets or removes the webhook of its bot, whose
 * token only the edge holds. Must not decide what is wrong. Called by `pfar doctor` and `pfar uninstall`.
 */
import * as z from 'zod/mini'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { DeviceKey } from './device-key.ts'
import { callEdge } from './edge-call.ts'

const bot = z.union([
  z.strictObject({
    /** Whether the messaging service delivers to this edge. */
    here: z.boolean(),
    /** Messages pending at the messaging service. */
    pending: z.int(),
    /** Time of the last failed delivery (seconds since 1970), and the service's error text. */
    failedAt: z.nullable(z.int()),
    said: z.nullable(z.string()),
  }),
  z.strictObject({ trouble: z.string() }),
])

const health = z.object({
  /** Clock of the edge, epoch milliseconds. */
  at: z.number(),
  /** Names of the settings that are wrong. */
  troubles: z.array(z.string()),
  /** Null if the edge has no bot. */
  bot: z.nullable(bot),
  /** Approvals pending at the edge. */
  waiting: z.optional(z.int()),
  /** Set while the owner has paused the edge: since when (epoch milliseconds), and from which chat. */
  paused: z.optional(z.nullable(z.object({ since: z.int(), sink: z.string() }))),
})

export type EdgeHealth = z.output<typeof health>

/** Refusals: those of `callEdge`. */
export function edgeHealth(edge: string, device: DeviceKey): Promise<Result<EdgeHealth>> {
  return callEdge({ url: `${edge}/line/health`, body: null, device }, health)
}

/** Refusals: nothing_found if the edge has no bot, those of `callEdge` and of the Bot API. */
export function orderWebhook(edge: string, device: DeviceKey, set: boolean): Promise<Result<unknown>> {
  const call = { url: `${edge}/line/health/webhook`, body: JSON.stringify({ set }), device }
  return callEdge(call, z.object({ done: z.literal(true) }))
}
