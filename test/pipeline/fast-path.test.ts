/** The fast path is no way around a label: what was said before decides which model may read a greeting (C-27, D-06). */
import { expect, it } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

it.each([
  ['history above its clearance: not asked', 'sensitive', false],
  ['the same acknowledged for this template', 'acknowledged', true],
])('a cloud model and %s', async (_what, how, asked) => {
  const seen: FinalPrompt[] = []
  const cloud = scriptedModel('cloud', (prompt) => `Hello ${seen.push(prompt)} from afar.`, 'cloud')
  const template = {
    ...{ template_id: 'talk', triggers: ['adapter:terminal:message:owner'], principal_class: 'owner' },
    ...{ intents: ['greeting', 'email_check'], description: 'Talk', allowed_tools: ['email.list'] },
    ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
    ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: 'sensitive' },
    inference: { provider: 'chain' },
  }
  const world = createWorld({ tools: mailTools(), models: [cloud], templates: [template] })
  if (how === 'acknowledged') await acknowledgeCloud(world, 'talk')
  await world.say('check my email')
  seen.length = 0
  const report = await world.shell.report(await world.say('hi'))
  expect(report?.task).toMatchObject({ path: 'fast', state: 'completed', model: asked ? 'cloud' : 'rules' })
  expect(seen.length > 0).toBe(asked)
  // What is stored and what leaves is labelled as on the full path.
  expect(world.sent.at(-1)?.label).toBe('sensitive')
  const { label, bytes } = report?.task.delivered[0] ?? {}
  expect(label).toBe('sensitive')
  expect(bytes).toBeGreaterThan(0)
})
