/** Who gets which part, what fills it in, and what the owner's files change (P-01 – P-04, P-07, P-13, P-20, X-23, X-24). */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { noticeWords, SECTIONS } from '../../../kernel/prompt/document/parse.ts'
import { BUNDLED, build } from './fixtures.ts'

const CANARY = 'lives at 12 Mill Lane'

describe('parts', () => {
  it.each([
    [{}, '## Security\nHard words.\n\n## Personality\nSoft words.'],
    [{ role: 'plan' }, '## Security\nHard words.'],
    [{ role: 'plan', needs: ['code'] }, '## Security\nHard words.\n\n## Git workflows\nHard git.\nSoft git.'],
    [{ role: 'classify' }, ''],
    [{ audience: 'paired' }, '## Security\nHard words.'],
    [{ audience: 'public' }, '## Security\nHard words.\n\n## Personality\nSoft words.'],
  ] as const)('%j', (changes, expected) => {
    expect(build(changes).text).toBe(expected)
  })

  it('say what they weigh and are named by their content', () => {
    const { text, hash, tokens } = build()
    expect(hash).toBe(bytesToHex(sha256(utf8ToBytes(text))))
    expect(tokens).toBeGreaterThan(text.length / 6)
    expect(build().hash).toBe(hash)
    expect(build({ role: 'plan' }).hash).not.toBe(hash)
  })
})

describe('variables', () => {
  const variables = { TOOL_DEFINITIONS: 'cards', RULES: 'rules', USER_PROFILE: CANARY }
  it.each([
    ['plan', 'owner', ['cards', 'rules', CANARY]],
    ['synthesize', 'owner', ['rules', CANARY]],
    ['synthesize', 'public', []],
    ['plan', 'public', ['cards']],
  ] as const)('%s for %s', (role, audience, expected) => {
    const { text } = build({ role, audience, variables })
    expect(Object.values(variables).filter((value) => text.includes(value))).toEqual(expected)
  })

  it.each([
    [
      'a value with a variable in it stays literal',
      'see {{RULES}} and $& and $1',
      '\nsee {{RULES}} and $& and $1',
    ],
    ['a missing value leaves no section', undefined, '\nSoft words.'],
    ['an empty value leaves none either', '  ', '\nSoft words.'],
  ])('%s', (_, value, ending) => {
    const variables = value === undefined ? {} : { USER_PROFILE: value }
    expect(build({ variables }).text.endsWith(ending)).toBe(true)
  })

  it.each(['owner', 'paired', 'public'] as const)(
    'leave no braces in the bundled document for %s',
    (audience) => {
      for (const role of ['plan', 'compose', 'classify', 'synthesize'] as const)
        expect(build({ role, audience, needs: ['act', 'code'] }, {}, BUNDLED).text).not.toMatch(
          /\{\{|\}\}|<!--/,
        )
    },
  )

  it.each([
    [{}, {}, false],
    [{ variables: { USER_PROFILE: CANARY } }, {}, true],
    [{ variables: { RULES: 'x' } }, {}, true],
    [{ role: 'plan', variables: { TOOL_DEFINITIONS: 'x' } }, {}, false],
    [{ audience: 'public', variables: { USER_PROFILE: CANARY } }, {}, false],
    [{ role: 'classify', variables: { USER_PROFILE: CANARY } }, {}, false],
    [{}, { soul: 'Dry.' }, true],
    [{ role: 'plan' }, { soul: 'Dry.' }, false],
    [{ audience: 'public' }, { soul: 'Dry.' }, false],
  ] as const)('%j %j: personal is %s', (changes, files, expected) => {
    expect(build(changes, files).personal).toBe(expected)
  })
})

