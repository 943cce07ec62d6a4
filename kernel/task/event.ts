/**
 * The normalised inbound event (B-22, B-23). Adapters build the plain object from what their platform
 * authenticated; the kernel validates it here, once. An event carries no label: the kernel assigns it.
 */
import type { Place } from '../flow/place.ts'

export const EVENT_KINDS = Object.freeze([
  'message',
  'command',
  'callback',
  'webhook',
  'cron_trigger',
  'credential_reply',
] as const)
export type EventKind = (typeof EVENT_KINDS)[number]

export interface EventSource {
  /** `terminal`, `openline`, `telegram`, … */
  readonly adapter: string
  /** Sender id as the platform authenticated it. */
  readonly user: string
  /** Chat id; a group's is not its members' (B-11). */
  readonly chat: string
  /** True when more than one person reads this chat. */
  readonly group: boolean
}

export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  readonly ref: string
}

export interface InboundEvent {
  /** Platform's delivery id; the key of deduplication (B-24). */
  readonly id: string
  /** Epoch milliseconds, by the receiving place's clock. */
  readonly at: number
  readonly source: EventSource
  readonly kind: EventKind
  /** Words the sender typed; quoted and forwarded parts are split off into `quoted` (C-09). */
  readonly text: string
  readonly quoted: readonly string[]
  readonly attachments: readonly Attachment[]
  readonly replyTo: string | null
  /** Where the chat's token is held: the place that received this. */
  readonly place: Place
}
