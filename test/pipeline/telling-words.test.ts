/** Which words tell one thing from another: by them a planner finds what is meant, and a writer the notes that concern it. */
import { expect, test } from 'vitest'
import { tellingWords } from '../../kernel/features/memory/telling-words.ts'

test.each([
  ['long ones, without case and accents', 'The Málaga BUDGET, of Sarah’s', 'malaga budget sarah'],
  ['none that stand in every second sentence', 'could you look whether that might be from Luis', 'look luis'],
  ['none of three letters', 'is Tom in', ''],
])('%s', (_, text, words) => expect([...tellingWords(text)].join(' ')).toBe(words))
