/**
 * Regression 4 (S001 §17, invariant F): the body of a sensitive mail reaches no model in the cloud, unless the owner has
 * acknowledged that risk for this template, on a card of its own; what the template's file says of it acknowledges nothing.
 * The same on the wire: test/models/matrix-wire.test.ts.
 */
import { expect, test } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

const BODY = 'Could you look at the numbers?'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const READ = { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } }
const SUM = { id: 's3', do: 'compose', from: ['s2.body'], instruction: 'Sum it up.', maxChars: 500 }

const template = (asks: boolean, ceiling = 'sensitive') => ({
  ...{ template_id: 'mail', triggers: ['adapter:terminal:message:owner'], intents: ['email_check'] },
  ...{ principal_class: 'owner', description: 'Mail', allowed_tools: ['email.list', 'email.read'] },
  ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
  ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: ceiling },
  inference: { provider: 'cloud', owner_acknowledged_cloud_risk: asks },
  plans: [{ intent: 'email_check', steps: [LIST, READ, SUM] }],
})

test.each([
  ['not acknowledged: none of it', false, null, false],
  ['the file says so, the owner did not: none of it', true, null, false],
  ['acknowledged for another template: none of it', true, 'owner_private', false],
  ['acknowledged for this template', false, 'mail', true],
])('%s', async (_, asks, acknowledged, sees) => {
  const seen: FinalPrompt[] = []
  const cloud = scriptedModel(
    'cloud-model',
    (prompt) => {
      seen.push(prompt)
      return 'A summary.'
    },
    'cloud',
  )
  const world = createWorld({ tools: mailTools(), models: [cloud], templates: [template(asks)] })
  if (acknowledged !== null) await acknowledgeCloud(world, acknowledged)
  const task = await world.say('check my email')
  const read = seen.filter(({ user, parts }) => `${user}${JSON.stringify(parts)}`.includes(BODY))
  expect(read.length > 0).toBe(sees)
  // It is summed up and answered all the same, by the model that is in the house.
  expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
  const report = await world.shell.report(task)
  expect(report?.task).toMatchObject({ state: 'completed', model: sees ? 'cloud-model' : 'rules' })
})
