/**
 * Progress of a running task in its chat (C-32): a typing indicator, and after two seconds a message that becomes the task's next
 * delivery or is deleted. Timers run only during the task's work, which keeps the place awake anyway; the other place's progress is
 * shown when reported, rate-limited. Stores no text of anybody. Called through `WorkPort`, and by the channels' senders.
 */

import type { WorkPort } from '../../../kernel/features/deliveries/work-port.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import { wordsOf } from '../../../kernel/wording/progress.ts'
import type { Called, ChannelState, SentStore } from './channel-state.ts'
import type { ChatService } from './chat-service.ts'

/** Milliseconds before progress is shown: faster work is answered at once. */
const SHOWN_AFTER = 2_000
/** Milliseconds between updates: services show typing for five seconds, and accept about one message a second per chat. */
const AGAIN_AFTER = 4_000
/** Least milliseconds between two progress reports of the other place in one chat. */
const LEAST_BETWEEN = 3_000

/** Most stored progress messages: a principal runs one task at a time, and a few wait for home. */
const REMEMBERED = 20

interface Standing<Id extends Called> {
  readonly task: string
  readonly chat: Id
  readonly message: Id
  /** True when the other place continues the task. */
  readonly back: boolean
}

export interface Progress<Id extends Called = number> extends Required<WorkPort> {
  /** Called before a delivery: the task's progress message becomes its first message. */
  becomes(delivery: Pick<Delivery, 'id' | 'task'>, chat: Id): Promise<void>
}

interface Running<Id extends Called> {
  readonly chat: Id
  words: string | null
  /** Text last shown in the chat. */
  told: string | null
  /** True when the other place continues the task. */
  readonly back: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  /** The update being sent to the chat. */
  busy: Promise<void>
}

function begin<Id extends Called>(chat: Id, words: string | null, back: boolean): Running<Id> {
  return { chat, words, told: null, back, timer: undefined, busy: Promise.resolve() }
}

export function createTaskProgress<Id extends Called, Shown>(input: {
  readonly service: Pick<
    ChatService<Id, Shown>,
    'channel' | 'post' | 'edit' | 'remove' | 'typing' | 'progress'
  >
  readonly kept: ChannelState
  readonly sentStore: SentStore<Id>
  /** Null for a sink of another channel. */
  readonly chatOf: (sink: string) => Id | null
}): Progress<Id> {
  const { service, kept, sentStore, chatOf } = input
  const name = `${service.channel}-progress`
  const running = new Map<string, Running<Id>>()
  /** Tasks of the other place, and when each chat last showed progress of one. */
  const away = new Map<string, Running<Id>>()
  const toldAt = new Map<Id, number>()
  const all = (): readonly Standing<Id>[] => kept.get<readonly Standing<Id>[]>(name) ?? []
  const standing = (task: string): Standing<Id> | undefined => all().find((one) => one.task === task)
  const forget = (task: string): void =>
    kept.put(
      name,
      all().filter((one) => one.task !== task),
    )
  const note = (one: Standing<Id>): void => {
    forget(one.task)
    kept.put(name, [...all(), one].slice(-REMEMBERED))
  }

  const say = async (task: string, { chat, back }: Running<Id>, text: string): Promise<void> => {
    const known = standing(task)
    if (known !== undefined) {
      await service.edit(chat, known.message, service.progress(text))
      return
    }
    const sent = await service.post(chat, service.progress(text))
    if (sent.ok) note({ task, chat, message: sent.value, back })
  }
  /** Deletes a progress message. One that cannot be deleted now is retried when there is work again; one that never can is forgotten. */
  const take = async ({ task, chat, message }: Standing<Id>): Promise<void> => {
    const gone = await service.remove(chat, message)
    if (gone.ok || gone.reason.code === 'remote_rejected') forget(task)
  }
  /** Deletes messages left by a crash or by a failed request: their tasks have ended, or will show progress again. */
  const tidy = async (): Promise<void> => {
    for (const one of all()) if (!one.back && !running.has(one.task)) await take(one)
  }
  const look = async (task: string, work: Running<Id>): Promise<void> => {
    const { words, chat } = work
    await tidy()
    if (words !== null && words !== work.told) {
      work.told = words
      await say(task, work, words)
    }
    await service.typing?.(chat)
  }
  const wake = (task: string, work: Running<Id>, after: number): void => {
    clearTimeout(work.timer)
    work.timer = setTimeout(() => {
      // Rejects only when storage fails, and the task's own work reports that.
      work.busy = look(task, work)
        .catch(() => undefined)
        .then(() => {
          if (running.get(task) === work) wake(task, work, AGAIN_AFTER)
        })
    }, after)
  }

  /** Waits for updates being sent, so that they arrive before the delivery. */
  const settled = async (task: string): Promise<void> => {
    await running.get(task)?.busy
    await away.get(task)?.busy
    away.delete(task)
  }

  return {
    working({ sink, task, how }) {
      const chat = chatOf(sink)
      if (chat === null) return
      const words = how === null ? null : wordsOf(how)
      const known = running.get(task)
      if (known !== undefined) {
        known.words = words
        return
      }
      const work = begin(chat, words, false)
      running.set(task, work)
      wake(task, work, SHOWN_AFTER)
    },
    async elsewhere({ sink, task, how, now }) {
      const chat = chatOf(sink)
      if (chat === null) return err('sink_unknown', { sink })
      // `Math.abs`: a clock that was set back must not silence a chat.
      const since = Math.abs(now - (toldAt.get(chat) ?? -Infinity))
      if (running.has(task) || since < LEAST_BETWEEN) return err('remote_rate_limited')
      toldAt.set(chat, now)
      const work = {
        ...(away.get(task) ?? begin(chat, null, true)),
        words: how === null ? null : wordsOf(how),
      }
      away.delete(task)
      away.set(task, work)
      for (const oldest of [...away.keys()].slice(0, -REMEMBERED)) away.delete(oldest)
      work.busy = work.busy.then(() => look(task, work)).catch(() => undefined)
      await work.busy
      return ok(true)
    },
    async rests({ task, back }) {
      const work = running.get(task)
      clearTimeout(work?.timer)
      running.delete(task)
      await work?.busy
      await settled(task)
      try {
        const left = standing(task)
        if (left !== undefined && back) note({ ...left, back })
        else if (left !== undefined) await take(left)
      } catch {
        // Storage fails: the message is found and deleted when there is work again.
      }
    },
    async becomes({ id, task }, chat) {
      if (task === null) return
      const work = running.get(task)
      clearTimeout(work?.timer)
      await settled(task)
      const said = standing(task)
      if (said?.chat === chat && sentStore.load(id).length === 0) {
        sentStore.save(id, [{ message: said.message, said: '' }])
        forget(task)
        if (work !== undefined) work.told = null
      }
      if (work !== undefined && running.get(task) === work) wake(task, work, AGAIN_AFTER)
    },
  }
}
