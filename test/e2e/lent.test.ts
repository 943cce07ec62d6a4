/** The open line and a model of one's own, as a user has them: both places as processes, and an Ollama at home (D-03, D-13). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding } from '../../sidecar/doctor/finding.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const PLAN = JSON.stringify({ steps: [], explanation: '' })
const ANSWER = 'Quiet autumn rain, written at home.'
const WORDS = 'please juggle the secret lanterns of Ines'

let pfar: Bench
let ollama: FakeOllama
let broken = false
beforeAll(async () => {
  pfar = createBench()
  ollama = await startOllama([{ name: 'tiny:1b', bytes: 1, window: 16_384 }], ({ format }) =>
    broken ? null : format === undefined ? ANSWER : PLAN,
  )
  const settings = [
    ...['[[models.providers]]', 'name = "own"', 'kind = "ollama"', 'model = "tiny:1b"'],
    ...[`base_url = "${ollama.url}"`, 'window = 16384'],
  ]
  writeFileSync(join(pfar.folder, 'config.toml'), settings.join('\n'), { mode: 0o600 })
  await pfar.start('--no-chat', '--port', '0')
})
afterAll(async () => {
  await pfar.stop()
  await pfar.remove()
  await ollama.close()
})

const ask = async () => (await pfar.ask(WORDS, '--line', 'open')).report

test('a task of the edge is planned and answered by it, and home counts it', async () => {
  // Home tells the edge what it lends as soon as it has connected.
  await expect.poll(async () => (await ask()).task.model, { timeout: 30_000 }).toBe('home/own')
  const { reply, task } = await ask()
  expect([reply, task.place, task.planner, task.label]).toEqual([ANSWER, 'edge', 'home/own', 'internal'])
  expect(ollama.chats.at(-1)?.messages[0]?.content).toMatch(/^\[pfar:identity-v1\]\n/)
  expect(ollama.chats.at(-1)?.messages[1]?.content).toContain(WORDS)
  const { home, edge } = JSON.parse((await pfar.pfar('usage', '--json', '--days', '2')).out)
  expect(home.by.model).toMatchObject([{ name: 'own' }])
  expect(edge.by.model).toMatchObject([{ name: 'home/own', calls: home.by.model[0].calls }])
})

test('the doctor asks it as the edge does', async () => {
  const doctor = async (): Promise<readonly Finding[]> =>
    JSON.parse((await pfar.pfar('doctor', '--json', '--ollama', ollama.url)).out)
  const of = (found: readonly Finding[]) => found.find(({ part }) => part === 'edge home/own')?.state
  expect(of(await doctor())).toBe('ok')
  broken = true
  expect(of(await doctor())).toBe('bad')
})

test('where it fails the person is answered all the same', async () => {
  broken = true
  const { reply, task } = await ask()
  expect([task.model, task.state]).toEqual(['rules', 'completed'])
  expect(reply).not.toContain(ANSWER)
})
