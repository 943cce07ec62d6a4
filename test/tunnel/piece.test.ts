/** Bodies above one frame: cut, kept and joined, and what is wrong with a piece is said with its code (T-04, T-12). */
import { expect, test } from 'vitest'
import { createChannel, MAX_STORED_BYTES, MAX_STORED_PIECES } from '../../kernel/tunnel/channel.ts'
import {
  type Body,
  encodeFrame,
  type FrameOf,
  frameBytes,
  MAX_FRAME_BYTES,
  parseFrame,
} from '../../kernel/tunnel/frame.ts'
import { cutBody, MAX_BODY_BYTES, MAX_PIECES, type Piece } from '../../kernel/tunnel/piece.ts'
import { answerBody, MemoryChannelStore } from './fixtures.ts'

const answer = (text: string): Body => answerBody('c1', { text })

/** Sends a body to a receiver over a wire of text; returns what came out, and how large the frames were. */
function carry(body: Body): { readonly out: readonly Body[]; readonly sizes: readonly number[] } {
  const sender = createChannel(new MemoryChannelStore())
  const store = new MemoryChannelStore()
  const receiver = createChannel(store)
  const out: Body[] = []
  const sizes: number[] = []
  const wire: FrameOf<'data'>[] = [...sender.send(body)]
  for (let frame = wire.shift(); frame !== undefined; frame = wire.shift()) {
    const text = encodeFrame({ ...frame, at: Number.MAX_SAFE_INTEGER })
    sizes.push(new TextEncoder().encode(text).length)
    const parsed = parseFrame(text)
    if (!parsed.ok || parsed.value.kind !== 'data') throw new Error(JSON.stringify(parsed))
    expect(receiver.onData(parsed.value)).toBe('deliver')
    const whole = receiver.join(parsed.value)
    if (!whole.ok) throw new Error(whole.reason.code)
    if (whole.value !== null) out.push(whole.value)
    wire.push(...sender.onAck(receiver.accepted(parsed.value).seq))
  }
  expect(store.pieces()).toEqual([])
  return { out, sizes }
}

/** Letters whose text is longest: as JSON of JSON, in UTF-8, and cut between two units. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['plain letters', 'x'.repeat(5_000_000)],
  ['quotes', '"\\'.repeat(1_000_000)],
  ['letters of three bytes', '漢'.repeat(2_700_000)],
  ['letters of two units', `.${'😀'.repeat(1_500_000)}`],
  ['control characters', '\u0001'.repeat(1_000_000)],
]

test.each(TEXTS)('five megabytes come whole, in frames that are within their bound: %s', (_name, text) => {
  const { out, sizes } = carry(answer(text))
  expect(out.length).toBe(1)
  expect(JSON.stringify(out[0]) === JSON.stringify(answer(text))).toBe(true)
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_FRAME_BYTES)
})

test('what fits one frame is not cut, and one byte more is', () => {
  const room = MAX_FRAME_BYTES - frameBytes(answer(''))
  expect(carry(answer('x'.repeat(room))).sizes.length).toBe(1)
  expect(carry(answer('x'.repeat(room + 1))).sizes.length).toBeGreaterThan(1)
})

const SUM = 'a'.repeat(64)
const piece = (over: Partial<Piece> = {}): Piece => ({
  type: 'piece',
  n: 0,
  of: 3,
  sum: SUM,
  text: 'x',
  ...over,
})
const frame = (seq: number, over: Partial<Piece> = {}): FrameOf<'data'> => ({
  kind: 'data',
  seq,
  body: piece(over),
})

const BAD: readonly (readonly [string, object, string])[] = [
  ['the only one of its body', { of: 1 }, 'frame_malformed'],
  ['one of none', { of: 0 }, 'frame_malformed'],
  ['one behind the last', { n: 3 }, 'frame_malformed'],
  ['one before the first', { n: -1 }, 'frame_malformed'],
  ['no text', { text: '' }, 'frame_malformed'],
  ['more text than a piece has', { text: 'x'.repeat(MAX_FRAME_BYTES / 3) }, 'frame_malformed'],
  ['a sum that is none', { sum: 'a' }, 'frame_malformed'],
  ['a word more', { label: 'public' }, 'frame_malformed'],
  ['one of more than a body may have', { of: MAX_PIECES + 1 }, 'frame_too_large'],
  ['one of very many', { of: Number.MAX_SAFE_INTEGER }, 'frame_too_large'],
]

test.each(BAD)('a piece that is %s is refused as it arrives', (_name, over, code) => {
  const text = JSON.stringify({ kind: 'data', seq: 1, body: { ...piece(), ...over } })
  expect(parseFrame(text)).toMatchObject({ ok: false, reason: { code } })
})

/** Pieces in the order of their numbers, from 1 on, and what the last of them brings. */
const ORDERS: readonly (readonly [string, readonly Partial<Piece>[], string])[] = [
  ['no first piece', [{ n: 1 }], 'frame_gap'],
  ['a missing piece', [{ n: 0 }, { n: 2 }], 'frame_gap'],
  ['a piece twice', [{ n: 0 }, { n: 0 }, { n: 2 }], 'frame_gap'],
  ['another total', [{ n: 0 }, { n: 1, of: 4 }], 'frame_gap'],
  ['another body', [{ n: 0 }, { n: 1, sum: 'b'.repeat(64) }], 'frame_gap'],
  ['another text than was announced', [{ n: 0 }, { n: 1 }, { n: 2 }], 'frame_malformed'],
  [
    'more bytes than a body may have',
    Array.from({ length: MAX_PIECES }, (_, n) => ({ n, of: MAX_PIECES, text: '漢'.repeat(340_000) })),
    'frame_too_large',
  ],
  [
    'a little more bytes than a body may have',
    Array.from({ length: 9 }, (_, n) => ({ n, of: 9, text: '漢'.repeat(340_000) })),
    'frame_too_large',
  ],
]

