/** The assistant's picture of itself as a prompt has it: golden renders, order, size by a real tokenizer (M-03 – M-08, M-13). */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { renderSelf } from '../../kernel/self/render.ts'
import type { Audience, SelfSection } from '../../kernel/self/section.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'

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
    ['owner', 'PFAR', null, true],
    ['paired', 'PFAR', null, false],
    ['public', 'PFAR', null, false],
    ['owner', 'Ada', null, false],
    ['owner', 'PFAR', 'dry', false],
  ] as const)(
    'a fresh install asks only its owner for a name: %s of %s, %s (M-04)',
    (audience, name, style, asks) =>
      expect(render([{ kind: 'persona', name, style }], audience).stable.includes(WORDS.first_run)).toBe(
        asks,
      ),
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
    expect(render(crowd(200)).stable).toMatch(/Skills: skill number 1, .*, 19\d more\./))

  it('does not grow with what there is', () =>
    expect(render(crowd(200)).stable.length - render(crowd(100)).stable.length).toBeLessThan(60))

  const tokens = (sections: readonly SelfSection[]): number => {
    const { stable, volatile } = render(sections)
    return encode(stable).length + encode(volatile).length
  }
  const named = (names: readonly string[]) => names.map((name) => ({ name, note: '' }))
  const SERVICES = [
    'google',
    'notion',
    'github',
    'slack',
    'whoop',
    'todoist',
    'strava',
    'linear',
    'stripe',
    'home assistant',
  ]
  const SKILLS = [
    'invoices',
    'trip planner',
    'meal plan',
    'reading list',
    'standup notes',
    'release notes',
    'tax helper',
    'gift ideas',
    'news digest',
    'packing list',
  ]
  const JOBS = ['morning digest', 'weekly review', 'invoice check', 'token rotation', 'memory tidy']
  const household = (services: number, skills: number, jobs: number): readonly SelfSection[] => [
    { kind: 'persona', name: 'Ada', style: 'dry, short, never flattering' },
    {
      kind: 'integrations',
      items: SERVICES.slice(0, services).map((name) => ({
        name,
        tools: 6,
        categories: [],
        state: 'active' as const,
      })),
    },
    { kind: 'skills', items: named(SKILLS.slice(0, skills)) },
    { kind: 'channels', items: named(['terminal', 'telegram', 'slack']) },
    { kind: 'jobs', items: JOBS.slice(0, jobs).map((name) => ({ name, note: 'daily 08.00' })) },
    { kind: 'categories', names: ['email', 'calendar', 'notes', 'code', 'health', 'web', 'memory'] },
    { kind: 'preferences', lines: ['24 h clock', 'no calls after eight'] },
    {
      kind: 'recent',
      turns: [1, 60, 3_000].map((minutes) => ({
        minutes,
        words: 'could you look whether Sarah wrote about the budget of the third quarter yet',
      })),
    },
    { kind: 'pending', items: named(['calendar.create_event', 'email.send']) },
  ]

  it.each([
    ['a typical household', household(3, 3, 2), 300],
    ['ten services, ten skills and five jobs (M-13)', household(10, 10, 5), 400],
    ['whatever there is (M-13)', [...crowd(200), ...household(0, 0, 0).slice(6)], 500],
  ] as const)('%s', (_, sections, most) => expect(tokens(sections)).toBeLessThanOrEqual(most))
})
