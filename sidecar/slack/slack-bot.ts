/**
 * The owner's direct messages with his app, as home writes to them: one sink, one chat, and what stands there is remembered (DESIGN
 * §1). Must not write to any other chat. Called by slack-channel.ts, which hands it to the powers.
 */
import { createCardDesk } from '../../integrations/channels/cards.ts'
import { createShelf, type KeptPort } from '../../integrations/channels/kept.ts'
import { createSlackProgress, createSlackSender } from '../../integrations/channels/slack/sender.ts'
import type { SenderPort } from '../../kernel/powers/ports.ts'
import { type BotLine, createBotLine } from '../channels/bot-line.ts'
import { createHomeSlack, type SlackAppInput } from './slack-app.ts'
import { SLACK_PRIVATE } from './slack-config.ts'

export interface SlackBot {
  readonly sender: SenderPort
  readonly input: SlackAppInput
  readonly kept: KeptPort
  /** Proves that a button was made here. */
  readonly key: Uint8Array
  readonly line: BotLine
}

export function createSlackBot(
  input: SlackAppInput,
  { kept, key }: Pick<SlackBot, 'kept' | 'key'>,
): SlackBot {
  const line = createBotLine()
  const api = createHomeSlack(input, 'bot', undefined, (answer) => line.fared(answer))
  const { chat } = input.config
  const chatOf = (sink: string): string | null => (sink === SLACK_PRIVATE.sink ? chat : null)
  const shelf = createShelf<string>(kept, 'slack')
  const progress = createSlackProgress({ api, kept, shelf, chatOf })
  const cards = createCardDesk({ kept, channel: 'slack' }, key)
  const sender = createSlackSender({ api, shelf, cards, progress, chatOf })
  return { sender, input, kept, key, line }
}
