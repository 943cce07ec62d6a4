/**
 * Progress shown in a chat while a task runs, over real HTTP (C-32): nothing within two seconds, then one message that becomes the
 * task's next delivery or is deleted.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { type ChannelState, createSentStore } from '../../integrations/channels/runtime/channel-state.ts'
import { createOutbox } from '../../integrations/channels/runtime/outbox.ts'
import { createTaskProgress, type Progress } from '../../integrations/channels/runtime/progress.ts'
import { type BotApi, createBotApi } from '../../integrations/channels/telegram/api.ts'
import { telegramChat } from '../../integrations/channels/telegram/sender.ts'
import type { WorkProgress } from '../../kernel/features/deliveries/work-port.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'

const CHAT = 77
const SINK = 'sink:telegram:77'
let telegram: ScriptedTelegram
let api: BotApi
let values: Map<string, unknown>
let progress: Progress
let sender: SenderPort

beforeAll(async () => {
  telegram = await startTelegram()
  telegram.order({ chats: [CHAT] })
})
afterAll(() => telegram.close())

/** A new process with the same stored state. */
function restart(): void {
  const kept = {
    get: (name: string) => values.get(name),
    put: (name: string, value: unknown) => void values.set(name, structuredClone(value)),
  } as ChannelState
  const chatOf = (sink: string): number | null => (sink === SINK ? CHAT : null)
  const sentStore = createSentStore(kept, 'telegram')
  const service = telegramChat(api)
  progress = createTaskProgress({ service, kept, sentStore, chatOf })
  const cards = {
    buttonsOf: () => ({ yes: 'y', no: 'n', more: 'm', options: [], rows: [] }),
    offersOf: () => [],
    shown: () => undefined,
  }
  sender = createOutbox({ service, sentStore, cards, progress, chatOf })
}

beforeEach(() => {
  telegram.messenger.messages.clear()
  values = new Map()
  api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport: createFetchTransport() })
  restart()
})
afterEach(() => vi.useRealTimers())

const texts = (): readonly string[] => [...telegram.messenger.messages.values()].map(({ text }) => text)
const FIRST = '1 of 2: looking through the mail…'
const SECOND = '2 of 2: writing the answer…'
/** Progress by the text that shows it. */
const HOW: Readonly<Record<string, WorkProgress>> = {
  [FIRST]: { doing: 'searching_mail', words: 'looking through the mail', step: 1, steps: 2 },
  [SECOND]: { doing: 'writing_answer', step: 2, steps: 2 },
}
const work = (words: string | null, task = 't') =>
  progress.working({ sink: SINK, task, event: 'e', how: HOW[words ?? ''] ?? null })
const ends = (task = 't', back = false) => progress.rests({ sink: SINK, task, back })
const ANSWER: Delivery = {
  ...{ id: 't:answer', sink: SINK, principal: 'p', task: 't', turn: 1, label: 'internal' },
  ...{ kind: 'answer', approval: null, text: 'here it is', at: 1, previews: 'off' },
}