test.each(ORDERS)('pieces are refused: %s', (_name, pieces, code) => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store)
  const codes = pieces.map((over, at): string | null => {
    const taken = channel.join(frame(at + 1, over))
    return taken.ok ? null : taken.reason.code
  })
  expect(codes.find((found) => found !== null)).toBe(code)
  // What broke the rules leaves nothing behind.
  if (code !== 'frame_gap') expect(store.pieces().some(({ seq }) => seq <= codes.indexOf(code))).toBe(false)
})

test('a text that came as it was announced and is no body is refused', () => {
  const channel = createChannel(new MemoryChannelStore())
  const pieces = cutBody(JSON.stringify({ type: 'shell', command: 'x'.repeat(MAX_FRAME_BYTES) }), 300_000)
  const taken = pieces.map((body, n) => channel.join({ kind: 'data', seq: n + 1, body }))
  expect(taken.at(-1)).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
  expect(taken.slice(0, -1).every(({ ok }) => ok)).toBe(true)
})

test('another text than was announced is refused', () => {
  const text = JSON.stringify({ type: 'shell', command: 'x'.repeat(MAX_FRAME_BYTES) })
  const store = new MemoryChannelStore()
  const sender = createChannel(new MemoryChannelStore())
  const frames = sender.send(answer('x'.repeat(text.length)))
  expect(frames.length).toBeGreaterThan(1)
  const channel = createChannel(store)
  const taken = frames.map(({ seq, body }) =>
    body.type === 'piece'
      ? channel.join({ kind: 'data', seq, body: { ...body, text: text.slice(0, 9) } })
      : null,
  )
  expect(taken.at(-1)).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
})

test('a body of which one letter was changed on the way is refused', () => {
  const channel = createChannel(new MemoryChannelStore())
  const frames = createChannel(new MemoryChannelStore()).send(answer('x'.repeat(MAX_FRAME_BYTES)))
  const taken = frames.map(({ seq, body }) => {
    const text = body.type === 'piece' ? body.text.replace('xx', 'xy') : ''
    return body.type === 'piece' ? channel.join({ kind: 'data', seq, body: { ...body, text } }) : null
  })
  expect(taken.at(-1)).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
})

test('a peer that begins bodies and never ends one gets no further, by number or by bytes', () => {
  const begin = (text: string): { readonly count: number; readonly code: string } => {
    const channel = createChannel(new MemoryChannelStore())
    for (let count = 0; count <= MAX_STORED_PIECES; count += 1) {
      const taken = channel.join(frame(count + 1, { text }))
      if (!taken.ok) return { count, code: taken.reason.code }
    }
    throw new Error('no end')
  }
  expect(begin('x')).toEqual({ count: MAX_STORED_PIECES, code: 'frame_too_large' })
  const large = 'x'.repeat(340_000)
  const most = Math.floor(MAX_STORED_BYTES / large.length)
  expect(begin(large)).toEqual({ count: most, code: 'frame_too_large' })
})

test('pieces of before one side lost its state meet no others', () => {
  const store = new MemoryChannelStore()
  const channel = createChannel(store)
  channel.join(frame(1))
  channel.accepted(frame(1))
  const hello = createChannel(new MemoryChannelStore()).hello(1)
  channel.onHello({ ...hello, base: 57, last: 60 })
  expect([store.pieces(), store.received()]).toEqual([[], 57])
})

test('the bound of a body is one of its text', () => {
  const channel = createChannel(new MemoryChannelStore())
  expect(() => channel.send(answer('x'.repeat(MAX_BODY_BYTES)))).toThrow(RangeError)
})
