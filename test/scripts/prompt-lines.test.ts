/** Each directive is stated once (P-06): planted duplicates are found, and sentences that are only similar are not. */
import { describe, expect, it } from 'vitest'
import { readPrompts, repeatedDirectives } from '../../scripts/prompt-lines.ts'

const planted = (...texts: readonly string[]) =>
  repeatedDirectives(new Map(texts.map((text, index) => [`${index}.md`, text])))

describe('the prompt texts', () => {
  it('state no directive twice', () => {
    expect(repeatedDirectives(readPrompts())).toEqual([])
  })

  it.each([...readPrompts().keys()].map((name) => [name]))(
    'contain directives that would be found if %s were repeated',
    (name) => {
      const texts = new Map(readPrompts())
      const said = (texts.get(name) ?? '')
        .replaceAll(/<!--[\s\S]*?-->/g, '')
        .split('\n')
        .findLast((line) => line.length > 20)
      texts.set('planted.md', `- ${said?.toUpperCase()}`)
      expect(repeatedDirectives(texts).join('\n')).toContain('= planted.md:1')
    },
  )
})

describe('a directive', () => {
  it.each([
    ['the same line', 'Be brief.', 'Be brief.'],
    ['in other case', 'Be brief.', 'BE BRIEF'],
    ['with other spaces and signs', '- Be  brief!', '3. be, brief'],
    ['inside a longer line', 'Answer first. Never guess a name. Stop.', 'Never guess a name.'],
    [
      'with a word changed',
      'Never show a link that was not in the data.',
      'Never show any link that was not in the data.',
    ],
    ['within one file', 'Be brief.\nx y\nBe brief.', ''],
  ])('is found as a duplicate: %s', (_, one, other) => {
    expect(planted(one, other)).toHaveLength(1)
  })

  it.each([
    ['another one', 'Be brief.', 'Be kind.'],
    ['a heading', '## Tool policy', '## Tool policy'],
    ['a comment', '<!-- roles=plan hard -->', '<!-- roles=plan hard -->'],
    ['a single word', 'Verbs:', 'Verbs:'],
    [
      'the same words about something else',
      'Read the mail before the calendar.',
      'Write the page after the list.',
    ],
  ])('is not a duplicate: %s', (_, one, other) => {
    expect(planted(one, other)).toEqual([])
  })

  it('is reported with both places', () => {
    expect(planted('x y\nBe brief.', '<!--\na\n-->\nbe brief')).toEqual(['0.md:2 = 1.md:4: be brief'])
  })
})
