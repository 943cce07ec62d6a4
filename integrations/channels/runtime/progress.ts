/**
 * What a chat shows while a task is worked on (C-32): that the bot writes, as long as it does, and after two seconds a message that
 * says how far it is. That message becomes the next one that the task says, its answer or its question; where nothing comes of it, it
 * goes. Its clock runs between two words of the lane alone, while the work holds the place awake anyway; what the other place works on
 * is shown when that place says so, and no oftener than a chat takes. Must not be told a word of anybody's. Called through `WorkPort`,
 * and by the channels' senders.
 */
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { WorkPort } from '../../../kernel/powers/work-port.ts'
import { wordsOf } from '../../../kernel/wording/progress.ts'
import type { Called, KeptPort, SentShelf } from './kept.ts'

/** Milliseconds: what is done within them is answered at once. */
const SHOWN_AFTER = 2_000
/** Milliseconds: a service shows for five that a bot writes, and takes a message a second in one chat. */
const AGAIN_AFTER = 4_000
/** Milliseconds between two words of the other place in one chat, however often it says them. */
const LEAST_BETWEEN = 3_000

/** Messages that are remembered: one task of a principal runs at a time, a few wait for home. */
const REMEMBERED = 20

interface Standing<Id extends Called> {
  readonly task: string
  readonly chat: Id
  readonly message: Id
  /** Its task goes on by itself. */
  readonly back: boolean
}

export interface Progress<Id extends Called = number> extends Required<WorkPort> {
  /** Before a delivery: what says how far its task is becomes the first message of it. */
  becomes(delivery: Pick<Delivery, 'id' | 'task'>, chat: Id): Promise<void>
}

/** What a channel can do in a chat; none of it may reject, and what fails is lost. */
export interface ProgressChat<Id extends Called> {
  /** What the message is called; null where it does not stand. */
  say(chat: Id, text: string): Promise<Id | null>
  change(chat: Id, message: Id, text: string): Promise<unknown>
  /** Whether it is gone, or will never go. */
  take(chat: Id, message: Id): Promise<boolean>
  /** Shows for some seconds that the bot writes, where a channel can. */
  typing?(chat: Id): Promise<unknown>
}

interface Running<Id extends Called> {
  readonly chat: Id
  words: string | null
  /** What the chat was last told. */
  told: string | null
  /** Whether it goes on without this place. */
  readonly back: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  /** What is under way to the chat. */
  busy: Promise<void>
}

function begin<Id extends Called>(chat: Id, words: string | null, back: boolean): Running<Id> {
  return { chat, words, told: null, back, timer: undefined, busy: Promise.resolve() }
}

export function createTaskProgress<Id extends Called>(input: {
  readonly chats: ProgressChat<Id>
  readonly kept: KeptPort
  readonly channel: string
  readonly shelf: SentShelf<Id>
  /** Null for a sink of another channel. */
  readonly chatOf: (sink: string) => Id | null
}): Progress<Id> {
  const { chats, kept, shelf, chatOf } = input
  const name = `${input.channel}-progress`
  const running = new Map<string, Running<Id>>()
  /** What the other place works on; and when each chat was last told of such. */
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
      await chats.change(chat, known.message, text)
      return
    }
    const message = await chats.say(chat, text)
    if (message !== null) note({ task, chat, message, back })
  }
  /** One that is gone already needs no deleting; one that cannot go now is tried when there is work again. */
  const take = async ({ task, chat, message }: Standing<Id>): Promise<void> => {
    if (await chats.take(chat, message)) forget(task)
  }
  /** Left by a crash, or by a chat that did not answer: their tasks have ended, or will say it anew. */
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
    await chats.typing?.(chat)
  }
  const wake = (task: string, work: Running<Id>, after: number): void => {
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
      if (chat === null) return err('sink_unknown', { sink })
      // A clock that was set back must not silence a chat.
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
