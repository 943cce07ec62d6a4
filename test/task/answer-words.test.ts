/** Which whole messages are a yes or a no to a card, in English and German. */
import { expect, test } from 'vitest'
import { answerInMessage } from '../../kernel/task/answer-words.ts'

test.each([
  ...[
    'ja',
    'Ja bitte',
    'ja, mach',
    'ja, passt',
    'klar',
    'ja gerne',
    'ja gern.',
    'ja mach das',
    'jawohl',
    'passt',
    'na klar!',
  ],
  ...[
    'ja, mach das bitte',
    'ok mach das',
    'okay, passt so',
    'gerne',
    'ja klar',
    'jo',
    'ja  bitte',
    'JA, BITTE!!',
  ],
  ...[
    'yes',
    'yes please',
    'Yes, please.',
    'sure',
    'sure, go ahead',
    'ok do it',
    'go ahead',
    'yep',
    'yeah, do it please',
    'do it',
  ],
])('%j is a yes', (text) => {
  expect(answerInMessage(text)).toEqual({ decision: 'approve', which: '' })
})

test.each([
  ...[
    'nein',
    'nein danke',
    'Nein, danke!',
    'nö',
    'ne lass mal',
    'nee',
    'nein, lieber nicht',
    'lieber nicht',
    'nein lass es',
  ],
  ...['no', 'no thanks', 'No, thank you.', 'nope', 'nah', 'no, don’t do it', "no don't"],
])('%j is a no', (text) => {
  expect(answerInMessage(text)).toEqual({ decision: 'deny', which: '' })
})

test.each([
  ...[
    'ja, aber um 3',
    'ja aber',
    'ja, und lad Tom ein',
    'klar, was steht morgen an?',
    'ja?',
    'klar?',
    'ja bitte 3 Eier',
    'mach',
    'bitte',
  ],
  ...[
    'nein, am Freitag',
    'nein, nicht Tom',
    'nicht',
    'lass mal sehen',
    'ja nein',
    'nein ja',
    'doch nicht',
    'danke',
    'ok',
    'okay',
    'gut',
  ],
  ...[
    'yes but later',
    'yes, and tell Tom',
    'sure?',
    'no, on Friday',
    'no thanks to Tom',
    'ok',
    'thanks',
    'yes no',
    'please',
    'great',
  ],
  ...[
    'approve',
    'deny',
    '',
    'jan',
    'note',
    'yes\nplease',
    "don't do it",
    'mach das nicht',
    'constructor',
    `ja${', ja'.repeat(30)}`,
  ],
])('%j is neither', (text) => {
  expect(answerInMessage(text)).toBeNull()
})

test('a number stands only beside the word itself', () => {
  expect(answerInMessage('ja 3')).toEqual({ decision: 'approve', which: '3' })
  expect(answerInMessage('nope 3')).toBeNull()
})
