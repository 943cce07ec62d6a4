/**
 * What stands at an event as its owner asks for it, at a home without a model, in the demo's calendar: a note added after a card that says it, read again, where it is, who
 * comes, and what takes a time that was asked for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBench } from './terminal-bench.ts'

const bench = createBench({ env: { TZ: 'UTC' } })
beforeAll(() => bench.start('--only', 'home'))
afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('a note is added after a yes to a card that says it, and read again', async () => {
  const { report } = await bench.ask('add a note to the budget review: bring the figures')
  expect(report.task.state, report.reply ?? '').toBe('awaiting_approval')
  const number = String(JSON.parse((await bench.pfar('approvals', '--json')).out).at(-1).number)
  expect((await bench.pfar('approvals', 'show', number)).out).toContain(
    'added to its note: bring the figures',
  )
  expect(await reply("what's the note on the budget review?")).toContain('It has no note.')
  await bench.pfar('approve', number)
  expect(await reply("what's the note on the budget review?")).toContain('> bring the figures')
  expect(await reply('was steht in der Notiz zum budget review?')).toContain('> bring the figures')
})

test('who comes, and where it is', async () => {
  expect(await reply('who comes to the offsite planning?')).toContain('tom.becker@northwind.example')
  expect(await reply('where is the lunch with the auditors?')).toContain('Canteen')
})

test('what takes a time is named', async () => {
  expect(await reply('am I free tomorrow at 14:00?')).toContain('“Budget review” 14:00–15:00')
  expect(await reply('am I free tomorrow at 11:00?')).not.toContain('“')
})
