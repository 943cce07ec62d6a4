/** The reliable channel: in order, effect once, whatever the link and both processes do (T-04, T-13). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChannel, WINDOW, type Window } from '../../kernel/tunnel/channel.ts'
import {
  type Body,
  type Frame,
  type FrameOf,
  frameBytes,
  PROTOCOL_VERSION,
} from '../../kernel/tunnel/frame.ts'
import { MAX_BODY_BYTES } from '../../kernel/tunnel/piece.ts'
import { Crash, callBody, MemoryChannelStore } from './fixtures.ts'

const hello = (over: object) =>
  ({
    kind: 'hello',
    version: PROTOCOL_VERSION,
    epoch: 1,
    received: 0,
    base: 0,
    last: 0,
    proof: null,
    ...over,
  }) as const
const dataOf = (seq: number) => ({ kind: 'data', seq, body: callBody(`e${seq}`) }) as const
const numbers = (frames: readonly { readonly seq: number }[]) => frames.map(({ seq }) => seq)

test('bodies are numbered from one and stay until acknowledged', () => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store)
  expect(numbers([1, 2, 3].flatMap((n) => channel.send(callBody(`e${n}`))))).toEqual([1, 2, 3])
  channel.onAck(2)
  expect(numbers(store.out(0))).toEqual([3])
  expect(numbers(channel.send(callBody('e4')))).toEqual([4])
})

test('a number is never used twice, even after everything was acknowledged', () => {
  const channel = createChannel(new MemoryChannelStore())
  channel.send(callBody('e1'))
  channel.onAck(1)
  expect(numbers(channel.send(callBody('e2')))).toEqual([2])
})

test('a peer that comes back gets what it lacks', () => {
  const channel = createChannel(new MemoryChannelStore())
  for (const n of [1, 2, 3]) channel.send(callBody(`e${n}`))
  expect(numbers(channel.onHello(hello({ received: 1 })))).toEqual([2, 3])
})

/** Bytes of the frame that `callBody` makes of a one-letter id. */
const ONE = frameBytes(callBody('e1'))

test.each<[string, Window]>([
  ['two frames', { ...WINDOW, frames: 2 }],
  ['the bytes of two', { ...WINDOW, bytes: 2 * ONE + 1 }],
])('no more than %s is in flight, and each acknowledgement lets as many go as it took', (_name, window) => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store, window)
  const sent = [1, 2, 3, 4, 5].flatMap((n) => channel.send(callBody(`e${n}`)))
  expect(numbers(sent)).toEqual([1, 2])
  expect(channel.owed()).toEqual({ base: 0, sent: 2 })
  expect(numbers(channel.onAck(1))).toEqual([3])
  expect(numbers(channel.onAck(1))).toEqual([])
  // The window is counted from what is stored, so another life of the same end goes on with it.
  expect(numbers(createChannel(store, window).onAck(3))).toEqual([4, 5])
  expect(numbers(channel.onAck(5))).toEqual([])
  expect(channel.owed()).toEqual({ base: 5, sent: 5 })
})

test('what was not sent cannot be acknowledged away', () => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store, { ...WINDOW, frames: 2 })
  for (const n of [1, 2, 3, 4, 5]) channel.send(callBody(`e${n}`))
  expect(numbers(channel.onAck(5))).toEqual([3, 4])
  expect(numbers(store.out(0))).toEqual([3, 4, 5])
})

test('a peer that has more than there ever was gets everything again', () => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store)
  for (const n of [1, 2, 3]) channel.send(callBody(`e${n}`))
  expect(numbers(channel.onHello(hello({ received: 9 })))).toEqual([1, 2, 3])
  expect(numbers(store.out(0))).toEqual([1, 2, 3])
})

test('a frame that is larger than the window goes alone', () => {
  const channel = createChannel(new MemoryChannelStore(), { ...WINDOW, bytes: 1 })
  expect(numbers([1, 2].flatMap((n) => channel.send(callBody(`e${n}`))))).toEqual([1])
  expect(numbers(channel.onAck(1))).toEqual([2])
})

test('a peer that comes back gets no more than the window', () => {
  const channel = createChannel(new MemoryChannelStore(), { ...WINDOW, frames: 2 })
  for (const n of [1, 2, 3, 4]) channel.send(callBody(`e${n}`))
  expect(numbers(channel.onHello(hello({ received: 1 })))).toEqual([2, 3])
})

test('the outbox is full by number or by bytes', () => {
  const channel = createChannel(new MemoryChannelStore())
  for (const n of [1, 2]) channel.send(callBody(`e${n}`))
  expect(channel.isFull()).toBe(false)
  expect(channel.isFull({ count: 2, bytes: Infinity })).toBe(true)
  expect(channel.isFull({ count: 3, bytes: 2 * ONE })).toBe(true)
  expect(channel.isFull({ count: 3, bytes: 2 * ONE + 1 })).toBe(false)
})

const ARRIVALS: readonly (readonly [number, number, string])[] = [
  [0, 1, 'deliver'],
  [0, 2, 'gap'],
  [5, 5, 'duplicate'],
  [5, 1, 'duplicate'],
  [5, 6, 'deliver'],
  [5, 7, 'gap'],
]

test.each(ARRIVALS)('with %i received, number %i is: %s', (received, seq, verdict) => {
  const store = new MemoryChannelStore()
  store.setReceived(received)
  expect(createChannel(store).onData(dataOf(seq))).toBe(verdict)
})

test('a duplicate is acknowledged again with all that is durable', () => {
  const store = new MemoryChannelStore()
  store.setReceived(4)
  expect(createChannel(store).accepted(dataOf(2))).toEqual({ kind: 'ack', seq: 4 })
})

