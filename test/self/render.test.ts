/** The assistant's picture of itself as a prompt has it: golden renders, order, size by a real tokenizer (M-03 – M-08, M-13). */
import { describe, expect, it } from 'vitest'
import { renderSelf } from '../../kernel/self/render.ts'
import type { Audience, SelfSection } from '../../kernel/self/section.ts'
import { readPromptTexts } from '../../sidecar/home-texts.ts'

const WORDS = readPromptTexts().self
const render = (sections: readonly SelfSection[], audience: Audience = 'owner') =>
  renderSelf({ sections, audience, words: WORDS })

const SECTIONS: readonly SelfSection[] = [
  { kind: 'pending', items: [{ name: 'calendar.create_event', note: '' }] },
  {
    kind: 'recent',
    turns: [
      { minutes: 125, words: 'book lunch' },
      { minutes: 0, words: 'and a room' },
    ],
  },
  { kind: 'jobs', items: [{ name: 'digest', note: 'daily 08.00' }] },
  { kind: 'preferences', lines: ['24 h clock'] },
  {
    kind: 'integrations',
    items: [
      { name: 'google', tools: 5, categories: ['email'], state: 'active' },
      { name: 'notion', tools: 3, categories: ['notes'], state: 'unavailable' },
    ],
  },
  { kind: 'categories', names: ['email', 'notes'] },
  { kind: 'channels', items: [{ name: 'terminal', note: '' }] },
  { kind: 'skills', items: [{ name: 'invoices', note: '' }] },
  { kind: 'persona', name: 'Ada', style: 'dry' },
]

describe('the picture', () => {
  it('is in the fixed order, whatever the order it came in', () => {
    expect(render(SECTIONS)).toEqual({
      stable: [
        'Your manner, as your owner wishes it: dry',
        'Connected: google (5, active), notion (3, away until home is back).',
        'Skills: invoices.',
        'People reach you through: terminal.',
        'You do by yourself: digest (daily 08.00).',
        'You help with: email, notes.',
        'Your owner prefers: 24 h clock.',
        ...WORDS.rules.all,
        ...WORDS.rules.owner,
      ].join('\n'),
      volatile: [
        'Lately your owner said: 2 h ago: "book lunch", just now: "and a room".',
        'Waits for your owner: calendar.create_event.',
      ].join('\n'),
    })
  })

  it('has its rules where nothing else is known (M-03)', () =>
    expect(render([], 'owner').stable).toBe([...WORDS.rules.all, ...WORDS.rules.owner].join('\n')))

  it('offers nothing new to a stranger (M-05)', () =>
    expect(render([], 'public').stable).toBe(WORDS.rules.all.join('\n')))

  it.each([
    ['owner', true],
    ['paired', false],
    ['public', false],
  ] as const)('a fresh install asks only its owner for a name: %s (M-04)', (audience, asks) =>
    expect(
      render([{ kind: 'persona', name: 'PFAR', style: null }], audience).stable.includes(WORDS.first_run),
    ).toBe(asks),
  )

  it.each([
    [0, 'just now'],
    [59, '59 min ago'],
    [60, '1 h ago'],
    [1_439, '23 h ago'],
    [1_440, '1 d ago'],
  ])('%d minutes are %s', (minutes, text) =>
    expect(render([{ kind: 'recent', turns: [{ minutes, words: 'x' }] }]).volatile).toContain(`${text}: "x"`),
  )
})

describe('its size', () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({ name: `${name} number ${i + 1}`, note: 'every day at eight' }))
  const crowd = (count: number): readonly SelfSection[] => [
    { kind: 'persona', name: 'Ada', style: 'w'.repeat(200) },
    {
      kind: 'integrations',
      items: many(count, 'service').map(({ name }) => ({
        name,
        tools: 12,
        categories: [],
        state: 'reconnecting' as const,
      })),
    },
    { kind: 'skills', items: many(count, 'skill').map(({ name }) => ({ name, note: '' })) },
    { kind: 'channels', items: many(count, 'channel') },
    { kind: 'jobs', items: many(count, 'job') },
    { kind: 'categories', names: many(count, 'kind').map(({ name }) => name) },
  ]

  it('says how much it left out', () =>
    expect(render(crowd(200)).stable).toMatch(/Skills: skill number 1, .*, 1\d\d more\./))

  it('does not grow with what there is', () =>
    expect(render(crowd(200)).stable.length - render(crowd(100)).stable.length).toBeLessThan(60))
})
