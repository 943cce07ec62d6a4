/**
 * The normalised inbound event (B-22, B-23). Adapters build the plain object from what their platform authenticated; the kernel
 * validates it here, once. It carries no label: the kernel assigns one. Must not interpret the text. Called by route, at
 * both places.
 */
import * as z from 'zod/mini'
import type { DeepReadonly } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'

export const EVENT_KINDS = Object.freeze([
  'message',
  'command',
  'callback',
  'webhook',
  'cron_trigger',
  'credential_reply',
] as const)
export type EventKind = (typeof EVENT_KINDS)[number]

const ATTACHMENT_KINDS = Object.freeze([
  'document',
  'photo',
  'voice',
  'audio',
  'video',
  'sticker',
  'place',
  'contact',
  'poll',
  'other',
] as const)
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]

/** `text`, `pdf`: a document of this kind by its stated media type, or by its name. */
export type FileKind = AttachmentKind | 'text' | 'pdf'

/** Limits of one event, so that a sender cannot fill a prompt, a row or a queue. */
export const EVENT_BOUNDS = Object.freeze({
  /** UTF-16 units of the text and of each quoted part. */
  text: 100_000,
  quoted: 10,
  attachments: 10,
  /** UTF-16 units of an id, a name or a media type. */
  name: 255,
  /** UTF-16 units of a reference to an attachment. */
  ref: 1_024,
  /** Bytes: the largest file that a channel may announce. Far less is fetched (`FILE_BOUNDS`). */
  attachment: 4_294_967_296,
})

/** Ids appear in keys, principals and audit rows, so they may not contain line breaks, spaces or control characters. */
const ID = /^[\x21-\x7e]+$/
const ADAPTER = /^[a-z][a-z0-9_]{0,31}$/
const MEDIA_TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/

const bounded = z.string().check(z.maxLength(EVENT_BOUNDS.name))
const id = bounded.check(z.regex(ID))
const words = z.string().check(z.maxLength(EVENT_BOUNDS.text))

const ATTACHMENT = z.object({
  kind: z.enum(ATTACHMENT_KINDS),
  name: bounded,
  mediaType: bounded.check(z.regex(MEDIA_TYPE)),
  /** Bytes. */
  size: z.number().check(z.int(), z.nonnegative(), z.maximum(EVENT_BOUNDS.attachment)),
  ref: z.string().check(z.minLength(1), z.maxLength(EVENT_BOUNDS.ref)),
  /**
   * True for a recording made by the sender, according to the channel; absent for a forwarded recording and for any other file.
   */
  spoken: z.exactOptional(z.literal(true)),
})
export type Attachment = DeepReadonly<z.output<typeof ATTACHMENT>>

const SOURCE = z.object({
  /** `terminal`, `openline`, or the name of a channel. */
  adapter: z.string().check(z.regex(ADAPTER)),
  /** Sender id as the platform authenticated it. */
  user: id,
  /** Chat id. A group's id differs from the ids of its members (B-11). */
  chat: id,
  /** True when more than one person reads this chat. */
  group: z.boolean(),
  /** Display name of the sender. Chosen by the sender: shown to the owner, never used for identification (B-01). */
  handle: z.exactOptional(bounded),
})
export type EventSource = DeepReadonly<z.output<typeof SOURCE>>

const EVENT = z.object({
  /** The platform's delivery id, used for deduplication (B-24). */
  id,
  /** Epoch milliseconds, by the receiving place's clock. */
  at: z.number().check(z.int(), z.nonnegative()),
  source: SOURCE,
  kind: z.enum(EVENT_KINDS),
  /** Text that the sender typed. Quoted and forwarded parts are split off into `quoted` (C-09). */
  text: words,
  quoted: z.array(words).check(z.maxLength(EVENT_BOUNDS.quoted)),
  attachments: z.array(ATTACHMENT).check(z.maxLength(EVENT_BOUNDS.attachments)),
  replyTo: z.nullable(id),
  /** The channel's id of this message in its chat, by which it can be deleted; absent if the channel has none. */
  message: z.exactOptional(id),
  /** For an edited message: id of the message. The id of each version equals it, or begins with it and a dot. */
  edits: z.exactOptional(id),
  /** The message was queued while home was offline; `at` is when it was written. */
  waited: z.exactOptional(z.literal(true)),
  /** The place that received the event and holds the chat's token. */
  place: z.enum(['edge', 'home']),
})
export type InboundEvent = DeepReadonly<z.output<typeof EVENT>>

/**
 * Validates an adapter's event. Unknown keys, including `label` and `taint`, are dropped: an event cannot state its own label.
 * Refusals: event_too_large when a limit was exceeded, otherwise event_malformed.
 */
export function parseEvent(input: unknown): Result<InboundEvent> {
  const parsed = EVENT.safeParse(input)
  if (parsed.success) return ok(parsed.data)
  const large = parsed.error.issues.find((issue) => issue.code === 'too_big')
  if (large !== undefined) return err('event_too_large', { field: fieldOf(large.path) })
  return err('event_malformed', { field: fieldOf(parsed.error.issues[0]?.path ?? []) })
}

/** Path of declared names and positions. Contains no value and no key that the sender chose. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}
