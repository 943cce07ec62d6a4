/** A typed secret is stored without what a shell or a paste adds. */
import { expect, it } from 'vitest'
import { asMeant } from '../../sidecar/cli/hidden-input.ts'

const PEM = '-----BEGIN KEY-----\nabc\n-----END KEY-----'

it.each([
  ['with the line break of echo', 'tok-1\n', 'tok-1'],
  ['with the line break of Windows', 'tok-1\r\n', 'tok-1'],
  ['with spaces around it', '  tok-1 ', 'tok-1'],
  ['of several lines', `${PEM}\n\n`, PEM],
  ['with spaces of its own', 'four words of mine\n', 'four words of mine'],
])('a value %s is stored without surrounding whitespace', (_, typed, meant) => {
  expect(asMeant(typed)).toBe(meant)
})
