/** A yes or a no for each of several cards in one message: every part has a word and a card, and nothing else. */
import { expect, it } from 'vitest'
import { eachInMessage } from '../../kernel/task/answers/each-words.ts'

/** `+21 -23`, `+#1`: by number and by place; `#0` is the other. */
const shape = (text: string): string | null =>
  eachInMessage(text)
    ?.map(({ decision, number, place }) => `${decision === 'approve' ? '+' : '-'}${number ?? `#${place}`}`)
    .join(' ') ?? null

it.each([
  ['yes 21 and no 23', '+21 -23'],
  ['Yes to 21, no to 23.', '+21 -23'],
  ['no 23 but yes 21', '-23 +21'],
  ['21 yes, 23 no', '+21 -23'],
  ['approve 21, deny 23 and deny 25', '+21 -23 -25'],
  ['yes 1, yes 3', '+1 +3'],
  ['ok to card 21, not 23 please', '+21 -23'],
  ['yes to the first, no to the second', '+#1 -#2'],
  ['yes to the first one and no to the other one', '+#1 -#0'],
  ['the first yes, the second no', '+#1 -#2'],
  ['ja zu 21, nein zu 22', '+21 -22'],
  ['ja zur ersten, nein zur zweiten', '+#1 -#2'],
  ['die erste ja und die zweite nein', '+#1 -#2'],
  ['ja zum ersten; nein zum anderen', '+#1 -#0'],
  ['ja 21, aber nein 23, bitte', '+21 -23'],
])('%s', (text, said) => expect(shape(text)).toBe(said))

it.each([
  'yes 21',
  'yes 21 and 23',
  'yes 21 and no',
  'yes 21 and no 21',
  'yes 21 and no 23 until Friday',
  'yes to one, no to the second',
  'yes, no',
  'no 23 and book lunch at 13',
  'ja, aber nicht am 21.',
  'the first, the second',
  'yes 21\nno 23',
  `${'yes 21 and '.repeat(30)}no 23`,
])('%s is none', (text) => expect(eachInMessage(text)).toBeNull())
