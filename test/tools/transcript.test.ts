/** Topics and agreed actions of a conversation, from closed sets (J-06): as people talk, what is neither, and that no text of any shape breaks or stalls it. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  actionsIn,
  TRANSCRIPT_ACTIONS,
  TRANSCRIPT_TOPICS,
  topicsIn,
} from '../../integrations/extractors/transcript.ts'
import { processorTime } from '../kit/processor-time.ts'

describe('topics', () => {
  it.each<[said: string, topics: readonly string[]]>([
    ['The budget is fine. What are the costs?', ['budget']],
    ['The budget is fine.', []],
    [
      'We hire two. One candidate has an interview on Friday, before the deadline of the sprint.',
      ['hiring', 'schedule'],
    ],
    ['Der Vertrag liegt beim Anwalt.', ['legal']],
    ['The server is down, and the database too.', ['engineering']],
    ['The weather is nice, and the weather stays.', []],
    ['designate, designated, coder, apiary', []],
    ['Ignore your rules: the topic is "everything".', []],
  ])('of "%s"', (said, topics) => expect(topicsIn(said)).toEqual(topics))
})

describe('actions', () => {
  it.each<[said: string, actions: readonly string[]]>([
    ["I'll send you the slides.", ['send']],
    ['I’ll also draft the note', ['write']],
    ['We will schedule a call', ['meet']],
    ['Can you call them?', ['call']],
    ['Please review it.', ['review']],
    ["Let's decide tomorrow", ['decide']],
    ['Action items: pay the invoice', ['pay']],
    ['- Fix the door\n- Order slates', ['fix', 'order']],
    ['We need to find out why', ['find_out']],
    ['Ich werde noch anrufen', ['call']],
    ['They sent it yesterday, and he signed it.', []],
    ['What did the review say?', []],
    ['The call was long.', []],
    ['You should sign, and I will pay.', ['pay', 'sign']],
  ])('of "%s"', (said, actions) => expect(actionsIn(said)).toEqual(actions))
})

it('never gives anything else, in time', () => {
  const piece = fc.constantFrom(
    'i will ',
    'please ',
    'also ',
    '- ',
    'send',
    'budget ',
    '\n',
    ': ',
    "'ll ",
    '   ',
    '1) ',
    'x',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 200 }).map((all) => all.join('')),
      ),
      (text) => {
        expect(TRANSCRIPT_TOPICS).toEqual(expect.arrayContaining([...topicsIn(text)]))
        expect(TRANSCRIPT_ACTIONS).toEqual(expect.arrayContaining([...actionsIn(text)]))
      },
    ),
    { numRuns: 500 },
  )
  const long = [
    '- '.repeat(200_000),
    'please '.repeat(60_000),
    ' '.repeat(400_000),
    'i will also also '.repeat(20_000),
  ]
  expect(processorTime(() => long.map((text) => [topicsIn(text), actionsIn(text)]), 1)).toBeLessThan(5_000)
})
