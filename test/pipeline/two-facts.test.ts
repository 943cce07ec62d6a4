/** One sentence that tells two facts is kept as two, so that forgetting one leaves the other; what leans on the first stays with it. */
import { describe, expect, it } from 'vitest'
import { twoFacts } from '../../integrations/extractors/message/contents/message-facts.ts'
import { createWorld } from './world.ts'

describe('two of them', () => {
  it.each([
    [
      'the wholesaler closes at 2 on saturdays and my alarm code is 4471',
      ['the wholesaler closes at 2 on saturdays', 'my alarm code is 4471'],
    ],
    [
      'der Händler macht samstags um 2 zu und mein Code lautet 4471',
      ['der Händler macht samstags um 2 zu', 'mein Code lautet 4471'],
    ],
    ['Tom likes tea and Mrs Hendricks has a cat.', ['Tom likes tea', 'Mrs Hendricks has a cat']],
    ['my sister is allergic to nuts and my brother likes them', null],
    ['my sister is allergic to nuts and my brother is too', null],
    ['the class of my daughter is Kestrels and her teacher is Mrs Bell', null],
    ['the keys are in the drawer and the spare is at the office', null],
    ['my tyres are changed when the snow is gone and my car is washed', null],
    ['my locker is 12', null],
  ])('%s', (told, facts) => {
    expect(twoFacts(told)).toEqual(facts)
  })

  it('each is kept, and forgotten, by itself', async () => {
    const of = createWorld({})
    await of.say('remember the wholesaler closes at 2 on saturdays and my alarm code is 4471')
    of.clock.now += 1_000
    await of.say('forget the alarm code')
    expect(of.heard()).toContain('my alarm code is 4471')
    expect(of.heard()).not.toContain('wholesaler')
    of.clock.now += 1_000
    await of.say('what do you know about the wholesaler?')
    expect(of.heard()).toContain('closes at 2')
  })
})
