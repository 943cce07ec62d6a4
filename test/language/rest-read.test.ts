/**
 * Half of a request is never done in silence: what stands behind an "and" is read as well, or the plan says that it is of a part, or nothing is planned.
 * Every head with every tail, so that no sentence is fitted to one of them.
 */
import { describe, expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

interface Made {
  readonly steps: readonly { readonly tool?: string }[]
  readonly explanation: string
}

const made = (text: string): Made =>
  (JSON.parse(plansOf([text], false)[0] ?? '{}') as { readonly plan: Made }).plan
const toolsIn = ({ steps }: Made) => steps.map(({ tool }) => tool)

const HEADS = [
  'the weather in Leeds',
  'weather in Leeds tomorrow',
  'my unread mail',
  "what's on today",
  'das Wetter in Leeds',
]
const READ = [
  ['my tasks', 'task.list'],
  ['my reminders', 'reminder.list'],
] as const
const UNREAD = ['my lamp', 'the blue folder', 'York', 'our neighbours', 'meine Lampe', 'der rote Ordner']
const SAID = ['thanks', 'thank you', 'good morning', 'danke', 'so on']

describe.each(HEADS)('%s', (head) => {
  const and = head.startsWith('das') ? 'und' : 'and'

  it.each(READ)('and %s: both are read, or nothing is done in silence', (tail, tool) => {
    const both = made(`${head} ${and} ${tail}`)
    if (both.steps.length > 0 && both.explanation !== 'in_part') expect(toolsIn(both)).toContain(tool)
    else expect(both.explanation).toMatch(/in_part|not_understood/)
  })

  it.each(UNREAD)('and %s: says that it is of a part, or plans nothing', (tail) => {
    expect(made(`${head} ${and} ${tail}`).explanation).not.toBe('')
  })

  it.each(SAID)('and %s: is the request alone', (tail) => {
    const alone = made(head)
    const said = made(`${head} ${and} ${tail}`)
    if (said.steps.length > 0) expect(toolsIn(said)).toEqual(toolsIn(alone))
  })
})

it.each([
  ['the weather in Leeds and my tasks', ['weather.forecast', 'task.list']],
  ['my tasks and the weather in Leeds', ['task.list', 'weather.forecast']],
  ['the weather in Leeds and my reminders', ['weather.forecast', 'reminder.list']],
  ['my unread mail and my tasks', ['email.list', 'task.list']],
])('"%s" is read whole', (text, tools) => {
  expect(toolsIn(made(text))).toEqual(tools)
  expect(made(text).explanation).toBe('')
})

it.each([
  ['search the web for fish and chips', 'web.search'],
  ['the weather in Leeds and thanks', 'weather.forecast'],
])('"%s" is one request', (text, tool) => {
  expect(toolsIn(made(text))).toEqual([tool])
  expect(made(text).explanation).toBe('')
})
