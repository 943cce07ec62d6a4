/** Secrets in an answer, by value and by shape, whole or in pieces (E-18); and what only looks like one. */
import { describe, expect, it } from 'vitest'
import { guardAnswer } from '../../kernel/wording/guard/answer.ts'
import { findTokens } from '../../kernel/wording/guard/secrets.ts'
import { createRedactor } from '../../sidecar/secrets/redactor.ts'
import { contextOf, guard } from './guarded.ts'

const RANDOM = 'q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAeBu'
const TOKENS: readonly (readonly [string, string])[] = [
  ['GitHub', `ghp_${RANDOM}A`],
  ['GitHub, short', 'ghp_c4N9aRy0c4N9aRy0'],
  ['GitHub, fine-grained', `github_pat_${RANDOM}_${RANDOM}`],
  ['GitLab', `glpat-${RANDOM.slice(0, 20)}`],
  ['Slack bot', `xoxb-123456789012-${RANDOM.slice(0, 24)}`],
  ['Slack app', `xapp-1-A012345-${RANDOM}`],
  ['Notion', `ntn_${RANDOM}12345678901`],
  ['OpenAI', `sk-proj-${RANDOM}`],
  ['Anthropic', `sk-ant-api03-${RANDOM}`],
  ['Stripe', `sk_live_${RANDOM.slice(0, 24)}`],
  ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['Google', `AIza${RANDOM}`],
  ['Google access', `ya29.${RANDOM}`],
  ['npm', `npm_${RANDOM}A`],
  ['a bot', `1234567890:${RANDOM}`],
  ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${RANDOM}`],
  ['a password in an address', 'postgres://me:hunter22@db'],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${RANDOM}\n${RANDOM}\n-----END PRIVATE KEY-----`],
  ['a private key without its end', `-----BEGIN RSA PRIVATE KEY-----\n${RANDOM}`],
]

/** The longest piece of the secret that is left. */
function longestLeft(secret: string, text: string): number {
  const bare = text.replace(/[^A-Za-z0-9]/g, '')
  const parts = secret.match(/[A-Za-z0-9]+/g) ?? []
  let longest = 0
  for (const part of parts)
    for (let i = 0; i < part.length; i += 1)
      while (i + longest < part.length && bare.includes(part.slice(i, i + longest + 1))) longest += 1
  return longest
}

describe.each(TOKENS)('%s', (_name, token) => {
  it('goes', () => expect(guard(`It is ${token}, I think.`)).toMatch(/\[(?:redacted|link removed)\]/))
  it('goes even when it was read', () =>
    expect(longestLeft(token, guard(`It is "${token}".`, { read: [token] }))).toBeLessThan(11))
})

const SPLITTABLE = TOKENS.filter(([name]) => /Hub|Slack|Notion|OpenAI|Anthropic|npm|Google$/.test(name))
describe.each(SPLITTABLE)('%s, in pieces', (_name, token) => {
  const pieces = token.match(/.{1,4}/g) ?? []
  it.each([' ', '\n', '\n\n', ' \n \n', '\u200b', '\u00ad', '&#8203;', '\u001b[0m', '  '])(
    'by %j',
    (between) => expect(longestLeft(token, guard(`It is: ${pieces.join(between)}`))).toBeLessThan(11),
  )
})

const VALUE = 'correct-horse/battery+staple 42'
describe('a known value', () => {
  const redactor = createRedactor(() => undefined)
  redactor.learn('canary', VALUE)
  const scrubbed = (text: string): string => guardAnswer(text, { ...contextOf(), known: redactor.known })
  const bytes = Buffer.from(VALUE)
  it.each<[string, string]>([
    ['as it is', VALUE],
    ['without its spaces', VALUE.replaceAll(' ', '')],
    ['letter by letter', [...VALUE].join(' ')],
    ['a line each', [...VALUE].join('\n')],
    ['a paragraph each', VALUE.match(/.{1,3}/g)?.join('\n\n') ?? ''],
    ['with zero-width', [...VALUE].join('\u200b')],
    ['reversed', [...VALUE].toReversed().join('')],
    ['base64', bytes.toString('base64')],
    ['base64 in the middle of more', Buffer.from(`xy${VALUE}z`).toString('base64')],
    ['base64 for addresses', bytes.toString('base64url')],
    ['hex', bytes.toString('hex').toUpperCase()],
    ['hex in pairs', bytes.toString('hex').match(/../g)?.join(' ') ?? ''],
    ['percent', encodeURIComponent(VALUE)],
    ['every byte in percent', [...bytes].map((byte) => `%${byte.toString(16)}`).join('')],
    ['references', [...VALUE].map((c) => `&#${c.codePointAt(0)};`).join('')],
  ])('%s', (_name, spelled) => {
    const kept = scrubbed(`Here: ${spelled} and more`)
    expect(kept).toMatch(/^Here: .{0,12}\[redacted\].{0,8} and more$/s)
  })
})

describe('what is none', () => {
  it.each([
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'id 550e8400-e29b-41d4-a716-446655440000',
    'IBAN DE89 3704 0044 0532 0130 00',
    'order 302-5542197-1168336, tracking 1Z999AA10123456784',
    'call +49 30 901820 at 10:30, 12.03.2027',
    'the prefix ghp_ is what a personal token of GitHub begins with nowadays in the docs',
    'sk-learn and scikit, a task-management-system-that-works, ask-me-anything-later',
    'AKIA is a name; ya29. is not; xoxb- neither',
    'a very_long_identifier_name_in_some_code and hf_hub_download_file_to_disk',
    'See section 12345678: it says that the meeting was moved to another room',
  ])('stays: %s', (text) => {
    expect(findTokens(text)).toEqual([])
    expect(guard(text)).toBe(text)
  })
})
