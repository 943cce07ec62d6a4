/** Which things of a message stand on the list, and what beside them is no thing. */
import { describe, expect, it } from 'vitest'
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
