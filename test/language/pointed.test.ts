/** What a message points at without naming it is asked for, and what was said is repeated in the question. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { pointedIn } from '../../integrations/extractors/message/message-pointed.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { spoken } from './fixtures.ts'

describe('what points at something', () => {
  it.each([
    ['tell them we are ten minutes late', 'them', 'pronoun'],
    ['please answer her kindly', 'her', 'pronoun'],
    ['has she paid yet', 'she', 'pronoun'],
    ['and saturday', 'saturday', 'fragment'],
    ['gravel?', 'gravel', 'fragment'],
    ['Hat er schon angerufen?', 'er', 'pronoun'],
    ['schreib ihnen dass wir später kommen', 'ihnen', 'pronoun'],
  ])('%s', (text, word, is) => expect(pointedIn(text)).toEqual({ word, is }))

  it.each([
    'the plumber left a note, file it',
    'is it raining',
    'we loved it',
    'Können Sie mir die Mail zeigen?',
    'what is on tomorrow',
  ])('is none, or names what it is: %s', (text) => expect(pointedIn(text)).toBeNull())

  it('is asked for, and nothing is done', () => {
    const { calls, explanation } = readingOf('Hat er schon angerufen?')
    expect({ calls, explanation }).toEqual({ calls: [], explanation: 'needs_named' })
  })

  it.each([
    ['tell them we are ten minutes late', 'I am not sure whom or what you mean by "them"'],
    ['gravel?', 'What about "gravel"?'],
  ])('with the word: %s', (text, said) =>
    expect(answerFor(spoken(text, [], { instruction: 'needs_named' }))).toContain(said),
  )
})
