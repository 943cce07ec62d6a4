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
