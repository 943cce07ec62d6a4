/**
 * The owner's private line over Slack (H-05, DESIGN §1): the owner's direct messages with the app, to which home writes, and the
 * owner's messages and taps there. Messages of anybody else and of channels are dropped: no answer, no task, no audit line. Must not
 * decide: the shell does, nor write to another chat. Called by home.ts; listening begins once home is wired.
 */
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { ChannelState } from '../runtime/channel-state.ts'
import { createBotLine, createReception, inboxOf, type ListeningLine } from '../runtime/home-line.ts'
import type { BotLine, HomeChannelPorts, HomeChat, LinePorts } from '../runtime/home-package.ts'
import { takeMessage, takeTap } from '../runtime/inbox.ts'
import { createSender } from '../runtime/outbox.ts'
import { identityOf, openSocket } from './api.ts'
import { SLACK, SLACK_PRIVATE } from './channel.ts'
import { eventOf, type SlackTap, tapIn } from './event.ts'
import { createHomeSlack, isSetUpWrongly, type SlackAppInput, slackTroubleWords } from './home-app.ts'
import { type Envelope, lookupFor, startSocketMode, TAKEN } from './home-socket.ts'
import { slackChat } from './sender.ts'

export interface SlackBot extends HomeChat {
  readonly input: SlackAppInput
  readonly kept: ChannelState
  /** 32 bytes: key of the buttons' MAC. */
  readonly key: Uint8Array
}

export function createSlackBot(
  input: SlackAppInput,
  { kept, key }: Pick<SlackBot, 'kept' | 'key'>,
): SlackBot {
  const line = createBotLine()
  const api = createHomeSlack(input, 'bot', undefined, (answer) => line.onResult(answer))
  const { chat } = input.config
  const chatOf = (sink: string): string | null => (sink === SLACK_PRIVATE.sink ? chat : null)
  return { sender: createSender(slackChat(api), { kept, key, chatOf }), input, kept, key, line }
}

export interface SlackLineInput extends LinePorts, Pick<HomeChannelPorts, 'lookup'> {
  readonly bot: SlackBot
}

/** `stop` closes the connection; unacknowledged messages go to the next one. */
export function startSlackLine(input: SlackLineInput): ListeningLine {
  const { bot, powers, fault, lookup } = input
  const ending = new AbortController()
  const { signal } = ending
  let hasAsked = false
  const reception = createReception({
    channel: SLACK,
    sink: SLACK_PRIVATE.sink,
    line: bot.line,
    ports: input,
    isSetUpWrongly,
    words: slackTroubleWords,
  })
  const mode = startSocketMode({
    open: () => openFor(bot.input, signal, (answer) => bot.line.onResult(answer)),
    handle: (envelope) => handle(input, envelope),
    ...{ chance: Math.random, now: powers.now, signal, fault },
    lookup: lookupFor(bot.input.config.api, lookup),
    news(trouble) {
      hasAsked = true
      reception.setTrouble(trouble)
    },
  })
  return {
    status: () => reception.status(hasAsked),
    async stop() {
      ending.abort()
      await mode.done
    },
  }
}

/**
 * URL of a further connection. Refuses an app token with the bot token of another workspace, because their chats differ. Refusals:
 * credential_mismatch, and those of the Web API.
 */
async function openFor(
  input: SlackAppInput,
  signal: AbortSignal,
  onResult: BotLine['onResult'],
): Promise<Result<string>> {
  const whose = await identityOf(createHomeSlack(input, 'bot', signal, onResult))
  if (!whose.ok) return whose
  if (whose.value.team !== input.config.team) return err('credential_mismatch', { rule: 'team' })
  return openSocket(createHomeSlack(input, 'app', signal), input.config.api)
}

async function handle(input: SlackLineInput, { of, payload }: Envelope): Promise<Result<unknown>> {
  if (of === 'interactive') {
    const tap = tapIn(payload)
    // Slack does not deliver a tap again, and the owner waits: it is recorded, and handled without waiting.
    if (tap !== null) void tapped(input, tap).catch(() => input.fault(SLACK))
    return TAKEN
  }
  return of === 'events_api' ? said(input, payload) : TAKEN
}

async function said(input: SlackLineInput, payload: unknown): Promise<Result<unknown>> {
  const { bot, powers, drive } = input
  const read = eventOf(payload, { ...bot.input.config, name: SLACK_PRIVATE.chat }, powers.now())
  // Only the owner's own chat has this name.
  if (!read.ok || read.event.source.chat !== SLACK_PRIVATE.chat) return TAKEN
  const taken = await takeMessage(inbox(input), { channel: SLACK, event: read.event, isOwners: true })
  if (taken.what === 'again') return { ok: false, reason: taken.reason }
  if (taken.what === 'taken') drive()
  return TAKEN
}

/** A button works only for the owner, in the owner's chat, on its own card; anybody else's tap gets no answer (F-02). */
async function tapped(
  input: SlackLineInput,
  { app, team, user, channel: chat, message, data }: SlackTap,
): Promise<void> {
  const { bot, drive } = input
  const { config } = bot.input
  const isHis = user === config.owner && team === config.team && chat === config.chat && app === config.app
  if (!isHis) return
  const tap = { chat, message, data, original: true }
  const taken = await takeTap(inbox(input), { channel: SLACK, key: bot.key, tap })
  drive()
  // The card itself shows the decision; only this notice says that the question was over before, or that the decision failed.
  const id = `${SLACK}:${message}.${taken.button ?? 'none'}`
  if (taken.what === 'late') tellThere(input, { id, code: 'approval_spent', words: taken.words })
  else if (taken.what === 'again') tellThere(input, { id, code: taken.reason.code })
  else if (taken.what === 'refused') tellThere(input, { id, code: taken.code })
}

/** Not awaited: Slack expects the acknowledgement within three seconds. */
function tellThere(
  { notify, fault }: SlackLineInput,
  notice: Omit<Parameters<LinePorts['notify']>[0], 'sink'>,
): void {
  void notify({ ...notice, sink: SLACK_PRIVATE.sink }).catch(() => fault(SLACK))
}

function inbox(input: SlackLineInput) {
  const ports = inboxOf(input, { channel: SLACK, sink: SLACK_PRIVATE.sink, kept: input.bot.kept })
  return { ...ports, refuse: async (notice: Parameters<typeof ports.refuse>[0]) => tellThere(input, notice) }
}
