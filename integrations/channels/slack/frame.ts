/**
 * Parses frames of a Socket Mode connection. Other keys are dropped, among them those with which one could reply as the app
 * (`response_url`, `token`). Must not interpret a message. Called by home's connection.
 */
import * as z from 'zod/mini'

export type SlackFrame =
  | { readonly kind: 'hello' }
  /** `isFinal`: Socket Mode was switched off, so that reconnecting is useless. */
  | { readonly kind: 'disconnect'; readonly isFinal: boolean }
  /** `of`: `events_api`, `interactive`, or another type, which is acknowledged and ignored. */
  | { readonly kind: 'envelope'; readonly id: string; readonly of: string; readonly payload: unknown }

/** Longest id in UTF-16 units; Slack's have 36. It is returned unchanged. */
const MAX_ID = 200

const FRAME = z.object({
  type: z.string().check(z.maxLength(MAX_ID)),
  reason: z.optional(z.string()),
  envelope_id: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID))),
  payload: z.optional(z.unknown()),
})

/** Null for an invalid frame. */
export function readFrame(text: string): SlackFrame | null {
  const parsed = FRAME.safeParse(decoded(text))
  if (!parsed.success) return null
  const { type, reason, envelope_id: id, payload } = parsed.data
  if (type === 'hello') return { kind: 'hello' }
  if (type === 'disconnect') return { kind: 'disconnect', isFinal: reason === 'link_disabled' }
  return id === undefined ? null : { kind: 'envelope', id, of: type, payload }
}

/** Acknowledgement of an envelope, so that Slack does not deliver it again. */
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
