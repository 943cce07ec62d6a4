/**
 * How home writes to its owner: by the chat behind a sink, or by the edge for his chat there. Which chats there are is looked up each
 * time, as one may come or go while home runs. Must not decide what may go: the egress step has. Called by powers.ts.
 */
import type { HomeChannel, HomeChat } from '../integrations/channels/runtime/home-package.ts'
import { err } from '../kernel/flow/verdict.ts'
import type { SenderPort } from '../kernel/powers/ports.ts'
import type { WorkPort } from '../kernel/powers/work-port.ts'
import type { Config } from './config.ts'
import type { Handover } from './handover.ts'

/** As far as a sender looks into one. */
export type ChatThere = Pick<HomeChannel, 'declaration' | 'now'>

/** The chats of his that home writes to. */
export interface HomeChats {
  readonly chats: readonly ChatThere[]
  /** The way to his chat with the edge's bot. */
  readonly handover: Pick<Handover, 'send' | 'holds' | 'work'>
}

export function homeSender({ chats, handover }: HomeChats): SenderPort {
  // Each knows its own sinks, and leaves alone what is another's.
  const all = (): readonly SenderPort[] => chats.flatMap(({ now }) => now()?.sender ?? [])
  const shown = (): readonly WorkPort[] => [handover.work, ...all().flatMap(({ work }) => work ?? [])]
  return {
    /** Absent while nobody could look at one. */
    get drafts() {
      return all().find(({ drafts }) => drafts !== undefined)?.drafts
    },
    async send(delivery) {
      const { sink } = delivery
      if (handover.holds(sink)) return handover.send(delivery)
      return (await chatOf(chats, sink)?.sender.send(delivery)) ?? err('sink_unknown', { sink })
    },
    work: {
      working(work) {
        for (const one of shown()) one.working(work)
      },
      async rests(work) {
        await Promise.all(shown().map((one) => one.rests(work)))
      },
    },
    acknowledges: (sink) => chatOf(chats, sink)?.sender.acknowledges?.(sink) !== false,
    /** Absent while no chat is there that could. */
    get retract() {
      if (!all().some(({ retract }) => retract !== undefined)) return undefined
      return async (message: Parameters<NonNullable<SenderPort['retract']>>[0]) =>
        (await chatOf(chats, message.sink)?.sender.retract?.(message)) ??
        err('sink_unknown', { sink: message.sink })
    },
  }
}

/** The chat behind a sink; null for one that is not there. */
export function chatOf(chats: readonly ChatThere[], sink: string): HomeChat | null {
  return chats.find(({ declaration }) => declaration.home?.sink === sink)?.now() ?? null
}

/** Sinks in the owner's order, as far as they are there; those that always are, where none is, so that no question is without a chat. */
export function sinksOf(
  chats: readonly (ChatThere & Pick<HomeChannel, 'activation'>)[],
  { ownerChats }: Pick<Config, 'ownerChats'>,
): readonly string[] {
  const sinkOf = ({ declaration, now }: ChatThere): readonly string[] =>
    now() === null || declaration.home === null ? [] : [declaration.home.sink]
  const there = ownerChats.flatMap((name) =>
    chats.filter(({ declaration }) => declaration.name === name).flatMap(sinkOf),
  )
  return there.length > 0 ? there : chats.filter(({ activation }) => activation === null).flatMap(sinkOf)
}
