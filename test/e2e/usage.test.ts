/**
 * `pfar usage` after a scripted day (B-37, D-11, P-24): a home with a priced model over real HTTP, which it asks until the
 * day's budget is spent. Then `rules` answers and says so, and what was spent outlives the process.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UsageReport } from '../../kernel/features/usage/port.ts'
import { budgetSpent } from '../../kernel/wording/note.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const NOTHING = JSON.stringify({ steps: [], explanation: '' })
const CAP = 9_000
/** What the scripted service says that each call took. */
const CALL = { input: 321, output: 4 }
const COST = CALL.input * 2 + CALL.output * 10

let pfar: Bench
let ollama: FakeOllama
beforeAll(async () => {
  pfar = createBench()
  ollama = await startOllama([{ name: 'tiny:1b', bytes: 1, window: 16_384 }], ({ format }) =>
    format === undefined ? 'A canary of the answer.' : NOTHING,
  )
  const settings = [
    ...['[[models.providers]]', 'name = "own"', 'kind = "ollama"', 'model = "tiny:1b"'],
    ...[`base_url = "${ollama.url}"`, 'window = 16384'],
    ...['[budget]', `tokens_per_day = ${CAP}`, 'currency = "EUR"'],
    ...['[budget.prices.own]', 'input = 2', 'output = 10'],
  ]
  writeFileSync(join(pfar.folder, 'config.toml'), settings.join('\n'), { mode: 0o600 })
  await pfar.start('--only', 'home')
})
afterAll(async () => {
  await pfar.stop()
  await pfar.remove()
  await ollama.close()
})

async function usage(): Promise<UsageReport> {
  const { out } = await pfar.pfar('usage', '--json', '--days', '2')
  return JSON.parse(out).home
}
const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const WORDS = 'please juggle the secret lanterns of Ines'

test('a day is counted by day, task, purpose and model, until the budget is spent and rules takes over', async () => {
  const first = await pfar.ask(WORDS)
  expect(first.report.reply).toBe('A canary of the answer.')
  expect(first.report.task.model).toBe('own')
  const { by } = await usage()
  const of = (calls: number) => ({
    calls,
    input: calls * CALL.input,
    output: calls * CALL.output,
    cost: calls * COST,
  })
  expect(by.task).toMatchObject([{ name: first.report.task.id, ...of(2) }])
  expect(Object.fromEntries(by.purpose.map(({ name, ...sum }) => [name, sum]))).toMatchObject({
    plan: of(1),
    synthesize: of(1),
  })
  expect(by.model).toMatchObject([{ name: 'own', ...of(2) }])

  let last = first
  for (let n = 0; n < 30 && last.report.task.model !== 'rules'; n += 1) last = await pfar.ask(WORDS)
  expect(last.report.task.model).toBe('rules')
  expect(last.report.reply?.startsWith(`${budgetSpent()}\n\n`)).toBe(true)
  const { by: all, today } = await usage()
  // Midnight may have passed since the first question: each day has its budget.
  const days = all.day
    .toSorted((a, b) => String(a.name).localeCompare(String(b.name)))
    .map(({ input, output }) => input + output)
  expect(days.filter((spent) => spent > CAP)).toEqual([])
  expect(today.tokens).toBe(days.at(-1))
  expect(total(days)).toBe(ollama.chats.length * total(Object.values(CALL)))
})

test('what was spent is spent after a restart, too, and is told in the chat', async () => {
  const before = await usage()
  await pfar.stop()
  await pfar.start('--only', 'home')
  const asked = ollama.chats.length
  const { report } = await pfar.ask(WORDS)
  expect([report.task.model, ollama.chats.length]).toEqual(['rules', asked])
  expect((await usage()).today).toEqual(before.today)
  const told = (await pfar.ask('/usage')).report.reply
  expect(told).toMatch(new RegExp(`own +${asked} +${asked * CALL.input} +0 +${asked * CALL.output} +\\d`))
  expect(told).toContain(`Budget today: ${before.today.tokens} of ${CAP} tokens.`)
})

test('no word of anybody lies in the rows of it (D-19)', async () => {
  await pfar.stop()
  const { openSqliteToRead } = await import('../../sidecar/store/sqlite-bridge.ts')
  const { modelUsage } = await import('../../integrations/store/schema/schema.ts')
  const file = openSqliteToRead(join(pfar.folder, 'home.sqlite'))
  const rows = file.db.select().from(modelUsage).all()
  file.close()
  expect(rows.length).toBe(ollama.chats.length)
  expect(JSON.stringify(rows)).not.toMatch(/juggle|lantern|Ines|canary|wish/i)
  expect(readFileSync(join(pfar.folder, 'logs/home.log'), 'utf8')).not.toMatch(/lantern|canary/i)
})
