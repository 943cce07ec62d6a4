/**
 * Converts a Slack message to a kernel event (H-01, H-05): authenticated sender and chat; the sender's own words apart from quoted
 * or forwarded ones (C-09); files by reference, not fetched (B-27). Channel and timestamp identify a message, whatever envelope
 * delivers it (B-24). And parses a tap on a button. Must not interpret the words, nor decide who may speak. Called by home, which
 * holds the app's tokens.
 */
import * as z from 'zod/mini'
import {
  type Attachment,
  type AttachmentKind,
  EVENT_BOUNDS,
  type InboundEvent,
} from '../../../kernel/task/event.ts'
import { SLACK } from './channel.ts'

/** Why a payload is not converted to an event. */
export type Ignored =
  | 'malformed'
  | 'another_app'
  | 'another_kind'
  | 'a_channel'
  | 'from_a_bot'
  | 'nothing_said'

export type Received =
  | { readonly ok: true; readonly event: InboundEvent; readonly channel: string; readonly user: string }
  | { readonly ok: false; readonly ignored: Ignored }

export interface SlackLine {
  readonly app: string
  readonly team: string
  /** Slack's ids of the owner, and of the owner's direct messages with the app. */
  readonly owner: string
  readonly chat: string
  /** Name of that chat, from which its sink follows. */
  readonly name: string
}

/** Formats of Slack's ids, and of its timestamps, which identify a message in its channel. */
const id = z.string().check(z.regex(/^[A-Z][A-Z0-9]{1,20}$/))
const time = z.string().check(z.regex(/^\d{1,12}\.\d{1,6}$/))
const text = z.optional(z.string())

const FILE = z.looseObject({
  id: z.optional(z.string()),
  name: z.optional(z.nullable(z.string())),
  mimetype: text,
  size: z.optional(z.number()),
})
/** A forwarded message, or a link preview made by Slack: not the sender's own words. */
const SHARED = z.looseObject({ text, fallback: text, is_share: z.optional(z.boolean()) })

const PAYLOAD = z.object({
  type: z.literal('event_callback'),
  api_app_id: id,
  team_id: id,
  event: z.looseObject({ type: z.string() }),
})
const MESSAGE = z.object({
  subtype: text,
  user: z.optional(id),
  bot_id: z.optional(z.unknown()),
  app_id: z.optional(z.unknown()),
  /** Workspace of the sender, if it is another one. */
  user_team: z.optional(id),
  channel: id,
  channel_type: text,
  text,
  ts: time,
  thread_ts: z.optional(time),
  files: z.optional(z.array(FILE)),
  attachments: z.optional(z.array(SHARED)),
  hidden: z.optional(z.boolean()),
})
type Message = z.infer<typeof MESSAGE>

/** Slack's event for an edited message: the new version, and the former one. */
const CHANGED = z.object({
  subtype: z.literal('message_changed'),
  channel: id,
  channel_type: text,
  message: z.looseObject({ edited: z.object({ user: id, ts: time }) }),
  previous_message: z.looseObject({ text }),
})

/** Slack also edits messages itself, for example to add a link preview: only changed words make another version. */
function changedIn(event: unknown): { readonly message: unknown; readonly at: string } | null {
  const changed = CHANGED.safeParse(event)
  if (!changed.success) return null
  const { channel, channel_type, message, previous_message: before } = changed.data
  if (message['text'] === before.text || message.edited.user !== message['user']) return null
  return { message: { ...message, channel, channel_type }, at: message.edited.ts }
}

/** Subtypes of what a person writes; every other one is an edit, a service message, or the bot's own message. */
const SAID = [undefined, 'file_share', 'thread_broadcast', 'me_message']

/** `now`: epoch milliseconds, by home's clock. */
export function eventOf(payload: unknown, line: SlackLine, now: number): Received {
  const outer = PAYLOAD.safeParse(payload)
  if (!outer.success) return ignored('malformed')
  const { api_app_id: app, team_id: team, event } = outer.data
  if (app !== line.app || team !== line.team) return ignored('another_app')
  if (event.type !== 'message') return ignored('another_kind')
  const changed = changedIn(event)
  const read = MESSAGE.safeParse(changed?.message ?? event)
  if (!read.success) return ignored('malformed')
  const message = read.data
  const sender = senderOf(message)
  if (!sender.ok) return sender
  const { own, quoted } = saidIn(message)
  const attachments = (message.files ?? []).slice(0, EVENT_BOUNDS.attachments).map(attachmentOf)
  if (own.trim() === '' && quoted.length === 0 && attachments.length === 0) return ignored('nothing_said')
  const { user } = sender
  const { channel, ts, thread_ts: thread, user_team: home = team } = message
  const isOwner = user === line.owner && home === line.team && channel === line.chat
  const name = `${app}.${channel}.${ts}`
  const made: InboundEvent = {
    id: changed === null ? name : `${name}.${changed.at}`,
    ...(changed !== null && { edits: name }),
    at: now,
    source: {
      adapter: SLACK,
      user: `${home}:${user}`,
      chat: isOwner ? line.name : `${team}:${channel}`,
      group: false,
    },
    kind: 'message',
    ...{ text: own, quoted, attachments },
    replyTo: thread !== undefined && thread !== ts ? thread : null,
    message: ts,
    place: 'home',
  }
  return { ok: true, event: made, channel, user }
}

