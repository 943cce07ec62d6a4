/** "No, that's wrong, it's the 4th of May", right after an answer from memory, is about what was answered (E-20). */
import { describe, expect, it } from 'vitest'
import { withValue } from '../../kernel/task/fact-entry.ts'
import { createWorld } from './world.ts'

const MIRA = "my sister Mira's birthday is on the 3rd of May and she's allergic to nuts"

describe('an answer from memory', () => {
  it.each([
    ["no that's wrong, it's the 4th of May", MIRA.replace('3rd', '4th')],
    ["No, that's wrong, it's the 4th of May.", MIRA.replace('3rd', '4th')],
    ['das ist falsch, es ist der 4. Mai', MIRA.replace('the 3rd of May', 'der 4. Mai')],
    ['Nein, das stimmt nicht, es ist der 4. Mai', MIRA.replace('the 3rd of May', 'der 4. Mai')],
  ])('is corrected by “%s”', async (words, after) => {
    const world = createWorld()
    await world.say(`remember that ${MIRA}`)
    world.clock.now += 1_000
    await world.say('remember that my locker is 12')
    world.clock.now += 1_000
    await world.say('what do you know about Mira?')
    expect(world.heard()).toContain('3rd of May')
    await world.say(words)
    expect(world.heard()).toContain(`Corrected: ${after}`)
    await world.say('what do you know about my locker?')
    expect(world.heard()).toContain('my locker is 12')
  })

  it('further back is not what is meant: that is what was said last', async () => {
    const world = createWorld()
    await world.say(`remember that ${MIRA}`)
    await world.say('what do you know about Mira?')
    world.clock.now += 1_000
    await world.say('remember that my locker is 12')
    await world.say("that's wrong, it's 14")
    expect(world.heard()).toContain('Corrected: my locker is 14')
  })
})

it.each([
  ['the dentist is on 12.3.2027 at nine', 'it is 13.3.2027', 'the dentist is on 13.3.2027 at nine'],
  ['Tom arrives on May 3rd', 'June 4th', 'Tom arrives on June 4th'],
  ['my locker is 12', '14', 'my locker is 14'],
])('%s, %s', (text, value, after) => {
  expect(withValue(text, value)).toBe(after)
})

it.each(['what is mira allergic to', 'what is Mira allergic to?'])(
  '“%s” is answered from what was told',
  async (words) => {
    const world = createWorld()
    await world.say(`remember that ${MIRA}`)
    await world.say(words)
    expect(world.heard()).toContain('allergic to nuts')
  },
)
