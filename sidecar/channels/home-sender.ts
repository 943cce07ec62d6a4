/**
 * Ports over the owner's chats that are connected now: sends deliveries through the chat that owns the sink, or through the edge
 * for the chat there, and fetches files. Looks up the chats on each call, because they connect and disconnect while home runs.
 * Must not decide what may go: the egress step does. Called by powers.ts.
 */

import type { HomeChannel, HomeChat } from '../../integrations/channels/runtime/home-package.ts'
import type { WorkPort } from '../../kernel/features/deliveries/work-port.ts'
import type { FilePort } from '../../kernel/features/files/file-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SenderPort } from '../../kernel/powers/ports.ts'
import type { Config } from '../config/config.ts'
import { TERMINAL_SINK } from '../line/home-methods.ts'
import type { Handover } from '../tunnel/handover.ts'

type ChatThere = Pick<HomeChannel, 'declaration' | 'now'>

export interface HomeChats {
  readonly chats: readonly ChatThere[]
  /** Delivers to the owner's chat with the edge's bot. */
  readonly handover: Pick<Handover, 'send' | 'holds' | 'work'>
  /** The text with commands as they are typed where home was started. A terminal does that by itself. */
  readonly typed: (text: string) => string
}

export function homeSender({ chats, handover, typed }: HomeChats): SenderPort {
  // Each port ignores tasks of another's sink.
  const all = (): readonly SenderPort[] => chats.flatMap(({ now }) => now()?.sender ?? [])
  const shown = (): readonly WorkPort[] => [handover.work, ...all().flatMap(({ work }) => work ?? [])]
  return {
    /** Absent while no connected chat can show drafts. */
    get drafts() {
      return all().find(({ drafts }) => drafts !== undefined)?.drafts
    },
    async send(made) {
      const { sink, own, text } = made
      // Anything else goes to the letter, as it was approved or written.
      const delivery = own && sink !== TERMINAL_SINK ? { ...made, text: typed(text) } : made
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
    /** Absent while no connected chat can retract messages. */
    get retract() {
      if (!all().some(({ retract }) => retract !== undefined)) return undefined
      return async (message: Parameters<NonNullable<SenderPort['retract']>>[0]) =>
        (await chatOf(chats, message.sink)?.sender.retract?.(message)) ??
        err('sink_unknown', { sink: message.sink })
    },
  }
}

/** The chat that owns a sink; null if it is not connected. */
export function chatOf(chats: readonly ChatThere[], sink: string): HomeChat | null {
  return chats.find(({ declaration }) => declaration.home?.sink === sink)?.now() ?? null
}

/**
 * Sinks of the connected chats in the owner's order of preference. If none is connected: those that need no activation,
 * so that a question always has a chat.
 */
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

export function liveFiles(channels: readonly Pick<HomeChannel, 'declaration' | 'now'>[]): FilePort {
  const from = (sink: string): Result<FilePort> => {
    const channel = channels.find(({ declaration }) => declaration.home?.sink === sink)
    if (channel?.declaration.fetches !== true) return err('tool_unknown')
    const files = channel.now()?.files
    return files === undefined ? err('sink_unknown') : ok(files)
  }
  const first = (): FilePort | undefined => channels.flatMap(({ now }) => now()?.files ?? [])[0]
  return {
    get hears() {
      return first()?.hears
    },
    get reads() {
      return first()?.reads
    },
    async text(file, most) {
      const chat = from(file.sink)
      return chat.ok ? chat.value.text(file, most) : chat
    },
    async picture(file, most) {
      const chat = from(file.sink)
      return chat.ok ? ((await chat.value.picture?.(file, most)) ?? err('sink_unknown')) : chat
    },
  }
}
