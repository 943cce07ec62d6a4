/**
 * The owner's terminal as a chat of home: it reads deliveries from home's outbox, and is woken when there is one. Input arrives
 * over home's socket. Must not hold a delivery. Listed in ../home.ts.
 */
import { err, ok } from '../../../kernel/flow/verdict.ts'
import { createBotLine } from '../runtime/home-line.ts'
import type { HomeChannelPorts, HomeChat, HomePackage } from '../runtime/home-package.ts'
import { TERMINAL_CHANNEL, TERMINAL_CHAT, TERMINAL_OWNER } from './channel.ts'

export const TERMINAL_HOME: HomePackage = Object.freeze({
  declaration: TERMINAL_CHANNEL,
  async open({ feed }: Pick<HomeChannelPorts, 'feed'>) {
    const chat: HomeChat = {
      line: createBotLine(),
      sender: {
        drafts: feed.drafts,
        async send({ sink }) {
          if (sink !== TERMINAL_CHAT.sink) return err('sink_unknown', { sink })
          feed.wake()
          return ok(true)
        },
        acknowledges: () => false,
      },
    }
    const done = async (): Promise<void> => undefined
    return {
      declaration: TERMINAL_CHANNEL,
      now: () => chat,
      owner: () => TERMINAL_OWNER,
      listen: done,
      set: done,
      status: () => ({}),
      stop: done,
      activation: null,
    }
  },
} satisfies HomePackage)
