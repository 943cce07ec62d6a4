/**
 * The owner's private line by Slack (H-05, DESIGN §1): what he writes to his app in direct messages, and what he taps there. Everybody
 * else's messages, and every channel's, are nothing: no answer, no task, no line in the audit. Must not decide: the shell does. Called
 * by slack-channel.ts.
 */

import { buttonIdIn } from '../../integrations/channels/button.ts'
import { settleTap } from '../../integrations/channels/cards.ts'
import { identityOf, openSocket } from '../../integrations/channels/slack/api.ts'
import { eventOf } from '../../integrations/channels/slack/event.ts'
import { SLACK_ORIGIN } from '../../integrations/channels/slack/names.ts'
import { type SlackTap, tapIn } from '../../integrations/channels/slack/tap.ts'
import { err, type ReasonCode, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import { deliverNotice } from '../../kernel/pipeline/deliver.ts'
import { putElsewhere } from '../../kernel/runtime/asking.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type BotLine, watchToken } from '../channels/bot-line.ts'
import type { LineInput, ListeningLine } from '../channels/listening-line.ts'
import { pinnedLookup } from '../pinned-transport.ts'
import { createHomeSlack, type SlackAppInput } from './slack-app.ts'
import type { SlackBot } from './slack-bot.ts'
import { SLACK_PRIVATE } from './slack-config.ts'
import { type Envelope, startSocketMode, TAKEN } from './socket-mode.ts'
import { isSetUpWrongly, slackTroubleWords } from './trouble.ts'

/** Refusals that may be over when the envelope comes again. Any other is final. */
const AGAIN: readonly ReasonCode[] = ['storage_failed', 'storage_full']

type SlackLineInput = LineInput<SlackBot>

/** `stop` ends the connection; what it had not acknowledged comes to the next. */
export function startSlackLine(input: SlackLineInput): ListeningLine {
  const { bot, powers, tell, fault } = input
  const ending = new AbortController()
  const { signal } = ending
  let trouble: Refusal | null | 'new' = 'new'
  const troubleNow = (): Refusal | null => (trouble === 'new' ? null : trouble) ?? tokenRefused()
  const judge = (): void => {
    const now = troubleNow()
    bot.line.deaf = now !== null && (isSetUpWrongly(now) || now.code === 'credential_rejected')
    if (!bot.line.deaf) return
    putElsewhere(powers, SLACK_PRIVATE.sink)
    input.drive()
  }
  const tokenRefused = watchToken(bot.line, judge)
  const mode = startSocketMode({
    open: () => openFor(bot.input, signal, (answer) => bot.line.fared(answer)),
    handle: (envelope) => handle(input, envelope),
    ...{ chance: Math.random, now: powers.now, signal, fault },
    lookup: lookupFor(bot.input.config.api),
    news(now) {
      trouble = now
      judge()
      // A token that is refused is told of by its custodian.
      if (now !== null && isSetUpWrongly(now))
        tell({ id: `slack:${powers.now()}`, code: 'credential_mismatch', about: 'slack' })
    },
  })
  return {
    status() {
      if (trouble === 'new') return { slack: 'connects' }
      const now = troubleNow()
      return { slack: now === null ? 'listens' : `does not hear: ${slackTroubleWords(now)}` }
    },
    async stop() {
      ending.abort()
      await mode.done
    },
  }
}

/** Names resolve to public addresses alone, but for an emulator on this machine. */
export function lookupFor(origin: string) {
  return origin === SLACK_ORIGIN ? pinnedLookup() : null
}

/**
 * The address of one more connection; never for the app of one workspace with the bot of another, whose chats are others. Refusals:
 * credential_mismatch, and those of the Web API.
 */
async function openFor(
  input: SlackAppInput,
  signal: AbortSignal,
  fared: BotLine['fared'],
): Promise<Result<string>> {
  const whose = await identityOf(createHomeSlack(input, 'bot', signal, fared))
  if (!whose.ok) return whose
  if (whose.value.team !== input.config.team) return err('credential_mismatch', { rule: 'team' })
  return openSocket(createHomeSlack(input, 'app', signal), input.config.api)
}

async function handle(input: SlackLineInput, { of, payload }: Envelope): Promise<Result<unknown>> {
  if (of === 'interactive') {
    const tap = tapIn(payload)
    // Slack does not bring a tap again, and he waits for it: it is noted, and goes on by itself.
    if (tap !== null) void takeTap(input, tap).catch(() => input.fault('slack'))
    return TAKEN
  }
  return of === 'events_api' ? takeMessage(input, payload) : TAKEN
}

async function takeMessage(input: SlackLineInput, payload: unknown): Promise<Result<unknown>> {
  const { bot, powers, shell, drive } = input
  const read = eventOf(payload, { ...bot.input.config, name: SLACK_PRIVATE.chat }, powers.now())
  // Whoever it is: only his own chat bears the name.
  if (!read.ok || read.event.source.chat !== SLACK_PRIVATE.chat) return TAKEN
  const { event } = read
  const received = await shell.receive(event)
  if (received.ok) {
    drive()
    return TAKEN
  }
  const { code } = received.reason
  if (AGAIN.includes(code)) return received
  // He wrote something that is not taken: a sentence says so, once for however many times it comes.
  tellThere(input, `slack:${event.id}`, code)
  return TAKEN
}

/** Not waited for: Slack wants to hear within three seconds that his message is here. */
function tellThere({ powers, fault }: SlackLineInput, id: string, code: ReasonCode, words?: string): void {
  const to = { sink: SLACK_PRIVATE.sink, principal: OWNER_PRINCIPAL, ...(words !== undefined && { words }) }
  void deliverNotice(powers, { id, code, ...to }).catch(() => fault('slack'))
}

/** A button is the owner's, in his own chat, on the card that it was made for; whoever else taps one hears nothing (F-02). */
async function takeTap(
  input: SlackLineInput,
  { app, team, user, channel: chat, message, data }: SlackTap,
): Promise<void> {
  const { bot, powers, shell, drive } = input
  const { config } = bot.input
  const isHis = user === config.owner && team === config.team && chat === config.chat && app === config.app
  if (!isHis) return
  const button = buttonIdIn(bot.key, { channel: 'slack', chat }, data)
  const settled =
    button === null
      ? err('approval_unknown')
      : await settleTap({ kept: bot.kept, channel: 'slack' }, { powers, shell }, { button, chat, message })
  drive()
  // The card itself says what was decided; that it was over already, nothing else would.
  const id = `slack:${message}.${button ?? 'none'}`
  if (!settled.ok) tellThere(input, id, settled.reason.code)
  else if (settled.value.what === 'late') tellThere(input, id, 'approval_spent', settled.value.words)
}
