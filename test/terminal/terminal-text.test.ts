/** Text from others cannot control a terminal. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalLine, terminalText } from '../../sidecar/cli/chat/terminal-text.ts'

const ESC = '\u001b'

describe('terminalText', () => {
  test.each([
    ['plain text with accents stays', 'Grüße, 東京 🙂', 'Grüße, 東京 🙂'],
    ['newline and tab stay', 'a\n\tb', 'a\n\tb'],
    ['colour goes whole', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['cursor movement goes whole', `a${ESC}[2J${ESC}[1;1Hb`, 'ab'],
    ['C1 introducer counts', 'a\u009b31mb', 'ab'],
    ['a title loses its controls', `${ESC}]0;owned\u0007x`, ']0;ownedx'],
    [
      'an open sequence does not swallow what follows',
      `${ESC}]8;;http://x\nnext line`,
      ']8;;http://x\nnext line',
    ],
    ['a lone escape goes', `a${ESC}`, 'a'],
    ['carriage return cannot overwrite', 'safe\rEVIL', 'safe\nEVIL'],
    ['CRLF is one break', 'a\r\nb', 'a\nb'],
    ['backspace, bell, null, delete go', 'a\u0008\u0007\u0000\u007fb', 'ab'],
    ['bidi overrides and isolates go', '\u202etxt\u202c \u2066a\u2069 \u200fb\u061cc', 'txt a bc'],
    ['invisible tags go', `hi\u{e0041}\u{e0042}`, 'hi'],
    ['line and paragraph separators go', 'a\u2028b\u2029c', 'abc'],
  ])('%s', (_name, input, expected) => {
    expect(terminalText(input)).toBe(expected)
  })

  test('removes every control character except tab and newline from any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (input) => {
        const safe = terminalText(input)
        expect(safe).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u)
        expect(terminalText(safe)).toBe(safe)
      }),
    )
  })

  test('terminalLine returns one line', () => {
    expect(terminalLine(' a\n b\t\tc ')).toBe('a b c')
  })
})
