/**
 * What a real home answers about itself: no answer to an administrative question has a credential's value in any form, and a
 * new name of the assistant is in its description and in its answer to who it is, also after a restart (L-09).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { SLACK_APP_TOKEN, SLACK_BOT_TOKEN } from '../fakes/slack-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { BOTH_TOKENS, type SlackHome, startSlackHome, storeGoogle } from './slack-home.ts'

let home: SlackHome
let sent = 0
beforeAll(async () => {
  home = await startSlackHome()
  await home.startHome()
  expect((await home.run(['connect'], BOTH_TOKENS)).code).toBe(0)
  await storeGoogle(home)
})
afterAll(() => home.close())

async function say(text: string): Promise<string> {
  sent += 1
  const { result } = await home.ask('send', { id: `m${sent}`, text })
  const { task } = result as { readonly task: string }
  const rows = async () =>
    (await home.ask('deliveries', { after: 0 }))['result'] as readonly { task: string; text: string }[]
  return (await until(async () => (await rows()).find((one) => one.task === task), SOON)).text
}

/** As it is, and as it would stand encoded in another answer. */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(secret).toString(form)),
  ]
}

const READS = OPERATIONS.filter(({ effect, place }) => effect === 'read' && place !== 'edge').map(
  ({ name }) => name,
)

test('no answer of an operation that reads, nor of the status, has the value of a credential', async () => {
  const answers: [string, string][] = [['status', JSON.stringify(await home.ask('status'))]]
  for (const operation of READS)
    answers.push([operation, JSON.stringify(await home.ask('operation', { operation, args: {} }))])
  for (const words of ['/status', 'how are you set up?', '/tools', 'which model do you use?'])
    answers.push([words, await say(words)])
  expect(answers.filter(([, answer]) => answer.includes('"result"')).length).toBeGreaterThan(20)
  // What is looked for is there: stored, and spoken of by name.
  expect(answers[0]?.[1]).toMatch(/google[^"]* v1 /)
  const secrets = [home.values.credential, SLACK_BOT_TOKEN, SLACK_APP_TOKEN].flatMap(formsOf)
  expect(answers.filter(([, answer]) => secrets.some((one) => answer.includes(one)))).toEqual([])
  expect(secrets.filter((one) => home.printed().includes(one))).toEqual([])
})

test('a new name is in its answers at once, and after a restart', async () => {
  const shown = async () =>
    JSON.stringify(await home.ask('operation', { operation: 'persona.show', args: {} }))
  expect(await say('who are you?')).toMatch(/^I am PFAR,/)
  expect(await shown()).not.toContain('Jeeves')
  await say('your name is Jeeves')
  expect([await say('who are you?'), await shown()]).toEqual([
    expect.stringMatching(/^I am Jeeves,/),
    expect.stringContaining('Jeeves'),
  ])
  await home.stopHome()
  await home.startHome()
  expect(await say('who are you?')).toMatch(/^I am Jeeves,/)
})
