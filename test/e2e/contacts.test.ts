/**
 * Contacts as their owner has them: told in words at a home without a model, there after a restart,
 * and taken away again (DESIGN §9).
 */
import { afterAll, expect, test } from 'vitest'
import { createBench } from './terminal-bench.ts'

const bench = createBench()
afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

const start = () => bench.start('--no-demo', '--only', 'home')
const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('a contact is there after a restart until it is removed', async () => {
  await start()
  expect(await reply('add Sarah, sarah@example.com, to my contacts')).toContain('sarah@example.com')
  await bench.stop()
  await start()
  expect(await reply("what is Sarah's address?")).toContain('sarah@example.com')
  await reply("change Sarah's address to sarah@example.org")
  expect(await reply('who are my contacts?')).toContain('Sarah: sarah@example.org')
  await reply('remove Sarah from my contacts')
  expect(await reply('who are my contacts?')).toMatch(/no contacts yet/)
})
