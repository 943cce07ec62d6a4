/**
 * The owner's app at Slack as `config.toml` names it: whose direct messages with which app are his private line. The tokens are no
 * part of it; they lie in the vault. Called by config.ts and the files of this folder.
 */
import * as z from 'zod/mini'
import { SLACK, SLACK_ORIGIN } from '../../integrations/channels/slack/names.ts'

export interface SlackConfig {
  /** Slack's ids of the workspace, of the owner in it, of the app, and of his direct messages with it. */
  readonly team: string
  readonly owner: string
  readonly app: string
  readonly chat: string
  /** Origin of the Web API. */
  readonly api: string
}

/** What the owner's direct messages with the app are called. */
export const SLACK_PRIVATE = Object.freeze({ chat: 'private', sink: `sink:${SLACK}:private` })

const idOf = (kind: RegExp) =>
  z
    .string()
    .check(z.refine((value) => kind.test(value), { error: "must be Slack's id, in capitals and digits" }))

const origin = z.string().check(
  z.refine((value) => URL.parse(value)?.origin === value, {
    error: 'must be an origin, such as https://example.com',
  }),
)

export const slackSchema = z.strictObject({
  team: idOf(/^T[A-Z0-9]{1,20}$/),
  owner: idOf(/^[UW][A-Z0-9]{1,20}$/),
  app: idOf(/^A[A-Z0-9]{1,20}$/),
  chat: idOf(/^D[A-Z0-9]{1,20}$/),
  api: z.optional(origin),
})

export function slackConfig(entry: z.output<typeof slackSchema> | undefined): SlackConfig | null {
  return entry === undefined ? null : { ...entry, api: entry.api ?? SLACK_ORIGIN }
}

/** The owner as sources name him there: nobody of another workspace has his id. */
export function slackOwner({ team, owner }: Pick<SlackConfig, 'team' | 'owner'>): string {
  return `${SLACK}:${team}:${owner}`
}
