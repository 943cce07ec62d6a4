/** Lines out of a byte stream, however it is cut, and never more than the limit (T-04). */
import { describe, expect, test } from 'vitest'
import { createLineReader, MAX_LINE_BYTES } from '../../sidecar/line-reader.ts'

const read = (chunks: readonly (string | Buffer)[], max?: number) => {
  const reader = createLineReader(max)
  return chunks.map((chunk) => reader(Buffer.from(chunk)))
}

test.each([
  ['one line', ['a\n'], [['a']]],
  ['two in one chunk', ['a\nb\n'], [['a', 'b']]],
  ['one in three chunks', ['a', 'b', 'c\n'], [[], [], ['abc']]],
  ['an empty one', ['\n'], [['']]],
  ['the rest waits', ['a\nb', '\n'], [['a'], ['b']]],
])('%s', (_name, chunks, lines) => expect(read(chunks)).toEqual(lines))

test('a character cut in two is whole again', () => {
  const bytes = Buffer.from('é\n')
  expect(read([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual([[], ['é']])
})

describe('the limit', () => {
  test.each([
    ['is reached', ['12345\n'], [['12345']]],
    ['is passed within a chunk', ['123456\n'], ['too_long']],
    ['is passed over chunks', ['123', '456'], [[], 'too_long']],
    ['is passed after a good line', ['a\n123456'], ['too_long']],
    ['counts anew for each line', ['12345\n12345\n'], [['12345', '12345']]],
  ])('%s', (_name, chunks, lines) => expect(read(chunks, 5)).toEqual(lines))

  test('is one megabyte', () => {
    expect(read(['x'.repeat(MAX_LINE_BYTES + 1)])).toEqual(['too_long'])
    expect(read(['x'.repeat(MAX_LINE_BYTES)])).toEqual([[]])
    expect(MAX_LINE_BYTES).toBe(1_048_576)
  })
})
