/**
 * Parses a tap on a button from one of Slack's interactive payloads. Must not decide anything. Called by home, which holds the
 * app's tokens.
 */
import * as z from 'zod/mini'

/** A tap, as Slack authenticated it. */
export interface SlackTap {
  readonly app: string
  readonly team: string
  readonly user: string
  readonly channel: string
  /** Slack's timestamp of the message with the button. */
  readonly message: string
  /** Callback data of the button. */
  readonly data: string
}

/** UTF-16 units: Slack's limit of an action id. */
const MAX_ACTION = 255

const id = z.string().check(z.maxLength(64))

const ACTIONS = z.object({
  type: z.literal('block_actions'),
  api_app_id: id,
  team: z.object({ id }),
  /** Workspace of the user, if it is another one. */
  user: z.object({ id, team_id: z.optional(id) }),
  container: z.object({ type: z.literal('message'), message_ts: id, channel_id: id }),
  actions: z
    .array(z.object({ type: z.string(), action_id: z.string().check(z.maxLength(MAX_ACTION)) }))
    .check(z.minLength(1)),
})

/** Null for every other payload. */
export function tapIn(payload: unknown): SlackTap | null {
  const parsed = ACTIONS.safeParse(payload)
  if (!parsed.success) return null
  const { api_app_id: app, team, user, container, actions } = parsed.data
  const [action] = actions
  if (action?.type !== 'button') return null
  return {
    ...{ app, team: user.team_id ?? team.id, user: user.id },
    ...{ channel: container.channel_id, message: container.message_ts, data: action.action_id },
  }
}
