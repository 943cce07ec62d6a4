/**
 * Regression 4 (S001 §17, invariant F): the body of a sensitive mail reaches no model in the cloud, unless the owner has
 * acknowledged that risk for this template. No adapter for such a model is built yet: it is scripted behind the port that
 * one will have.
 */
import { expect, test } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

const BODY = 'Could you look at the numbers?'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const READ = { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } }
const SUM = { id: 's3', do: 'compose', from: ['s2.body'], instruction: 'Sum it up.', maxChars: 500 }

const template = (acknowledged: boolean, ceiling = 'sensitive') => ({
  ...{ template_id: 'mail', triggers: ['adapter:terminal:message:owner'], intents: ['email_check'] },
  ...{ principal_class: 'owner', description: 'Mail', allowed_tools: ['email.list', 'email.read'] },
  ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
  ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: ceiling },
  inference: { provider: 'cloud', owner_acknowledged_cloud_risk: acknowledged },
  plans: [{ intent: 'email_check', steps: [LIST, READ, SUM] }],
})

test.each([
  ['not acknowledged: none of it', false, false],
  ['acknowledged for this template', true, true],
])('%s', async (_, acknowledged, sees) => {
  const seen: FinalPrompt[] = []
  const cloud = scriptedModel(
    'cloud-model',
    (prompt) => {
      seen.push(prompt)
      return 'A summary.'
    },
    'cloud',
  )
  const world = createWorld({ tools: mailTools(), models: [cloud], templates: [template(acknowledged)] })
  const task = await world.say('check my email')
  const read = seen.filter(({ user, parts }) => `${user}${JSON.stringify(parts)}`.includes(BODY))
  expect(read.length > 0).toBe(sees)
  // It is summed up and answered all the same, by the model that is in the house.
  expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
  const report = await world.shell.report(task)
  expect(report?.task).toMatchObject({ state: 'completed', model: sees ? 'cloud-model' : 'rules' })
})
