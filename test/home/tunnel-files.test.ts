/**
 * Files that home reads for the edge (B-27, H-15): typed by their bytes, one at a time and rate-limited, for their own
 * connection; a hostile result is cut to what the edge accepts. With the real parser process:
 * test/home/edge-pdf.test.ts.
 */
import { describe, expect, it } from 'vitest'
import type { FileReader, FileReaders } from '../../integrations/channels/runtime/files.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type FileAnswer, type FileAsk, MOST_READ, MOST_TITLE } from '../../kernel/tunnel/ask.ts'
import { encodeFrame, parseFrame } from '../../kernel/tunnel/frame.ts'
import { createEdgeFiles, MOST_A_MINUTE } from '../../sidecar/tunnel/tunnel-files.ts'
import { docx, wordP } from '../fakes/office.ts'
import { pdfOf } from '../fakes/pdf.ts'
import { until } from './fixtures/wait.ts'

const EPOCH = 5
const WORD = docx(wordP('The lantern opens at nine.'))
const PDF = pdfOf({ pages: ['The lantern opens at nine.'] })

const ask = (over: Partial<FileAsk> & { readonly of?: Uint8Array } = {}): FileAsk => {
  const { of = PDF, ...rest } = over
  return { id: 'c1', epoch: EPOCH, kind: 'pdf', bytes: Buffer.from(of).toString('base64'), ...rest }
}

function desk(readers: FileReaders) {
  const clock = { at: 1_000 }
  const told: FileAnswer[] = []
  const noted: unknown[] = []
  const files = createEdgeFiles({ readers, noted: (one) => noted.push(one), now: () => clock.at })
  const open = (epoch = EPOCH): void =>
    files.attach(epoch, (body) => {
      // Validated as the edge does.
      const frame = parseFrame(encodeFrame({ kind: 'ephemeral', body }))
      if (!frame.ok || frame.value.kind !== 'ephemeral' || frame.value.body.type !== 'file_told')
        throw new Error('the edge would hang up')
      told.push(frame.value.body.told)
    })
  open()
  return { clock, told, noted, files, open }
}

/** A reader that waits until it is released. */
function held(): { readonly pdf: FileReader; readonly taken: number[]; readonly free: (() => void)[] } {
  const taken: number[] = []
  const free: (() => void)[] = []
  const pdf: FileReader = async (bytes) => {
    taken.push(bytes.length)
    await new Promise<void>((resolve) => free.push(resolve))
    return ok({ text: 'read' })
  }
  return { pdf, taken, free }
}

const reads =
  (read: Result<FileText>): FileReader =>
  async () =>
    read
const codes = (told: readonly FileAnswer[]): readonly string[] =>
  told.map((one) => (one.ok ? one.text : one.reason))

describe('a file is judged before a reader starts', () => {
  const own = { id: 'speech', locality: 'home', level: 'regulated', compartments: 'all' } as const
  const sound = (locality: 'home' | 'cloud'): FileReaders => ({
    sound: { reader: { ...own, locality }, read: async (_bytes, ending) => ok({ text: ending }) },
  })
  const never: FileReader = () => Promise.reject(new Error('was asked'))
  const OGG = Buffer.from('OggS and more')
  it.each<[string, FileReaders, Parameters<typeof ask>[0], string]>([
    ['text that is called a PDF', { pdf: never }, { of: Buffer.from('hello') }, 'field_malformed'],
    ['a sound that is called a PDF', { pdf: never }, { of: OGG }, 'field_malformed'],
    [
      'text that is called a document',
      { document: never },
      { kind: 'document', of: Buffer.from('hello') },
      'field_malformed',
    ],
    ['a PDF that is called a document', { document: never }, { kind: 'document' }, 'field_malformed'],
    ['a document where nobody reads one', { pdf: never }, { kind: 'document', of: WORD }, 'tool_unknown'],
    ['padding alone', { pdf: never }, { bytes: 'A===' }, 'field_malformed'],
    ['a PDF where nobody reads one', {}, {}, 'tool_unknown'],
    ['a sound where nobody hears', { pdf: never }, { kind: 'sound', of: OGG }, 'tool_unknown'],
    ['a sound that a company would hear', sound('cloud'), { kind: 'sound', of: OGG }, 'model_not_cleared'],
    ['a PDF that is called a sound', sound('home'), { kind: 'sound' }, 'field_malformed'],
    ['a sound', sound('home'), { kind: 'sound', of: OGG }, 'ogg'],
    ['one of another connection', { pdf: never }, { epoch: EPOCH - 1 }, 'frame_fenced'],
    ['one whose reader fails', { pdf: never }, {}, 'internal_fault'],
  ])('%s', async (_what, readers, over, expected) => {
    const { files, told } = desk(readers)
    files.take(ask(over))
    await until(() => told.length === 1, 5_000)
    expect(codes(told)).toEqual([expected])
  })
})

