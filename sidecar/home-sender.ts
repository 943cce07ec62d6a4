/**
 * How home writes to its owner: the terminal reads its outbox itself, his bot and his app are spoken to, and the edge is handed what is
 * for his chat there. Which chats there are is looked up each time, as one may come or go while home runs. Must not decide what may
 * go: the egress step has. Called by powers.ts.
 */
import { err, ok } from '../kernel/flow/verdict.ts'
import type { DraftPort } from '../kernel/powers/draft-port.ts'
import type { Delivery, SenderPort } from '../kernel/powers/ports.ts'
import type { WorkPort } from '../kernel/powers/work-port.ts'
import type { Config } from './config.ts'
import type { Handover } from './handover.ts'
import { TERMINAL_SINK } from './home-methods.ts'
import { OWNER_CHATS } from './home-policy.ts'
import type { LiveSlack } from './slack/slack-channel.ts'
import type { LiveBot } from './telegram/telegram-channel.ts'

/** The chats of his that home writes to. */
export interface HomeChats {
  /** Tells readers of the terminal's outbox that it has grown. */
  readonly wake: () => void
  /** The owner's chat with his bot at home, which may come and go. */
  readonly telegram: Pick<LiveBot, 'now'>
  /** The same with his app at Slack. */
  readonly slack: Pick<LiveSlack, 'now'>
  /** The way to his chat with the edge's bot. */
  readonly handover: Pick<Handover, 'send' | 'holds' | 'work'>
  /** Who looks at the terminal now. */
  readonly drafts: DraftPort
}

type Chats = Pick<HomeChats, 'telegram' | 'slack'>

export function homeSender(input: HomeChats): SenderPort {
  const { wake, drafts, handover } = input
  const terminal: SenderPort['send'] = async ({ sink }: Delivery) => {
    if (sink !== TERMINAL_SINK) return err('sink_unknown', { sink })
    wake()
    return ok(true)
  }
  // Each knows its own sinks, and leaves alone what is another's.
  const all = (): readonly SenderPort[] => {
    const { telegram, slack } = input
    return [telegram.now()?.sender, slack.now()?.sender].filter((one) => one !== undefined)
  }
  const shown = (): readonly WorkPort[] => [
    handover.work,
    ...all().flatMap(({ work }) => (work === undefined ? [] : [work])),
  ]
  return {
    drafts,
    async send(delivery) {
      const { sink } = delivery
      if (handover.holds(sink)) return handover.send(delivery)
      return (channelOf(input, sink)?.sender.send ?? terminal)(delivery)
    },
    work: {
      working(work) {
        for (const one of shown()) one.working(work)
      },
      async rests(work) {
        await Promise.all(shown().map((one) => one.rests(work)))
      },
    },
    acknowledges: (sink) => sink !== TERMINAL_SINK,
    /** Absent while no chat is there that could. */
    get retract() {
      if (all().length === 0) return undefined
      return async (message: Parameters<NonNullable<SenderPort['retract']>>[0]) =>
        (await channelOf(input, message.sink)?.sender.retract?.(message)) ??
        err('sink_unknown', { sink: message.sink })
    },
  }
}

/** Whose chat is behind a sink; null for the terminal's, and for one that is not there. */
export function channelOf({ telegram, slack }: Chats, sink: string) {
  if (sink === OWNER_CHATS.slack) return slack.now()
  return sink === OWNER_CHATS.telegram ? telegram.now() : null
}

/** In his order, as far as they are there; his terminal always is, and no chat that goes leaves a question without one. */
export function chatsOf({
  config,
  ...chats
}: { readonly config: Pick<Config, 'ownerChats'> } & Chats): readonly string[] {
  const sinks = config.ownerChats.map((chat) => OWNER_CHATS[chat])
  const there = sinks.filter((sink) => sink === TERMINAL_SINK || channelOf(chats, sink) !== null)
  return there.length === 0 ? [TERMINAL_SINK] : there
}