function ignored(why: Ignored): { readonly ok: false; readonly ignored: Ignored } {
  return { ok: false, ignored: why }
}

/** A person in a direct message with the app; a message of any app, this one included, is no request. */
function senderOf(
  message: Message,
): { readonly ok: true; readonly user: string } | ReturnType<typeof ignored> {
  if (!SAID.includes(message.subtype) || message.hidden === true) return ignored('another_kind')
  if (message.bot_id !== undefined || message.app_id !== undefined) return ignored('from_a_bot')
  if (message.channel_type !== 'im' || !message.channel.startsWith('D')) return ignored('a_channel')
  return message.user === undefined ? ignored('malformed') : { ok: true, user: message.user }
}

/** Prefix of a quoted line. */
const QUOTED = '&gt;'

/** Splits own words from others': lines marked as quoted, and forwarded messages. */
function saidIn({ text: words = '', attachments = [] }: Message): {
  readonly own: string
  readonly quoted: readonly string[]
} {
  const lines = words.split('\n')
  // Three marks quote the whole rest.
  const rest = lines.findIndex((line) => line.startsWith(QUOTED.repeat(3)))
  const isQuoted = (line: string, index: number): boolean =>
    line.startsWith(QUOTED) || (rest !== -1 && index > rest)
  const own = lines.filter((line, index) => !isQuoted(line, index)).join('\n')
  const marked = lines.filter(isQuoted).map((line) => line.replace(/^(?:&gt;)+ ?/, ''))
  const shared = attachments.map((one) => one.text ?? one.fallback ?? '')
  const quoted = [marked.join('\n'), ...shared].filter((part) => part.trim() !== '')
  return { own: asTyped(own), quoted: quoted.slice(0, EVENT_BOUNDS.quoted).map(asTyped) }
}

/**
 * Reverts Slack's markup to the original text: `<https://…|shown>` to the address, `<mailto:…|shown>` to the shown text, `<@U1>`
 * and the like to their ids; then the three escaped characters.
 */
function asTyped(words: string): string {
  return words
    .replace(/<(?:mailto|tel):[^<>|]*\|([^<>]*)>/g, '$1')
    .replace(/<([^<>|]*)(?:\|[^<>]*)?>/g, '$1')
    .replace(/&(lt|gt|amp);/g, (_whole, name: string) => CHARACTERS[name] ?? '')
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' }

const KINDS: readonly (readonly [string, AttachmentKind])[] = [
  ['image/', 'photo'],
  ['audio/', 'audio'],
  ['video/', 'video'],
]

function attachmentOf({ id: ref = '', name, mimetype = '', size }: z.infer<typeof FILE>): Attachment {
  const told = mimetype.toLowerCase()
  const isType = /^[a-z0-9.+-]{1,100}\/[a-z0-9.+-]{1,100}$/.test(told)
  return {
    kind: KINDS.find(([prefix]) => told.startsWith(prefix))?.[1] ?? 'document',
    name: (name ?? 'file').slice(0, EVENT_BOUNDS.name),
    mediaType: isType ? told : 'application/octet-stream',
    size:
      size !== undefined && Number.isSafeInteger(size) && size >= 0
        ? Math.min(size, EVENT_BOUNDS.attachment)
        : 0,
    ref: ref === '' ? 'file' : ref.slice(0, EVENT_BOUNDS.ref),
  }
}

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

const name = z.string().check(z.maxLength(64))

const ACTIONS = z.object({
  type: z.literal('block_actions'),
  api_app_id: name,
  team: z.object({ id: name }),
  /** Workspace of the user, if it is another one. */
  user: z.object({ id: name, team_id: z.optional(name) }),
  container: z.object({ type: z.literal('message'), message_ts: name, channel_id: name }),
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
