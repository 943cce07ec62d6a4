/**
 * What Slack says over a Socket Mode connection, as far as it is read here. Keys that are not named are dropped, among them what
 * could answer in the app's name (`response_url`, `token`). Must not say what a message is worth. Called by home's connection.
 */
import * as z from 'zod/mini'

export type SlackFrame =
  | { readonly kind: 'hello' }
  /** `isFinal`: Socket Mode was switched off, so that dialling again brings nothing. */
  | { readonly kind: 'disconnect'; readonly isFinal: boolean }
  /** `of`: `events_api`, `interactive`, or another that is acknowledged and left alone. */
  | { readonly kind: 'envelope'; readonly id: string; readonly of: string; readonly payload: unknown }

/** UTF-16 units; Slack's are 36. It goes back as it came. */
const MAX_ID = 200

const FRAME = z.object({
  type: z.string().check(z.maxLength(MAX_ID)),
  reason: z.optional(z.string()),
  envelope_id: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID))),
  payload: z.optional(z.unknown()),
})

/** Null for what is no frame. */
export function readFrame(text: string): SlackFrame | null {
  const parsed = FRAME.safeParse(decoded(text))
  if (!parsed.success) return null
  const { type, reason, envelope_id: id, payload } = parsed.data
  if (type === 'hello') return { kind: 'hello' }
  if (type === 'disconnect') return { kind: 'disconnect', isFinal: reason === 'link_disabled' }
  return id === undefined ? null : { kind: 'envelope', id, of: type, payload }
}

/** That an envelope has arrived, so that Slack does not bring it again. */
export function acknowledgement(id: string): string {
  return JSON.stringify({ envelope_id: id })
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
