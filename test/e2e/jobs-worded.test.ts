/**
 * A job that a model plans and words, at a real home with an Ollama of the owner's own: its card names the model, its plan and words survive a kill, another model
 * behind the same name stops it, and code tells it where the model gives nothing (issue 2.6).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOllama } from '../fakes/ollama.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'

const PLAN = JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'task.list', args: {} }] })
let words: string | null = 'Nothing is urgent: the milk can wait.'
const models = ['small:1b', 'large:7b'].map((name) => ({ name, bytes: 1, window: 16_384 }))
const ollama = await startOllama(models, ({ format }) => (format === undefined ? words : PLAN))
const { bench, start, reply, agreed, toldOf, look, later } = createJobsBench({
  at: Date.parse('2026-11-23T12:00:00Z'),
  args: ['--no-demo', '--only', 'home'],
})

function configure(model: string): void {
  const lines = ['[models]', 'chain = ["own"]', '[[models.providers]]', 'name = "own"', 'kind = "ollama"']
  const whole = [...lines, `model = "${model}"`, `base_url = "${ollama.url}"`, 'window = 16384']
  writeFileSync(join(bench.folder, 'config.toml'), whole.join('\n'), { mode: 0o600 })
}

afterAll(() => ollama.close())
beforeAll(async () => {
  configure('small:1b')
  await start()
})

test('is told in the model’s words over a kill, by code without them, and stops for another model', async () => {
  await reply('put milk on my list')
  const before = ollama.chats.length
  const card = await agreed(
    'every day at 9 compare my open tasks with what a calm person would do',
    /compare my open tasks/,
  )
  expect(card).toMatch(/Your own model own reads what this finds and words it/)
  // What is planned from are the owner's words alone.
  const planned = ollama.chats.slice(before).filter(({ format }) => format !== undefined)
  expect(planned).toHaveLength(1)
  expect(JSON.stringify(planned)).not.toContain('milk')

  await later((moved) => moved.set(Date.parse('2026-11-24T09:00:20Z')))
  await until(async () => (await toldOf('the milk can wait')).length > 0, SOON)
  expect(JSON.stringify(ollama.chats.at(-1)?.messages)).toContain('milk')

  words = null
  await later((moved) => moved.set(Date.parse('2026-11-25T09:00:20Z')))
  await until(async () => (await toldOf('No model could word this today')).length > 0, SOON)
  words = 'By another model.'

  await later(async (moved) => {
    configure('large:7b')
    await moved.set(Date.parse('2026-11-26T09:00:20Z'))
  })
  await until(async () => (await toldOf('or the model that words it, has changed')).length > 0, SOON)
  expect((await look()).filter(({ kind }) => kind === 'card').at(-1)?.text).toContain(
    'The model that your card named is gone',
  )
  expect(await toldOf('By another model')).toEqual([])
})
