/** What a message gets that was not understood: the owner's own words as typed, the nearest thing that fits, and an answer to small talk. */
import { afterEach, describe, expect, it, test } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { unreadIn } from '../../integrations/models/rules/answers/declined.ts'
import { spoken } from './fixtures.ts'

const answer = (text: string): string => answerFor(spoken(text, [], { instruction: 'not_understood' }))

afterEach(() => speak('en'))

describe('what was not read', () => {
  it.each<[string, readonly string[], string | null]>([
    ["rename that birthday event to Mum's birthday", ['rename', 'event', 'mums'], "event to Mum's"],
    ['can u chek if im free tmrw at 4pm', ['if'], null],
    ['what does she want from me exactly?', ['she'], null],
    [
      'du sollst PFAR heißen, und zwar deutsch',
      ['sollst', 'pfar', 'heißen', 'deutsch'],
      'sollst PFAR heißen',
    ],
    ['who is coming to the budget review?', ['budget', 'review'], 'budget review'],
    ['frobnicate the lights', ['frobnicate', 'the', 'lights'], null],
    ['huh', ['huh'], 'huh'],
    ['read it. frobnicate it', ['read', 'frobnicate'], 'read'],
    ['check my mail', [], null],
  ])('%s', (request, left, shown) => expect(unreadIn(request, left)).toBe(shown))

  it('stands in the message as it is quoted, whatever was left', () => {
    for (const request of [
      "Ich hab's doch: die Größe von Müllers Haus, ja?",
      'a b-c d’e f',
      'ab, cd. ef\ngh',
    ])
      for (const word of request.split(/[\s,.:?]+/u).filter((one) => one !== '')) {
        const said = unreadIn(request, [word])
        if (said !== null) expect(request).toContain(said)
      }
  })
})

describe('the nearest thing', () => {
  it.each(['rename that birthday event to the other one', 'frobnicate my birthday thing'])(
    'is no look into memory where nothing is asked: %s',
    (text) => expect(answer(text)).not.toContain('what do you know about my locker'),
  )
  it.each([
    'oh no, undo',
    'wait, bring it back',
    'please take that back again',
    'ach nein, rückgängig bitte',
  ])('is taking back for who wants that: %s', (text) => {
    expect(answer(text)).toContain('"undo"')
    expect(answer(text)).not.toContain('cancel it')
  })
})

describe('what the request is hardly of', () => {
  it.each([
    'mach den rest gelesen',
    'stimmt so, raus damit',
    'zu beidem ja',
    'hol den newsletter nochmal zurück',
  ])('is not offered: %s', (text) => {
    speak('de')
    expect(answer(text)).not.toMatch(/DNS|Cloudflare|Termin löschen|accept the invitation/)
  })
})

describe('small talk', () => {
  test.each<[string, RegExp]>([
    ['thanks, sorry about that', /^Never mind/],
    ['oh sorry, my mistake', /^Never mind/],
    ['tell me a joke', /^I know none/],
    ['do you know any good jokes?', /^I know none/],
    ['why?', /^Before anything changes/],
    ['but why do you ask?', /^Before anything changes/],
    ['huh? I don’t get it', /^Then I was not clear/],
    ['what did you mean by that?', /^Then I was not clear/],
  ])('%s', (text, said) => expect(answer(text)).toMatch(said))

  test.each<[string, RegExp]>([
    ['warum?', /^Bevor sich etwas ändert/],
    ['wieso denn das?', /^Bevor sich etwas ändert/],
    ['hä? versteh ich nicht', /^Dann war das nicht klar/],
    ['was meinst du damit?', /^Dann war das nicht klar/],
    ['erzähl mir mal einen witz', /^Ich kenne keinen/],
    ['oh, tut mir leid', /^Macht nichts/],
  ])('%s', async (text, said) => {
    await speak('de')
    expect(answer(text)).toMatch(said)
  })

  test.each([
    'sorry, I cannot come on Friday',
    'why did Sarah write to me?',
    'remember the joke about the cat',
    'I do not understand the mail from Tom',
  ])('is not: %s', (text) =>
    expect(answer(text)).not.toMatch(/^(?:Never mind|I know none|I ask before|Then I)/),
  )
})

describe('a greeting', () => {
  it.each(['good morning jeeves', 'hello Jeeves!', 'hi there', 'moin Karl'])('%s', (text) =>
    expect(answer(text)).toBe('Hello! What can I do for you?'),
  )
})
