/**
 * The owner's direct messages with the Slack app, as home writes to them: one sink, one chat, with stored message ids (DESIGN §1).
 * Must not write to any other chat. Called by home.ts, which passes it to home.
 */
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import { type BotLine, createBotLine } from '../runtime/bot-line.ts'
import { createCardDesk } from '../runtime/cards.ts'
import { createShelf, type KeptPort } from '../runtime/kept.ts'
import { SLACK, SLACK_PRIVATE } from './channel.ts'
import { createHomeSlack, type SlackAppInput } from './home-app.ts'
import { createSlackProgress, createSlackSender } from './sender.ts'

export interface SlackBot {
  readonly sender: SenderPort
  readonly input: SlackAppInput
  readonly kept: KeptPort
  /** 32 bytes: key of the buttons' MAC. */
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
  const shelf = createShelf<string>(kept, SLACK)
  const progress = createSlackProgress({ api, kept, shelf, chatOf })
  const cards = createCardDesk({ kept, channel: SLACK }, key)
  const sender = createSlackSender({ api, shelf, cards, progress, chatOf })
  return { sender, input, kept, key, line }
}
