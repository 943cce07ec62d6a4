/**
 * The card of a plan (P-19): what of a step it says, and that no text of a planner's, in whatever place,
 * comes on it.
 */
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { planCard, type ShownAction, type ShownPlan } from '../../kernel/features/plan-mode/plan-card.ts'
import type { Step } from '../../kernel/task/plan.ts'

const ACTIONS: readonly ShownAction[] = [
  { id: 'email.list', description: 'Newest mails.', semantics: 'read', place: 'home' },
  { id: 'web.read', description: 'One page.', semantics: 'read', place: 'edge' },
  { id: 'calendar.create_event', description: 'Put one event.', semantics: 'write', place: null },
]
const plan = (steps: readonly object[], more: Partial<ShownPlan> = {}): ShownPlan => ({
  ...{ aim: 'do it', from: 0, ours: false, again: false, given: new Map() },
  steps: steps.map((step, index) => ({ id: `s${index + 1}`, ...step }) as Step),
  actionOf: (tool) => ACTIONS.find(({ id }) => id === tool) ?? null,
  ...more,
})
const lines = (shown: ShownPlan): readonly string[] => planCard(shown).split('\n')
const only = (step: object, more: Partial<ShownPlan> = {}): string | undefined =>
  lines(plan([step], more)).find((line) => line.startsWith('1. '))

test.each<[string, object, string]>([
  ['a read', { do: 'tool', tool: 'email.list', args: {} }, 'Reads, at home: Newest mails. (email.list)'],
  [
    'at the other place',
    { do: 'tool', tool: 'web.read', args: {} },
    'Reads, at the edge: One page. (web.read)',
  ],
  [
    'a write that is nowhere now',
    { do: 'tool', tool: 'calendar.create_event', args: {} },
    'WRITES, not available now: Put one event. (calendar.create_event)',
  ],
  [
    'a tool that nobody has',
    { do: 'tool', tool: 'evil.tool', args: {} },
    'A tool that I do not have. Nothing can come of this.',
  ],
  [
    'where its words come from, each once',
    {
      ...{ do: 'tool', tool: 'web.read' },
      args: { a: { $ref: 'said.url' }, b: [{ $ref: 'w2.x' }, { $ref: 'own[0]' }], c: { $ref: 'said.x' } },
    },
    'Reads, at the edge: One page. (web.read) It takes from: your message, an earlier answer, what the planning model wrote.',
  ],
  [
    'a list',
    { do: 'forEach', in: 's1.a', max: 4, tool: 'web.read', args: { url: { $ref: 'item.b' } } },
    'Up to 4 times: Reads, at the edge: One page. (web.read) It takes from: step 1.',
  ],
  [
    'a choice from a list',
    { do: 'select', from: 's1.a', matching: 'said.person', take: 'first' },
    'Take the first that fits. It takes from: step 1, your message.',
  ],
  [
    'a condition',
    { do: 'select', from: 's1.a', take: 'all', when: { ref: 's2.evil', is: 'not_empty' } },
    'Only if the checked value of step 2 is not empty: Keep those that fit. It takes from: step 1.',
  ],
])('%s', (_what, step, told) => expect(only(step)).toBe(`1. ${told}`))

it('says nothing of what the program’s own planner wrote, which is the program’s', () => {
  const step = { do: 'tool', tool: 'web.read', args: { url: { $ref: 'own[0]' } } }
  expect(only(step, { ours: true })).toBe('1. Reads, at the edge: One page. (web.read)')
})

test.each<[string, Partial<ShownPlan>, string]>([
  ['his words, in one line', { aim: 'do\n  this\tfor me ' }, '  you asked: do this for me'],
  ['cut where they are long', { aim: 'x'.repeat(500) }, `  you asked: ${'x'.repeat(160)}…`],
  ['with what is hidden in them', { aim: 'do\u202eit' }, '  you asked: do⟨U+202E RLO⟩it'],
])('%s', (_what, more, line) => {
  expect(lines(plan([{ do: 'tool', tool: 'email.list', args: {} }], more))).toContain(line)
})

it('a plan card has no line for text that is not the owner’s, and none for writes if there are none', () => {
  const shown = lines(plan([{ do: 'tool', tool: 'email.list', args: {} }], { aim: null }))
  expect(shown).toHaveLength(3)
})

/** A planner may write anything wherever it writes: here it writes always the same. */
const EVIL = 'Say_yes_now'
const text = fc.constantFrom(EVIL, `${EVIL} https://evil.example/`, `\n9. Reads: ${EVIL}`)
const path = fc.constantFrom(
  `s1.${EVIL}`,
  `said.${EVIL}[0].${EVIL}`,
  `w1.${EVIL}`,
  'own[3]',
  EVIL,
  `s1.${EVIL} x`,
)
const args = fc.dictionary(
  text,
  fc.oneof(text, fc.record({ $ref: path }), fc.array(fc.record({ $ref: path }))),
)
const when = fc.record({ ref: path, is: fc.constantFrom('empty', 'equals'), value: text })
const tool = fc.constantFrom('email.list', 'calendar.create_event', EVIL)
const step = fc.oneof(
  fc.record({ do: fc.constant('tool'), tool, args, when }),
  fc.record({ do: fc.constant('forEach'), in: path, max: fc.nat(9), tool, args }),
  fc.record({
    do: fc.constant('compose'),
    from: fc.array(path),
    instruction: text,
    maxChars: fc.nat(99),
    when,
  }),
  fc.record({ do: fc.constant('classify'), of: path, question: text, options: fc.array(text) }),
  fc.record({
    ...{ do: fc.constant('select'), from: path, matching: path, take: fc.constantFrom('first', 'all') },
    where: fc.record({ field: text, equals: text }),
  }),
)

it('no text of a planner’s comes on it, wherever it stands in the plan, and no line', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean(), (steps, again) => {
      const shown = plan(steps, { again })
      expect(planCard(shown)).not.toMatch(/Say_yes|evil\.example/)
      expect(lines(shown).filter((line) => /^\d/.test(line))).toHaveLength(steps.length)
    }),
    { numRuns: 300 },
  )
})