test('accepting out of order is a bug, not an acknowledgement', () => {
  expect(() => createChannel(new MemoryChannelStore()).accepted(dataOf(2))).toThrow(RangeError)
})

test('an acknowledgement of what was never sent drops nothing that is still to come', () => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store)
  channel.onAck(1_000)
  channel.send(callBody('e1'))
  expect(numbers(store.out(0))).toEqual([1])
})

test('a body that no peer would accept is not stored', () => {
  const store = new MemoryChannelStore()
  const body = { type: 'profile', timezone: 'x'.repeat(MAX_BODY_BYTES) } as const
  expect(() => createChannel(store).send(body)).toThrow(RangeError)
  expect(store.out(0)).toEqual([])
})

test('a receiver that lost its state goes on where the sender can still send', () => {
  const channel = createChannel(new MemoryChannelStore())
  channel.onHello(hello({ base: 57, last: 58 }))
  expect(channel.onData(dataOf(58))).toBe('deliver')
})

test('a sender that lost its state is heard again', () => {
  const store = new MemoryChannelStore()
  store.setReceived(57)
  const receiver = createChannel(store)
  const sender = createChannel(new MemoryChannelStore())
  sender.send(callBody('new'))
  receiver.onHello(sender.hello(1))
  const [frame] = sender.onHello(receiver.hello(1))
  expect(frame?.body).toEqual(callBody('new'))
  expect(receiver.onData(frame ?? dataOf(99))).toBe('deliver')
})

/** Frames so small that a body of some hundred letters is cut, and a window that few of them fill. */
const SMALL: Window = { frames: 3, bytes: 6_000, frame: 1_500 }

/** One end: a store that survives, an effect log that is idempotent by body id, and the code both real ends run. */
class End {
  readonly store = new MemoryChannelStore()
  readonly effects: string[] = []
  channel = createChannel(this.store, SMALL)

  restart(): void {
    this.store.fuse = Number.POSITIVE_INFINITY
    this.channel = createChannel(this.store, SMALL)
  }

  /** Throws `Crash` when the fuse runs out between two writes; the effect itself is one durable write too. */
  take(frame: Frame): readonly Frame[] {
    if (frame.kind === 'hello') return this.channel.onHello(frame)
    if (frame.kind === 'ack') return this.channel.onAck(frame.seq)
    if (frame.kind !== 'data') return []
    const verdict = this.channel.onData(frame)
    if (verdict === 'gap') return [this.channel.hello(1)]
    if (verdict === 'deliver') this.#effect(frame)
    return [this.channel.accepted(frame)]
  }

  #effect(frame: FrameOf<'data'>): void {
    const whole = this.channel.join(frame)
    if (!whole.ok) throw new Error(`a body was lost: ${whole.reason.code}`)
    const id = JSON.stringify(whole.value)
    if (whole.value !== null && !this.effects.includes(id)) this.effects.push(id)
  }
}

/** Every third is cut into several pieces. */
function bodyFrom(i: number, seq: number): Body {
  const name = `from${i}-${seq}`
  return { type: 'profile', timezone: seq % 3 === 0 ? name + '"é'.repeat(seq * 40) : name }
}

/** What the world does next to the link or to an end. */
const chaos = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'send' } as const) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('carry' as const), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('duplicate' as const), at: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('crash' as const), end: fc.nat(1), after: fc.nat(2) }),
  },
)

test('drops, duplicates, reordering and crashes between any two writes: every body once, in order, whole', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), chaos), { maxLength: 120 }), (script) => {
      const ends = [new End(), new End()] as const
      const wires: [Frame[], Frame[]] = [[], []] // wires[i] leads to ends[i]
      const sent: [string[], string[]] = [[], []]
      const endAt = (i: number): End => (i === 0 ? ends[0] : ends[1])
      const wireTo = (i: number): Frame[] => (i === 0 ? wires[0] : wires[1])

      /** A crash cuts the connection: what was on the wire is gone, and both sides say hello again. */
      const reconnect = (): void => {
        for (const i of [0, 1]) wireTo(i).splice(0)
        for (const i of [0, 1]) wireTo(1 - i).push(endAt(i).channel.hello(1))
      }
      const guarded = (i: number, work: () => void): void => {
        try {
          work()
        } catch (error) {
          if (!(error instanceof Crash)) throw error
          endAt(i).restart()
          reconnect()
        }
      }
      const send = (i: number): void => {
        const body = bodyFrom(i, endAt(i).store.allocate())
        guarded(i, () => {
          const frames = endAt(i).channel.send(body)
          ;(i === 0 ? sent[0] : sent[1]).push(JSON.stringify(body))
          wireTo(1 - i).push(...frames)
        })
      }
      const carry = (i: number, at: number): void => {
        const [frame] = wireTo(i).splice(Math.min(at, wireTo(i).length - 1), 1)
        if (frame !== undefined) guarded(i, () => wireTo(1 - i).push(...endAt(i).take(frame)))
      }

      for (const [i, event] of script) {
        if (event.do === 'send') send(i)
        else if (event.do === 'carry') carry(i, event.at)
        else if (event.do === 'drop') wireTo(i).splice(event.at, 1)
        else if (event.do === 'duplicate') wireTo(i).push(...wireTo(i).slice(event.at, event.at + 1))
        else endAt(event.end).store.fuse = event.after
      }
      for (const i of [0, 1]) endAt(i).restart()
      reconnect()
      while (wires[0].length + wires[1].length > 0) for (const i of [0, 1]) carry(i, 0)

      expect(ends[1].effects).toEqual(sent[0])
      expect(ends[0].effects).toEqual(sent[1])
      for (const end of ends) expect([end.store.out(0), end.store.pieces()]).toEqual([[], []])
    }),
    { numRuns: 500 },
  )
})
