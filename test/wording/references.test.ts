/**
 * Character references in an answer: a client that shows HTML reads what they stand for, so the guard does as well, and what
 * it does not read is made readable for nobody (plain.ts).
 */
import { describe, expect, it } from 'vitest'
import { plainText } from '../../kernel/wording/guard/plain.ts'
import { guard } from './guarded.ts'

/** `&` for `rounds` rounds of reading. */
const deep = (rounds: number, rest: string): string => `&${'amp;'.repeat(rounds)}${rest}`

describe('a text that a client would read out of references', () => {
  it.each<[string, string, RegExp]>([
    ['a claim', 'I have &#115;ent the mail.', /claim/],
    ['a claim, by name and number', 'I&nbsp;have&nbsp;s&#x65;nt the mail.', /claim/],
    ['a question of the kernel', '&#77;ay I do this?', /^\| May I do this\?/],
  ])('%s is judged as what it says', (_, text, expected) => {
    expect(guard(text)).toMatch(expected)
  })

  it.each<[string, string, string]>([
    ['names', '&lt;b&gt; &amp; &quot;x&quot;', '<b> & "x"'],
    ['numbers', '&#72;&#x69;', 'Hi'],
    ['in one another', deep(2, '#72;i'), 'Hi'],
    ['none that is known', '&nosuch; AT&T R&D', '&nosuch; AT&T R&D'],
    ['half a character', '&#xd800;', '\ufffd'],
    ['no character', '&#99999999;', '\ufffd'],
    ['deeper than it is read', deep(9, '#72;i'), `& ${'amp;'.repeat(5)}#72;i`],
  ])('%s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('of what is left, nothing is a reference any more', () => {
    for (let rounds = 0; rounds < 12; rounds += 1)
      expect(plainText(deep(rounds, '#58;'))).not.toMatch(/&(?:#\d|#x|[a-z]{2,8};)/i)
  })
})
