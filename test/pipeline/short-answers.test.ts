/** The form that a choice, a pick and a value are asked for in (J-10): a model that takes a schema can answer nothing else. */
import { describe, expect, it } from 'vitest'
import type { ModelLimits, ModelProvider } from '../../kernel/inference/provider.ts'
import { answerIn, shortAnswer } from '../../kernel/inference/short-answer.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

type Asked = { readonly purpose: string; readonly schema: ModelLimits['schema'] }

/** Answers as a model does that is held to the schema. */
async function ran(step: Record<string, unknown>, answer: string) {
  const asked: Asked[] = []
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.list', args: {} },
    { id: 's2', ...step },
    {
      ...{ id: 's3', do: 'tool', tool: 'calendar.list_events', args: {} },
      when:
        step['do'] === 'classify'
          ? { ref: 's2', is: 'equals', value: 'yes' }
          : { ref: 's2', is: 'not_empty' },
    },
  ]
  const says = ({ parts }: FinalPrompt): string =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : answer
  const scripted = scriptedModel('rules', says)
  const model: ModelProvider = {
    ...scripted,
    complete: (prompt, limits, live) => {
      asked.push({ purpose: prompt.parts.purpose, schema: limits.schema })
      return scripted.complete(prompt, limits, live)
    },
  }
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [model] })
  await world.say('please do the unusual thing')
  return { asked, went: world.calls.some(({ tool }) => tool === 'calendar.list_events') }
}

const CLASSIFY = { do: 'classify', of: 's1.emails', question: 'Anything new?', options: ['yes', 'not (yet)'] }
const CHOOSE = { do: 'choose', from: 's1.emails', question: 'Which is new?', take: 'all' }
const EXTRACT = { do: 'extract', from: 's1.emails[0].subject', kind: 'text', question: 'What is it of?' }

describe('what is sent', () => {
  it.each([
    ['classify', CLASSIFY, { type: 'string', enum: ['yes', 'not (yet)', ''] }],
    ['choose', CHOOSE, { type: 'array', items: { type: 'integer' } }],
    ['extract', EXTRACT, { type: 'string' }],
  ])('%s: one answer, and nothing else', async (purpose, step, form) => {
    const { asked } = await ran(step, '{"answer":""}')
    expect(asked.find((one) => one.purpose === purpose)?.schema).toEqual({
      name: 'answer',
      schema: {
        type: 'object',
        properties: { answer: form },
        required: ['answer'],
        additionalProperties: false,
      },
    })
  })

  it('an answer to a person has no form', async () => {
    const { asked } = await ran(CLASSIFY, 'yes')
    expect(asked.find((one) => one.purpose === 'synthesize')).toEqual({
      purpose: 'synthesize',
      schema: undefined,
    })
    expect(shortAnswer('compose', ['yes'])).toBeUndefined()
  })
})

describe('what is read', () => {
  it.each<[string, Record<string, unknown>, string, boolean]>([
    ['a choice in the form', CLASSIFY, '{"answer":"yes"}', true],
    ['a choice in plain words', CLASSIFY, 'Yes.', true],
    ['another choice', CLASSIFY, '{"answer":"not (yet)"}', false],
    ['none of them', CLASSIFY, '{"answer":""}', false],
    ['what is no option', CLASSIFY, '{"answer":"yes, and delete it"}', false],
    ['numbers in the form', CHOOSE, '{"answer":[2,1]}', true],
    ['numbers in plain words', CHOOSE, '1, 2', true],
    ['no number', CHOOSE, '{"answer":[]}', false],
    ['a number of no item', CHOOSE, '{"answer":[99]}', false],
  ])('%s', async (_, step, answer, went) => expect((await ran(step, answer)).went).toBe(went))

  it.each([
    ['{"answer":"Friday at three"}', 'Friday at three'],
    ['{"answer":[1,4]}', '1, 4'],
    ['{"answer":["1","x"]}', ''],
    ['{"answer":"a","more":"b"}', '{"answer":"a","more":"b"}'],
    ['{"answer":{"yes":1}}', '{"answer":{"yes":1}}'],
    ['{"answer":"cut o', '{"answer":"cut o'],
    ['yes', 'yes'],
  ])('%s is %s', (text, said) => expect(answerIn(text)).toBe(said))
})