describe('the result of a reader', () => {
  it.each<[string, FileText, object]>([
    ['too much', { text: 'x'.repeat(60_000), pages: 3 }, { ok: true, text: 'x'.repeat(MOST_READ), pages: 3 }],
    [
      'a title without end',
      { text: 'x', title: 't'.repeat(900) },
      { ok: true, text: 'x', title: 't'.repeat(MOST_TITLE) },
    ],
    ['less than no pages', { text: 'x', pages: -5 }, { ok: false, reason: 'tool_failed' }],
    ['pages without end', { text: 'x', pages: 1e15 }, { ok: false, reason: 'tool_failed' }],
    ['more than its text', { text: 'x', label: 'public' } as FileText, { ok: true, text: 'x' }],
  ])(
    'with %s is cut to what the edge accepts, and the connection stays up',
    async (_what, value, expected) => {
      const { files, told } = desk({ pdf: reads(ok(value)) })
      files.take(ask())
      await until(() => told.length === 1, 5_000)
      expect(told).toEqual([{ id: 'c1', epoch: EPOCH, ...expected }])
    },
  )
})

describe('a flood', () => {
  it('of two at once: the second is refused, and the first goes on', async () => {
    const { pdf, taken, free } = held()
    const { files, told } = desk({ pdf })
    files.take(ask())
    files.take(ask({ id: 'c2' }))
    expect(told).toEqual([{ id: 'c2', epoch: EPOCH, ok: false, reason: 'remote_rate_limited' }])
    free[0]?.()
    await until(() => told.length === 2, 5_000)
    expect([codes(told)[1], taken]).toEqual(['read', [PDF.length]])
  })

  it('is not increased by reconnecting, and the text for the former connection is dropped', async () => {
    const { pdf, taken, free } = held()
    const { files, told, open } = desk({ pdf })
    files.take(ask())
    files.detach()
    files.take(ask())
    open(EPOCH + 1)
    files.take(ask({ epoch: EPOCH + 1 }))
    expect([codes(told), taken.length]).toEqual([['remote_rate_limited'], 1])
    free[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toHaveLength(1)
    files.take(ask({ epoch: EPOCH + 1 }))
    expect(taken).toHaveLength(2)
  })

  it('of many a minute is limited, and the limit ends with the minute', async () => {
    const { files, told, noted, clock } = desk({ pdf: reads(err('nothing_found')) })
    for (let n = 0; n < MOST_A_MINUTE + 3; n += 1) {
      files.take(ask({ id: `c${n}` }))
      await until(() => told.length === n + 1, 5_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(codes(told).slice(MOST_A_MINUTE)).toEqual(Array(3).fill('remote_rate_limited'))
    // Only files that were read are audited.
    expect(noted).toHaveLength(MOST_A_MINUTE)
    clock.at += 60_000
    files.take(ask({ id: 'later' }))
    await until(() => told.length === MOST_A_MINUTE + 4, 5_000)
    expect(codes(told).at(-1)).toBe('nothing_found')
  })

  it('limit survives a clock that was set back', async () => {
    const { files, told, clock } = desk({ pdf: reads(err('nothing_found')) })
    clock.at = 9e12
    files.take(ask())
    await until(() => told.length === 1, 5_000)
    clock.at = 1_000
    for (let n = 0; n < MOST_A_MINUTE; n += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      files.take(ask({ id: `c${n}` }))
      await until(() => told.length === n + 2, 5_000)
    }
    expect(new Set(codes(told))).toEqual(new Set(['nothing_found']))
  })
})
