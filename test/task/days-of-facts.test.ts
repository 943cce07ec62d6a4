/** Days of a month in what was told, whichever way they are written, and no other number. */
import { expect, it } from 'vitest'
import { daysIn } from '../../kernel/task/fact-entry.ts'

it.each<[string, readonly string[]]>([
  ['what did I tell you about the 14th?', ['14']],
  ['the recital is on 14 March', ['14']],
  ['March 14 and the 3rd of April', ['14', '3']],
  ['am 14. kommt der Klempner', ['14']],
  ['am 14.3.2027 um neun', ['14']],
  ['on 2027-03-04', ['4']],
  ['the boat is at pier 14', []],
  ['my locker is 14.', []],
  ['14:30 at gate 3', []],
  ['the 44th floor', []],
])('%s', (text, days) => expect(daysIn(text)).toEqual(days))
