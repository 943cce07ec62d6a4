/**
 * What a chat shows while a task is worked on (C-32): that the bot writes, as long as it does, and after two seconds a message that
 * says how far it is. That message becomes the next one that the task says, its answer or its question; where nothing comes of it, it
 * goes. Its clock runs between two words of the lane alone, while the work holds the place awake anyway; what the other place works on
 * is shown when that place says so, and no oftener than a chat takes. Must not be told a word of anybody's. Called through `WorkPort`,
 * and by sender.ts.
 */
import * as z from 'zod/mini'
import { allowed, refused } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { WorkPort } from '../../../kernel/powers/work-port.ts'
import { wordsOf } from '../../../kernel/wording/progress.ts'
import type { BotApi } from './api.ts'
import type { KeptPort } from './kept.ts'
import type { SentShelf } from './sent.ts'

/** Milliseconds: what is done within them is answered at once. */
const SHOWN_AFTER = 2_000
/** Milliseconds: Telegram shows for five that a bot writes, and takes a message a second in one chat. */
const AGAIN_AFTER = 4_000
/** Milliseconds between two words of the other place in one chat, however often it says them. */
const LEAST_BETWEEN = 3_000

const STANDING = 'telegram-progress'
/** Messages that are remembered: one task of a principal runs at a time, a few wait for home. */
const REMEMBERED = 20

interface Standing {
  readonly task: string
  readonly chat: number
  readonly message: number
  /** Its task goes on by itself. */
  readonly back: boolean
}

export interface Progress extends Required<WorkPort> {
  /** Before a delivery: what says how far its task is becomes the first message of it. */
  becomes(delivery: Pick<Delivery, 'id' | 'task'>, chat: number): Promise<void>
}

interface Running {
  readonly chat: number
  words: string | null
  /** What the chat was last told. */
  told: string | null
  /** Whether it goes on without this place. */
  readonly back: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  /** What is under way to the chat. */
  busy: Promise<void>
}

function begin(chat: number, words: string | null, back: boolean): Running {
  return { chat, words, told: null, back, timer: undefined, busy: Promise.resolve() }
}

const SENT = z.object({ message_id: z.int() })

export function createProgress(input: {
  readonly api: BotApi
  readonly kept: KeptPort
  readonly shelf: SentShelf
  /** Null for a sink of another channel. */
  readonly chatOf: (sink: string) => number | null
}): Progress {
  const { api, kept, shelf, chatOf } = input
  const running = new Map<string, Running>()
  /** What the other place works on; and when each chat was last told of such. */
  const away = new Map<string, Running>()
  const toldAt = new Map<number, number>()
  const all = (): readonly Standing[] => kept.get<readonly Standing[]>(STANDING) ?? []
  const standing = (task: string): Standing | undefined => all().find((one) => one.task === task)
  const forget = (task: string): void =>
    kept.put(
      STANDING,
      all().filter((one) => one.task !== task),
    )
  const note = (one: Standing): void => {
    forget(one.task)
    kept.put(STANDING, [...all(), one].slice(-REMEMBERED))
  }

  const say = async (task: string, { chat, back }: Running, text: string): Promise<void> => {
    const known = standing(task)
    if (known !== undefined) {
      await api.call('editMessageText', { chat_id: chat, message_id: known.message, text })
      return
    }
    const sent = await api.call('sendMessage', { chat_id: chat, text })
    const message = SENT.safeParse(sent.ok ? sent.value : null)
    if (message.success) note({ task, chat, message: message.data.message_id, back })
  }
  /** One that is gone already needs no deleting; one that cannot go now is tried when there is work again. */
  const take = async ({ task, chat, message }: Standing): Promise<void> => {
    const gone = await api.call('deleteMessage', { chat_id: chat, message_id: message })
    if (gone.ok || gone.reason.code === 'remote_rejected') forget(task)
  }
  /** Left by a crash, or by a chat that did not answer: their tasks have ended, or will say it anew. */
  const tidy = async (): Promise<void> => {
    for (const one of all()) if (!one.back && !running.has(one.task)) await take(one)
  }
  const look = async (task: string, work: Running): Promise<void> => {
    const { words, chat } = work
    await tidy()
    if (words !== null && words !== work.told) {
      work.told = words
      await say(task, work, words)
    }
    await api.call('sendChatAction', { chat_id: chat, action: 'typing' })
  }
  const wake = (task: string, work: Running, after: number): void => {
    clearTimeout(work.timer)
    work.timer = setTimeout(() => {
      // Only storage that fails makes it reject, and the work itself will say so.
      work.busy = look(task, work)
        .catch(() => undefined)
        .then(() => {
          if (running.get(task) === work) wake(task, work, AGAIN_AFTER)
        })
    }, after)
  }

  /** What is under way to the chat comes before what it announces. */
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
      if (chat === null) return refused('sink_unknown', { sink })
      // A clock that was set back must not silence a chat.
      const since = Math.abs(now - (toldAt.get(chat) ?? -Infinity))
      if (running.has(task) || since < LEAST_BETWEEN) return refused('remote_rate_limited')
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
      return allowed(true)
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
        // Storage fails: it is found standing when there is work again.
      }
    },
    async becomes({ id, task }, chat) {
      if (task === null) return
      const work = running.get(task)
      clearTimeout(work?.timer)
      await settled(task)
      const said = standing(task)
      if (said?.chat === chat && shelf.load(id).length === 0) {
        shelf.save(id, [{ message: said.message, said: '' }])
        forget(task)
        if (work !== undefined) work.told = null
      }
      if (work !== undefined && running.get(task) === work) wake(task, work, AGAIN_AFTER)
    },
  }
}
