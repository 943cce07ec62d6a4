/** Which documents are read, and which are refused and where (P-01, P-03, X-24). */
import { describe, expect, it } from 'vitest'
import { MAX_DOCUMENT, parseDocument, parsePlain, SECTIONS } from '../../../kernel/prompt/document/parse.ts'
import { BUNDLED, promptText } from './fixtures.ts'

const TAGS = '<!-- roles=plan audience=owner hard -->'

const faultOf = (result: ReturnType<typeof parseDocument> | ReturnType<typeof parsePlain>) =>
  result.ok
    ? 'fine'
    : [result.reason.code, result.reason.facts['field'], result.reason.facts['line']].join(' ')

describe('a document of the program', () => {
  it('has every section, in the reading order', () => {
    expect(BUNDLED.sections.map(({ name }) => name)).toEqual([...SECTIONS])
    expect(SECTIONS[0]).toBe('Security')
  })

  it.each([
    ['## Security\n<!-- roles=plan audience=owner hard -->\nx', 'fine'],
    ['<!-- a\nb -->\n## Security\n<!-- roles=plan,synthesize audience=owner needs=act soft -->\nx', 'fine'],
    [`## Secrecy\n${TAGS}\nx`, 'template_malformed section 1'],
    [`## Identity\n${TAGS}\nx\n## Security\n${TAGS}\nx`, 'template_malformed order 4'],
    [`## Identity\n${TAGS}\nx\n## Identity\n${TAGS}\nx`, 'template_malformed order 4'],
    [`stray\n## Identity\n${TAGS}\nx`, 'template_malformed heading 1'],
    ['## Security\nx', 'template_malformed tag 2'],
    ['## Security', 'template_malformed text 1'],
    [`## Security\n${TAGS}\n\n`, 'template_malformed text 1'],
    [`## Security\n${TAGS}\n${TAGS}\nx`, 'template_malformed text 1'],
    ['## Security\n<!-- roles=plan audience=owner -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=owner hard soft -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- audience=owner hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan roles=compose audience=owner hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=planner audience=owner hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan,plan audience=owner hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=everyone hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=owner needs=root hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=owner needs= hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=owner level=3 hard -->\nx', 'template_malformed tag 2'],
    ['## Security\n<!-- roles=plan audience=owner firm -->\nx', 'template_malformed tag 2'],
    [`## Security\n${TAGS}\na {{SECRETS}}`, 'template_malformed variable 3'],
    [`## Security\n${TAGS}\na {{RULES`, 'template_malformed variable 3'],
    [`## Security\n${TAGS}\n{"a":{"b":1}}`, 'fine'],
    [`## Security\n${TAGS}\n${'x'.repeat(MAX_DOCUMENT)}`, 'template_malformed size 1'],
    ['<!-- two\nlines -->\n\n## Secrecy', 'template_malformed section 4'],
  ])('%j: %s', (text, expected) => {
    expect(faultOf(parseDocument(text))).toBe(expected)
  })

  it('reads the same with the line ends of another system', () => {
    expect(parseDocument(promptText('SYSTEM').replaceAll('\n', '\r\n'))).toEqual({ ok: true, value: BUNDLED })
  })
})

describe('a document of the owner', () => {
  it.each([
    ['## Personality\nDry.', 'fine'],
    ['', 'fine'],
    ['## Mood\nDry.', 'template_malformed section 1'],
    ['Dry.', 'template_malformed heading 1'],
    [`## Personality\n${TAGS}\nDry.`, 'template_malformed tag 2'],
    ['## Personality\n{{HOME}}', 'template_malformed variable 2'],
  ])('%j: %s', (text, expected) => {
    expect(faultOf(parsePlain(text))).toBe(expected)
  })
})
