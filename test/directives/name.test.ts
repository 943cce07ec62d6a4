/** Names of directive files: one spelling, no path, and the reason is told (O-11, O-17). */
import { describe, expect, it, test } from 'vitest'
import { namesFile, parseFileName } from '../../kernel/directives/name.ts'

test.each([['SOUL'], ['TRAVEL-PLANS'], ['A1_B2'], ['X'.repeat(32)]])('%s is a name', (name) => {
  expect(parseFileName(name)).toEqual({ ok: true, value: name })
  expect(parseFileName(`${name}.md`)).toEqual({ ok: true, value: name })
})

test.each([
  ['../SOUL', 'path'],
  ['..', 'path'],
  ['/etc/PASSWD', 'path'],
  ['~SOUL', 'path'],
  ['C:SOUL', 'path'],
  ['BRAIN/SOUL', 'path'],
  ['BRAIN\\SOUL', 'encoded character'],
  ['%2e%2e%2fSOUL', 'encoded character'],
  ['SOUL%00', 'encoded character'],
  ['SOUL\0.md', 'control character'],
  ['SOUL\n', 'control character'],
  ['SO\u202eUL', 'control character'],
  ['soul', 'lower case'],
  ['Soul.md', 'lower case'],
  ['SOUL.MD', 'shape'],
  ['SOUL.md.md', 'lower case'],
  ['\u017fOUL', 'not plain letters'],
  ['\uff33OUL', 'not plain letters'],
  ['S\u041eUL', 'not plain letters'],
  ['', 'shape'],
  ['-SOUL', 'shape'],
  ['SOUL ', 'shape'],
  ['SOUL.', 'shape'],
  ['X'.repeat(33), 'too long'],
  ['X'.repeat(36), 'too long'],
  [7, 'no text'],
])('%j is none: %s', (input, problem) =>
  expect(parseFileName(input)).toEqual({ ok: false, reason: { code: 'directive_name', facts: { problem } } }),
)

describe('words name a file outright', () => {
  it.each([
    ['look into TRAVEL.md first', true],
    ['look into travel.md first', true],
    ['what does @travel say?', true],
    ['use the TRAVEL file', true],
    ['see file TRAVEL.', true],
    ['book my travel', false],
    ['the travel file of the agency', false],
    ['TRAVEL plans', false],
    ['@travel-2 please', false],
    ['MYTRAVEL.md', false],
    ['mail me@travel.example', false],
    ['X-TRAVEL file', false],
  ])('%j: %s', (words, named) => expect(namesFile(words, 'TRAVEL')).toBe(named))
})
