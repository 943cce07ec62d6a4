/** Splitting a stream into frames: however the bytes are cut, each frame is returned once, whole, and bounded. */
import { describe, expect, it } from 'vitest'
import { type FrameKind, framesOf, TooLarge } from '../../integrations/models/frames.ts'

const ROOMY = { maxBytes: 1_000_000, maxFrame: 100_000 }
const encoder = new TextEncoder()

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text)
  // One buffer for all chunks, as a platform may do it.
  const shared = new Uint8Array(size)
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    shared.set(piece)
    yield shared.subarray(0, piece.length)
  }
}

async function collect(text: string, size: number, kind: FrameKind, limits = ROOMY): Promise<string[]> {
  const found: string[] = []
  for await (const frame of framesOf(cut(text, size), kind, limits))
    found.push(new TextDecoder().decode(frame))
  return found
}

describe('frames of a stream', () => {
  it.each<[kind: FrameKind, text: string, frames: string[]]>([
    ['event', 'data: ü\n\ndata: 🦉\ndata: b\n\n', ['data: ü\n\n', 'data: 🦉\ndata: b\n\n']],
    ['event', 'data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\n', 'data: b\r\n\r\n']],
    ['event', 'data: a\n\ndata: no end', ['data: a\n\n', 'data: no end']],
    ['line', '{"a":"ü"}\n{}\n', ['{"a":"ü"}\n', '{}\n']],
    ['line', '{}\n{"no":"end"}', ['{}\n', '{"no":"end"}']],
  ])('each %s of a stream is one frame: %j', async (kind, text, frames) => {
    expect(await collect(text, 1, kind)).toEqual(frames)
    for (const size of [2, 3, 5, 1_000]) expect((await collect(text, size, kind)).join('')).toBe(text)
  })

  it.each<[what: string, kind: FrameKind, text: string]>([
    ['a frame without an end', 'event', 'x'.repeat(200)],
    ['lines without an event’s end', 'event', 'data: x\n'.repeat(30)],
    ['a line without an end', 'line', 'x'.repeat(200)],
    ['all in all', 'line', 'x\n'.repeat(1_000)],
  ])('a frame or stream is too large: %s', async (_what, kind, text) => {
    await expect(collect(text, 7, kind, { maxBytes: 1_000, maxFrame: 100 })).rejects.toThrow(TooLarge)
  })

  it('splitting single bytes takes linear time', async () => {
    const looked = { bytes: 0 }
    async function* single(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 50_000; at += 1) yield Uint8Array.of(0x61)
      yield encoder.encode('\n\n')
    }
    for await (const frame of framesOf(single(), 'event', ROOMY)) looked.bytes += frame.byteLength
    // One frame: the reader behind it sees each byte once.
    expect(looked.bytes).toBe(50_002)
  })
})
