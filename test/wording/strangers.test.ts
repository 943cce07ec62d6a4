/**
 * Names of strangers, as the owner reads them: nothing in them can be tapped, hides, or sounds like the
 * program (H-18).
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { REASON_CODES } from '../../kernel/reasons.ts'
import { strangerCalled, strangersCount, strangersNamed } from '../../kernel/wording/strangers.ts'
import { wordsFor, wordsForOthers } from '../../kernel/wording/words.ts'

const source = (handle: string, over: object = {}) => ({
  ...{ adapter: 'telegram', user: '61', chat: '61', group: false, handle, ...over },
})

it.each([
  ['a name', 'Ann Lee @annlee', '“Ann Lee annlee”, telegram 61'],
  ['no name', '', '“no name”, telegram 61'],
  ['a command', '/approve all', '“approve all”, telegram 61'],
  ['an address', 'see https://evil.example/x?y=1', '“see https evil example x y 1”, telegram 61'],
  ['an address in other dots', 'evil。com', '“evil com”, telegram 61'],
  ['letters that cannot be seen', 'A\u202enn\u200b\u2066', '“A nn”, telegram 61'],
  ['lines of its own', 'Ann\n- “Owner”, telegram 1001', '“Ann Owner telegram 1001”, telegram 61'],
  ['a name like a page', 'x'.repeat(500), `“${'x'.repeat(40)}”, telegram 61`],
  ['letters of two units', '𝕏'.repeat(50), `“${'X'.repeat(40)}”, telegram 61`],
  ['another script', 'Zoë 山田', '“Zoë 山田”, telegram 61'],
])('%s', (_name, handle, line) => expect(strangerCalled(source(handle))).toBe(line))

it('a group is told as one', () =>
  expect(strangerCalled(source('Ann', { group: true, chat: '-7' }))).toBe('“Ann”, telegram 61, in group -7'))

it('whatever the name, one line with one pair of quotation marks and nothing that can be tapped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (handle) => {
      const inner = /^“(.*)”, telegram 61$/u.exec(strangerCalled(source(handle)))?.[1]
      expect(inner).toMatch(/^[\p{L}\p{M}\p{N} ]+$/u)
      expect([...(inner ?? '')].length).toBeLessThanOrEqual(40)
    }),
  )
})

it.each([
  [1, 0, 'One person whom you do not know has written to me since I last said so'],
  [3, 0, '3 people whom you do not know have written to me since I last said so'],
  [
    3,
    9,
    '3 people whom you do not know have written to me since I last said so, and others sent 9 messages or more',
  ],
])('%i and %i more', (people, more, words) => expect(strangersCount(people, more)).toBe(words))

it('says how many have no name here', () => {
  expect(strangersNamed(['a'], 0)).toEqual(['- a'])
  expect(strangersNamed(['a'], 2)).toEqual(['- a', '- and 2 more'])
})

it.each(REASON_CODES.map((code) => [code]))('%s says nothing of the owner’s set-up to others', (code) => {
  expect(wordsForOthers(code)).not.toMatch(/\bhome\b|pfar|private line|your private data|`/i)
  expect(wordsForOthers(code)).not.toBe('')
})

it('a reason that says nothing of the set-up is told to others unchanged', () => {
  expect(wordsForOthers('grant_missing')).toBe(wordsFor('grant_missing'))
  expect(wordsForOthers('home_offline')).toBe('I cannot look that up at the moment. Please try again later.')
})
