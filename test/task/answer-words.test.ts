/** Which whole messages are a yes or a no to a card, in English and German. */
import { expect, test } from 'vitest'
import { answerInMessage, isLooseAnswer, isUnclearAnswer } from '../../kernel/task/answers/answer-words.ts'

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
  ...[
    ...[
      'ok',
      'okay',
      'ok thanks',
      'Sounds good',
      'lovely, yes',
      "yes that's right",
      'yes, that’s fine',
      'yes, send it',
      'ok send it',
    ],
    ...[
      'great, yes please',
      'perfect',
      'In Ordnung',
      'geht klar',
      'gut, ja',
      'ja, abschicken',
      'ok, trag es ein',
    ],
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
  ...[
    'cancel',
    'cancel that',
    'Never mind',
    'leave it',
    'no leave it',
    "no don't send that",
    'none of those',
    "don't do it",
  ],
  ...['doch nicht', 'mach das nicht', 'abbrechen', 'lass es so', 'keine davon', 'nicht'],
  ...[
    'no leave it in spam',
    'No, please keep it where it is.',
    'no, leave that on Friday',
    'no keep them in there',
  ],
  ...['nein, lass es im spam', 'nee lass die da wo sie ist', 'nein lass ihn um 9'],
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
    'ok?',
    'ok, und lad Tom ein',
    'nein, gut',
  ],
  ...['no, leave it and book lunch', 'leave it in spam', 'no, leave a note for Tom', 'nein, lass uns reden'],
  ...['no, keep it but at 5', 'nein, lass es und schreib Tom'],
  ...['nein, am Freitag', 'nein, nicht Tom', 'lass mal sehen', 'ja nein', 'nein ja', 'danke', 'gut'],
  ...[
    'yes but later',
    'yes, and tell Tom',
    'sure?',
    'no, on Friday',
    'no thanks to Tom',
    'cancel the dentist',
    'ok then what is on tomorrow',
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
    'send it',
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

test.each([
  ['👍', 'approve'],
  ['👍🏽 thanks', 'approve'],
  ['👌', 'approve'],
  ['👎', 'deny'],
  ['❌', 'deny'],
] as const)('%j is an answer: %j', (text, decision) => {
  expect(answerInMessage(text)).toEqual({ decision, which: '' })
})

test.each(['lovely', 'great', 'thanks', 'send it', 'gut', 'danke', 'schick es ab', 'nein, gut'])(
  '%j answers a card without deciding it',
  (text) => {
    expect(isUnclearAnswer(text)).toBe(true)
  },
)

test.each(['yes', 'no', 'ok', 'send it to Tom', 'what?', '', 'thanks for the mail from Tom', 'ok?'])(
  '%j does not',
  (text) => {
    expect(isUnclearAnswer(text)).toBe(false)
  },
)

test.each([
  ...['ok', '👍', 'cancel it', 'sounds good', 'never mind', 'lass es', 'no, leave it'].map(
    (text) => [text, true] as const,
  ),
  ...['yes', 'yes please', 'no', 'ja gern', 'go ahead', 'yes 3', '/deny'].map(
    (text) => [text, false] as const,
  ),
])('whether %j may be about something else as well: %j', (text, loose) => {
  expect(isLooseAnswer(text)).toBe(loose)
})
