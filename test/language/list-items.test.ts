/** Which things of a message stand on the list, and what beside them is no thing. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { itemsOf } from '../../integrations/extractors/timed/items.ts'

describe('what only points at the things is none of them', () => {
  it.each([
    ['stamps and tape, add them to the list', ['stamps', 'tape']],
    ['a birthday card and candles, stick those on', ['a birthday card', 'candles']],
    ['Butter und Mehl, schreib das bitte auf', ['Butter', 'Mehl']],
    ['a book on how to write it down', ['a book on how to write it down']],
    ['milk, put the bins out', ['milk', 'put the bins out']],
  ])('%s', (topic, items) => expect(itemsOf(topic)).toEqual(items))
})

describe('what the tagger passes over in a row is a thing as well', () => {
  const things = (text: string): readonly unknown[] => {
    const { calls, asked } = readingOf(text)
    return [...calls, ...asked].map(({ args }) => args['text'])
  }
  it.each([
    [
      'We need: nappies size 5, buckwheat, the syrup for fever',
      ['nappies size 5', 'buckwheat', 'the syrup for fever'],
    ],
    [
      'Bird seed; lamp oil; a new wick for the Aladdin.',
      ['Bird seed', 'lamp oil', 'a new wick for the Aladdin'],
    ],
    ['brauche: äpfel, birnen, die pflaumen, danke', ['äpfel', 'birnen', 'die pflaumen']],
  ])('%s', (text, items) => expect(things(text)).toEqual(items))
})
