/**
 * Jobs in the owner's words at a home without a model, each over a kill: a search whose words stand on the job's card and are told the engine at its time, by no other
 * card; and a connected service that is read without one (DESIGN §2, §9).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { githubState, issueRow, repoRow, serveGithub, TOKEN } from '../fakes/github-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { sendJson, serve } from '../kit/server.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'
import { onTerminal } from './keys-bench.ts'

const asked: string[] = []
const engine = await serve(({ url = '' }, response) => {
  asked.push(url)
  sendJson(response, {
    results: [{ url: 'https://news.example/otters', title: 'Otters are back', content: 'x' }],
  })
})
const state = githubState()
state.repos['acme/site'] = repoRow('acme/site', { private: true, visibility: 'private' })
state.found.push(issueRow('acme/site', 4, { title: 'Fix the menu', pull_request: { merged_at: null } }))
const github = await serveGithub(state)
const { bench, clock, start, reply, agreed, toldOf, look, later } = createJobsBench({
  at: Date.parse('2026-11-23T12:00:00Z'),
  args: ['--no-demo', '--only', 'home'],
})
afterAll(async () => {
  await engine.close()
  await github.close()
})
beforeAll(async () => {
  const text = `[services.github]\nbase_url = "${github.origin}"\n[network]\nexempt_origins = ["${github.origin}"]\n`
  writeFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
  expect(await bench.pfar('search', 'use', 'searxng', '--url', engine.origin)).toMatchObject({ code: 0 })
  await start()
})

test('the words stand on the card, and the engine hears them at each time, over a kill', async () => {
  const card = await agreed('every day at 9 search the web for otter news', /otter news/)
  expect(card).toMatch(/gets these words of yours, and nothing else[\s\S]*\n- otter news \(127\.0\.0\.1/)
  expect(asked).toEqual([])
  await clock.set(Date.parse('2026-11-24T09:00:20Z'))
  await until(async () => (await toldOf('Otters are back')).length > 0, SOON)
  await later((moved) => moved.set(Date.parse('2026-11-25T09:00:20Z')))
  await until(async () => (await toldOf('Otters are back')).length > 1, SOON)
  expect(new Set(asked)).toEqual(new Set(['/search?q=otter+news&format=json']))
  // Neither time was asked about by another card.
  expect((await look()).filter(({ kind }) => kind === 'card')).toHaveLength(1)
  await reply('stop job 1')
})

test('a connected service is read at its time, in German too, and its card names no words that leave', async () => {
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1', ...clock.env }
  await onTerminal('scripts/pfar.mjs connect github --allow-development-key', env, [
    [/Credential for github: $/, TOKEN],
  ]).ended
  const card = await agreed('jeden Morgen um 8 meine offenen Pull Requests', /Pull Requests/)
  expect(card).not.toContain('gets these words')
  await later((moved) => moved.set(Date.parse('2026-11-26T08:00:20Z')))
  await until(async () => (await toldOf('Fix the menu')).length > 0, SOON)
  expect(asked).toHaveLength(2)
})
