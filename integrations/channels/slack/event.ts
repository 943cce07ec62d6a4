/**
 * A Slack message as an event of the kernel (H-01, H-05): who sent it and where, as Slack authenticated it; the words that he typed
 * himself apart from what he quoted or sent on (C-09); files named, and not fetched (B-27). A message is one by its channel and its
 * time, so that one that is brought again, in whatever envelope, is the same (B-24). Must not read what the words say, nor decide who
 * may speak. Called by home, which holds the app's tokens.
 */
import * as z from 'zod/mini'
import {
  type Attachment,
  type AttachmentKind,
  EVENT_BOUNDS,
  type InboundEvent,
} from '../../../kernel/task/event.ts'
import { SLACK } from './channel.ts'

/** Why a payload becomes no event. */
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
  /** Slack's id of the owner, and of his direct messages with the app. */
  readonly owner: string
  readonly chat: string
  /** What that chat is called here, so that its sink is known. */
  readonly name: string
}

/** Slack's ids, and its times, which name a message in its channel. */
const id = z.string().check(z.regex(/^[A-Z][A-Z0-9]{1,20}$/))
const time = z.string().check(z.regex(/^\d{1,12}\.\d{1,6}$/))
const text = z.optional(z.string())

const FILE = z.looseObject({
  id: z.optional(z.string()),
  name: z.optional(z.nullable(z.string())),
  mimetype: text,
  size: z.optional(z.number()),
})
/** A message that was sent on, or a card that Slack made of an address: nobody's own words here. */
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
  /** Of whoever wrote it, where that is another workspace's member. */
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

/** What Slack says of a message that its writer has changed: as it is now, and as it was. */
const CHANGED = z.object({
  subtype: z.literal('message_changed'),
  channel: id,
  channel_type: text,
  message: z.looseObject({ edited: z.object({ user: id, ts: time }) }),
  previous_message: z.looseObject({ text }),
})

/** Slack changes messages of its own accord, too, as when it has looked at an address: only other words are another version. */
function changedIn(event: unknown): { readonly message: unknown; readonly at: string } | null {
  const changed = CHANGED.safeParse(event)
  if (!changed.success) return null
  const { channel, channel_type, message, previous_message: before } = changed.data
  if (message['text'] === before.text || message.edited.user !== message['user']) return null
  return { message: { ...message, channel, channel_type }, at: message.edited.ts }
}

/** What a person says; every other subtype is a change, a service's word, or the bot's own echo. */
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

/** A person in a direct message with the app; what an app says, this one among them, is nobody's request. */
function senderOf(
  message: Message,
): { readonly ok: true; readonly user: string } | ReturnType<typeof ignored> {
  if (!SAID.includes(message.subtype) || message.hidden === true) return ignored('another_kind')
  if (message.bot_id !== undefined || message.app_id !== undefined) return ignored('from_a_bot')
  if (message.channel_type !== 'im' || !message.channel.startsWith('D')) return ignored('a_channel')
  return message.user === undefined ? ignored('malformed') : { ok: true, user: message.user }
}

/** What a line begins with that is quoted. */
const QUOTED = '&gt;'

/** Lines that Slack marks as quoted are somebody else's words, as is what was sent on with them. */
function saidIn({ text: words = '', attachments = [] }: Message): {
  readonly own: string
  readonly quoted: readonly string[]
} {
  const lines = words.split('\n')
  // Three marks quote all that follows.
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
 * Slack's own forms taken back to what stood there: `<https://…|shown>` to the address, `<mailto:…|shown>` to what is shown,
 * `<@U1>` and the like to their bare ids; then the three characters that it escapes.
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