/** Advances the clock; the resulting requests go over real HTTP. */
async function pass(milliseconds: number, seen: () => boolean = () => true): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await expect.poll(seen).toBe(true)
}
function freeze(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

describe('progress of a task', () => {
  it('a task of less than two seconds shows no progress', async () => {
    freeze()
    const before = telegram.transcript.length
    work(FIRST)
    await vi.advanceTimersByTimeAsync(1_999)
    await ends()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(telegram.transcript.slice(before)).toEqual([])
  })
  it('a longer task shows one message, which becomes the answer', async () => {
    freeze()
    work(FIRST)
    await pass(2_000, () => texts().length === 1)
    work(SECOND)
    await pass(4_000, () => texts()[0] === SECOND)
    await sender.send(ANSWER)
    await ends()
    expect(texts()).toEqual(['here it is'])
    expect(await sender.send(ANSWER)).toMatchObject({ ok: true })
    expect(texts()).toEqual(['here it is'])
  })
  it('a task without showable progress shows the typing indicator and no message', async () => {
    freeze()
    const before = telegram.transcript.length
    const typed = (): number => telegram.transcript.slice(before).length
    work(null)
    await pass(2_000, () => typed() === 1)
    await pass(4_000, () => typed() === 2)
    await ends()
    expect([texts(), telegram.transcript.at(-1)?.method]).toEqual([[], 'sendChatAction'])
  })
  it('the progress message of a task without an answer is deleted', async () => {
    freeze()
    work(FIRST)
    await pass(2_000, () => texts().length === 1)
    await ends()
    expect(texts()).toEqual([])
  })
  it('the progress message of a task that the other place continues stays', async () => {
    freeze()
    work(FIRST)
    await pass(2_000, () => texts().length === 1)
    await ends('t', true)
    restart()
    work(SECOND)
    await pass(2_000, () => texts()[0] === SECOND)
    await sender.send(ANSWER)
    await ends()
    expect(texts()).toEqual(['here it is'])
  })
  it('a task in another channel’s chat shows no progress here', async () => {
    freeze()
    progress.working({ sink: 'sink:telegram:78', task: 't', event: 'e', how: HOW[FIRST] ?? null })
    await pass(10_000)
    expect(texts()).toEqual([])
  })
})

describe('progress of the other place', () => {
  const NOW = 1_000_000
  const elsewhere = (words: string | null, now = NOW, sink = SINK) =>
    progress.elsewhere({ sink, task: 't', how: HOW[words ?? ''] ?? null, now })
  const codeOf = async (said: ReturnType<typeof elsewhere>): Promise<string> => {
    const heard = await said
    return heard.ok ? 'shown' : heard.reason.code
  }
  it('the other place’s progress is one message, edited with each report, which becomes the answer', async () => {
    expect(await codeOf(elsewhere(FIRST))).toBe('shown')
    expect(texts()).toEqual([FIRST])
    expect(await codeOf(elsewhere(SECOND, NOW + 4_000))).toBe('shown')
    expect(texts()).toEqual([SECOND])
    await sender.send(ANSWER)
    expect(texts()).toEqual(['here it is'])
  })
  it('the other place’s progress is shown at the chat’s rate, however often it is reported', async () => {
    await elsewhere(FIRST)
    const before = telegram.transcript.length
    expect(await codeOf(elsewhere(SECOND, NOW + 2_999))).toBe('remote_rate_limited')
    expect([texts(), telegram.transcript.length]).toEqual([[FIRST], before])
    // A clock that was set back must not silence the chat.
    expect(await codeOf(elsewhere(SECOND, NOW - 60_000))).toBe('shown')
  })
  it('progress that is being sent arrives before the answer', async () => {
    const shown = elsewhere(FIRST)
    await sender.send(ANSWER)
    await shown
    expect(texts()).toEqual(['here it is'])
  })
  it('the other place’s progress message is deleted when no answer follows', async () => {
    await elsewhere(FIRST)
    await ends()
    expect(texts()).toEqual([])
  })
  it('the other place’s progress message stays while this place runs another task, and over a restart', async () => {
    await elsewhere(FIRST)
    restart()
    freeze()
    work(null, 'another')
    const before = telegram.transcript.length
    await pass(2_000, () => telegram.transcript.length > before)
    await ends('another')
    expect(texts()).toEqual([FIRST])
    await sender.send(ANSWER)
    expect(texts()).toEqual(['here it is'])
  })
  it('a report for a task that this place is running itself is refused', async () => {
    work(FIRST)
    expect(await codeOf(elsewhere(SECOND))).toBe('remote_rate_limited')
    await ends()
  })
  it('the other place’s progress in another channel’s chat is not shown here', async () => {
    expect(await codeOf(elsewhere(FIRST, NOW, 'sink:telegram:78'))).toBe('sink_unknown')
  })
})

describe('a progress message left by a crash', () => {
  const leave = async (): Promise<void> => {
    freeze()
    work(FIRST)
    await pass(2_000, () => texts().length === 1 && values.size > 0)
    vi.useRealTimers()
    restart()
  }
  it('a progress message left by a crash becomes the answer that follows', async () => {
    await leave()
    await sender.send(ANSWER)
    expect(texts()).toEqual(['here it is'])
  })
  it('a progress message left by a crash is deleted at the next task when no answer follows', async () => {
    await leave()
    freeze()
    work(null, 'another')
    await pass(2_000, () => texts().length === 0)
    await ends('another')
  })
})
