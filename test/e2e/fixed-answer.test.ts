/**
 * A home whose model says the same of everything: its owner learns all the same what was done, and no mail is told to have gone to somebody else (C-25).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NOT_SO } from '../../kernel/wording/guard/claims.ts'
import { servePlanner, setPlanner } from './planning-model.ts'
import { createBench } from './terminal-bench.ts'

const FIXED = 'I am small, and this is my fixed answer.'
const bench = createBench({ env: { TZ: 'UTC' } })
let says = FIXED
const model = await servePlanner(({ isPlan }) => (isPlan ? JSON.stringify({ steps: [] }) : says))

beforeAll(async () => {
  setPlanner(bench.folder, model)
  await bench.start('--only', 'home')
  await reply('add Ana Perez, ana@example.com, to my contacts')
  await reply('yes')
})
beforeEach(() => {
  says = FIXED
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await model.close()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

/** Below each answer with rows of the demo. */
const DEMO = '\n\nThat is the demo mailbox.'

/** What is said after the yes to its card. */
async function agreed(text: string): Promise<string> {
  const { report } = await bench.ask(text)
  expect(report.task.approval, report.reply ?? '').not.toBeNull()
  return reply('yes')
}

test('a mail is told to have gone where it went, whatever the model says', async () => {
  says = 'Done: I have sent your mail to Tom.'
  expect(await agreed('write to Ana: are you there?')).toBe(`Sent to ana@example.com.${DEMO}`)
  says = 'Lovely. I have sent your mail to Tom.'
  const partly = await agreed('write to Ana: still there?')
  expect(partly).toBe(`Sent to ana@example.com.\n\nLovely. ${NOT_SO}${DEMO}`)
})

test('what the model says of it itself is not said twice', async () => {
  says = 'Done: I have sent your mail to Ana.'
  expect(await agreed('write to Ana: one more time?')).toBe(`${says}${DEMO}`)
})

test('a booking, an answer and a reminder are told before a text that tells none of it', async () => {
  expect(await agreed('book lunch with Sarah tomorrow at 13:00')).toMatch(/^Booked: .*13:00.*\n\nI am small/s)
  await reply('any new mail?')
  expect(await agreed('reply to Sarah: I will be there')).toMatch(/^Your reply is sent to .*\n\nI am small/s)
  expect(await reply('remind me in 2 minutes to stretch')).toMatch(/^I will remind you.*\n\nI am small/s)
})
