/** What a plan of reads leaves out although it asks for something is planned as well, or said to be missing; a remark is not. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const LOOKS = ['whats on tomorrow', 'will it rain in leeds tomorrow', 'was steht morgen an']
const WRITES = [
  'scribble down the boiler code is 4411',
  'ping tom that im late',
  'text sarah we are running late',
  'schreib tom dass ich später komm',
]
const REMARKS = [
  'my kid is ill',
  'we ran out of milk',
  'im so tired',
  'thanks for yesterday',
  'muss zum zahnarzt',
]

const read = (text: string) => {
  const { calls, inPart } = readingOf(text)
  return { tools: calls.map(({ tool }) => tool), inPart: inPart === true }
}
const both = (some: readonly string[]) =>
  LOOKS.flatMap((look) => some.flatMap((one) => [`${look}, ${one}`, `${one}, ${look}`]))

describe('beside a question', () => {
  it.each(both(WRITES))('a write is never left out unsaid: %s', (text) => {
    const { tools, inPart } = read(text)
    expect(tools.length === 0 || inPart || tools.length > 1).toBe(true)
  })

  it.each(both(REMARKS))('a remark is no missing part: %s', (text) => expect(read(text).inPart).toBe(false))
})