describe('the owner’s files', () => {
  const own = { system: '## Personality\nDry as dust.' }
  it.each([
    ['a file of his stands in the place of soft parts', {}, own, 'Dry as dust.', 'Soft words.'],
    ['hard parts stay', {}, own, 'Hard words.', 'none'],
    ['a stranger gets ours', { audience: 'public' }, own, 'Soft words.', 'Dry as dust.'],
    ['hard sections stay', {}, { system: '## Security\nTell all.' }, 'Hard words.', 'Tell all.'],
    [
      'hard parts of soft sections stay',
      CODE(),
      { system: '## Git workflows\nMine.' },
      'Hard git.',
      'Soft git.',
    ],
    ['in their place', CODE(), { system: '## Git workflows\nMine.' }, 'Mine.', 'Soft git.'],
    [
      'needs are those of ours',
      { role: 'plan', needs: [] },
      { system: '## Git workflows\nMine.' },
      '',
      'Mine.',
    ],
    ['the older layout', {}, { soul: 'Old soul.' }, 'Old soul.', 'Soft words.'],
    ['the newer before the older', {}, { ...own, soul: 'Old soul.' }, 'Dry as dust.', 'Old soul.'],
    ['one that is wrong changes nothing', {}, { system: '## Mood\nx' }, 'Soft words.', 'x\n'],
    ['nor does an old one with a variable', {}, { soul: 'a {{B}}' }, 'Soft words.', '{{B}}'],
  ] as const)('%s', (_, changes, files, present, absent) => {
    const { text } = build(changes, files)
    expect(text).toContain(present)
    expect(text).not.toContain(absent)
  })

  function CODE() {
    return { role: 'plan', needs: ['code'] } as const
  }

  it.each([
    [{}, []],
    [own, []],
    [{ system: '## Security\nx\n## Personality\ny' }, ['section_is_hard SYSTEM.md Security']],
    [{ system: '## Mood\nx' }, ['file_unreadable SYSTEM.md line 1']],
    [{ soul: 'x' }, ['older_layout SOUL.md null']],
    [
      { ...own, identity: 'x', soul: 'x' },
      ['older_layout_unused IDENTITY.md null', 'older_layout_unused SOUL.md null'],
    ],
    [{ soul: 'a {{B}}' }, ['file_unreadable SOUL.md null']],
    [{ soul: 'x'.repeat(40_000) }, ['file_unreadable SOUL.md null']],
  ])('tell what was done with them: %j', (files, expected) => {
    const { notices } = build({}, files)
    expect(notices.map(({ about, file, at }) => `${about} ${file} ${at}`)).toEqual(expected)
    for (const notice of notices) expect(noticeWords(notice)).toContain(notice.file)
  })

  it('lose nothing of ours when the older identity is used', () => {
    const { text, notices } = build({}, { identity: 'I am the lighthouse.' }, BUNDLED)
    expect(text).toContain('## Identity\nI am the lighthouse.')
    expect(text).toContain('## Personality')
    expect(notices.map(({ about }) => about)).toEqual(['older_layout'])
  })
})

describe('the bundled document', () => {
  const headings = (text: string) => text.match(/(?<=^## ).*$/gm) ?? []
  it('keeps the reading order in every variant', () => {
    for (const role of ['plan', 'compose', 'synthesize'] as const) {
      const { text } = build({ role, needs: ['act', 'code'], variables: { USER_PROFILE: 'x' } }, {}, BUNDLED)
      const order = headings(text).map((name) => SECTIONS.map(String).indexOf(name))
      expect(order).toEqual([...order].sort((a, b) => a - b))
      expect(order).not.toContain(-1)
    }
  })

  it.each([
    ['synthesize', 'public', [], ['Security', 'Identity', 'Output formatting']],
    ['synthesize', 'paired', ['act', 'code'], ['Security', 'Identity', 'Output formatting']],
    ['plan', 'public', ['act', 'code'], ['Tool policy']],
    ['plan', 'owner', [], ['Tool policy']],
    ['plan', 'owner', ['act'], ['Tool policy', 'Task management']],
    ['plan', 'owner', ['code'], ['Tool policy', 'Git workflows']],
    [
      'synthesize',
      'owner',
      [],
      ['Security', 'Identity', 'Signal system', 'Personality', 'Output formatting'],
    ],
  ] as const)('%s for %s who can %j has %j', (role, audience, needs, expected) => {
    expect(headings(build({ role, audience, needs }, {}, BUNDLED).text)).toEqual(expected)
  })

  it.each([
    ['synthesize', ['act'], /No preamble/],
    ['synthesize', [], /Never "Great question"/],
    ['synthesize', ['act'], /goal in one line/],
    ['synthesize', ['act'], /Between two batches, one sentence/],
    ['plan', ['code'], /side by side/],
    ['plan', ['code'], /package\.json/],
    ['plan', ['code'], /Never force a push/],
  ] as const)('%s who can %j: %s', (role, needs, said) => {
    expect(build({ role, needs }, {}, BUNDLED).text).toMatch(said)
  })

  it('does not tell general templates about code', () => {
    expect(build({ role: 'plan', needs: ['act'] }, {}, BUNDLED).text).not.toMatch(
      /package\.json|push|side by side/,
    )
  })
})
