/** What was just answered from memory, or just remembered, is corrected by a sentence; elsewhere such a sentence is of something else. */
import { describe, expect, it } from 'vitest'
import { reworded } from '../../kernel/task/answers/reworded.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const KEY = 'merk dir: der Schlüssel für den Heizungskeller hängt bei Frau Petersen'
const CAT = "remember that Mrs Hendricks can't have lilies because of her cat"

describe('right after it', () => {
  it.each([
    [
      KEY,
      'wo hängt der Schlüssel vom Heizungskeller?',
      'das stimmt nicht, der Schlüssel hängt jetzt bei Herrn Wilke',
      'der Schlüssel für den Heizungskeller hängt jetzt bei Herrn Wilke',
    ],
    [CAT, "why can't Mrs Hendricks have lilies?", 'change the cat to a dog', 'because of her dog'],
    [
      CAT,
      "why can't Mrs Hendricks have lilies?",
      'actually it was the dog not the cat',
      'because of her dog',
    ],
    [
      CAT,
      "why can't Mrs Hendricks have lilies?",
      'nein, nicht die cat, sondern der dog',
      'because of her dog',
    ],
  ])('%s %s %s', async (told, asked, said, now) => {
    const of = await given(told, asked, said)
    expect(of.heard()).toContain(now)
    of.clock.now += 1_000
    await of.say(asked)
    expect(of.heard()).toContain(now)
  })
})

describe('not otherwise', () => {
  it('with another request between', async () => {
    const of = await given(
      CAT,
      "why can't Mrs Hendricks have lilies?",
      'what is on tomorrow?',
      'change the cat to a dog',
    )
    await of.say("why can't Mrs Hendricks have lilies?")
    expect(of.heard()).toContain('her cat')
  })

  it.each([
    ['the key hangs at Mrs Wilke', 'change the dog to a cat'],
    ['the cat likes the other cat', 'change the cat to a dog'],
    ['the key hangs at Mrs Wilke', "that's wrong, all is well"],
    ['the key hangs at Mrs Wilke', 'change it'],
  ])('of "%s": %s', (fact, said) => {
    expect(reworded(fact, said)).toBeNull()
  })
})

describe('a value alone', () => {
  const KEY_AT = 'remember that the spare key is at number 12'
  it.each([
    ["remember that ben's shoe size is 34", "what is ben's shoe size?", "no it's 35 now", 'size is 35'],
    ["remember that ben's shoe size is 34", "what is ben's shoe size?", "it's 35 now", 'size is 35'],
    [KEY_AT, 'where is the spare key?', 'no, number 14', 'at number 14'],
    [KEY_AT, 'where is the spare key?', 'sorry, it is number 14', 'at number 14'],
    ['merk dir, dass mein Spind Nummer 7 hat', 'welche Nummer hat mein Spind?', 'nein, Nummer 9', 'Nummer 9'],
    ['merk dir, dass mein Spind Nummer 7 hat', 'welche Nummer hat mein Spind?', 'es ist jetzt 9', 'Nummer 9'],
  ])('%s %s %s', async (told, asked, said, now) => {
    const of = await given(told, asked, said)
    expect(of.heard()).toContain(now)
    const right = await given(told, said)
    expect(right.heard()).toContain(now)
  })

  it.each([
    ['Lenas Lehrerin heißt Frau Brandt', 'nee sie heißt brand, ohne t', 'Lenas Lehrerin heißt Frau Brand'],
    ['the alarm code is 4711', 'actually 4712', 'the alarm code is 4712'],
    ['the hall is 5 metres wide', 'no, 6 metres', 'the hall is 6 metres wide'],
    ['the gate is B7', 'nein, B9', 'the gate is B9'],
  ])('%s: %s', (fact, said, now) => expect(reworded(fact, said)).toBe(now))

  it.each([
    ['the key is at the bakery', 'no, number 14'],
    ['ben has 34 and mia 35', 'no, 36'],
    ['my locker is 12', 'no, 15 minutes'],
    ['my locker is 12', 'no, at 15:30'],
    ['my locker is 12', 'no thanks'],
    ['my locker is 12', 'nein danke'],
    ['Lenas Lehrerin heißt Frau Brandt', 'nee sie heißt Meier'],
  ])('of "%s" is none: %s', (fact, said) => expect(reworded(fact, said)).toBeNull())
})
