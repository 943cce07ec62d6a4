/** How far a task is, in words that say nothing of what it is about (C-32). */
import { expect, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Step } from '../../kernel/task/plan.ts'
import type { Effect, Task } from '../../kernel/task/task.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { progressOf, withWords, wordsOf } from '../../kernel/wording/progress.ts'
import { PROVENANCE } from '../task/fixtures.ts'

const REGISTRY = createRegistry(TOOL_MANIFESTS)
const CANARY = 'clinic-of-dr-no'
const STEPS: readonly Step[] = [
  { id: 's1', do: 'tool', tool: 'email.list', args: { query: CANARY } },
  { id: 's2', do: 'select', from: CANARY, take: 'first' },
  { id: 's3', do: 'compose', from: [], instruction: CANARY, maxChars: 9 },
  { id: 's4', do: 'forEach', in: CANARY, max: 3, tool: 'email.read', args: {} },
  { id: 's5', do: 'tool', tool: CANARY, args: {} },
]
type Progressing = Pick<Task, 'plan' | 'results' | 'planMode'>
const planned: Progressing = { plan: { steps: STEPS, explanation: CANARY }, results: {} }
const nothing: Progressing = { plan: null, results: {} }
const shown: Progressing = { ...planned, planMode: { on: true, said: PROVENANCE } }
/** The fourth step has become two calls, of the names s6 and s7. */
const listed: Progressing = {
  ...shown,
  plan: { steps: [...STEPS.slice(0, 4), call('s6'), call('s7'), ...STEPS.slice(4)], explanation: '' },
  results: { s4: { kind: 'many', steps: ['s6', 's7'] } },
}
function call(id: string): Step {
  return { id, do: 'tool', tool: 'email.read', args: {} }
}
const at = (doing: 'authorize' | 'compose' | 'classify', step: number): Effect =>
  (doing === 'authorize' ? { do: doing, step, approval: null } : { do: doing, step }) as Effect

test.each<[string | null, Effect, Progressing]>([
  ['thinking about it…', { do: 'extract' }, nothing],
  ['thinking about it…', { do: 'plan', round: 1 }, nothing],
  ['1 of 6: looking through the mail…', at('authorize', 0), planned],
  ['2 of 6: choosing…', at('authorize', 1), planned],
  ['3 of 6: writing…', at('compose', 2), planned],
  ['4 of 6: reading the message…', at('authorize', 3), planned],
  // A tool that nobody named here is not named there.
  ['5 of 6: working on it…', at('authorize', 4), planned],
  ['6 of 6: writing the answer…', { do: 'synthesize' }, planned],
  ['writing the answer…', { do: 'synthesize' }, nothing],
  // The card numbered the steps for the owner (P-19).
  ['step 1 of 5 of the plan: looking through the mail…', at('authorize', 0), shown],
  ['step 4 of 5 of the plan: reading the message…', at('authorize', 5), listed],
  ['step 5 of 5 of the plan: working on it…', at('authorize', 6), listed],
  ['6 of 6: writing the answer…', { do: 'synthesize' }, shown],
  [null, { do: 'show_plan', step: 0, approval: null }, shown],
  [null, { do: 'deliver' }, planned],
  [null, { do: 'remember' }, planned],
  [null, { do: 'ask_owner', step: 0, approval: 'a' }, planned],
])('%s', (words, effect, task) => {
  const how = progressOf(REGISTRY, task, effect)
  expect(how === null ? null : wordsOf(how)).toBe(words)
})

test.each([
  ['looking_at_calendar', '1 of 2: looking at the calendar…'],
  ['working', '1 of 2: working on it…'],
  ['choosing', '1 of 2: choosing…'],
] as const)('what the other place calls %s is told in the words of this one', (doing, words) => {
  expect(wordsOf(withWords(REGISTRY, { doing, step: 1, steps: 2 }))).toBe(words)
})
