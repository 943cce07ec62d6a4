/**
 * GitHub as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong token and then a right one, read, written to
 * by a card, and not written to where the repository was opened to everyone meanwhile (I-14, L-12, L-18).
 */
import { expect, test } from 'vitest'
import { githubState, issueRow, repoRow, serveGithub, TOKEN } from '../fakes/github-server.ts'
import { serviceBench } from './service-bench.ts'

const state = githubState()
state.repos['acme/site'] = repoRow('acme/site', { private: true, visibility: 'private' })
state.issues['acme/site#1'] = issueRow('acme/site', 1, { title: 'Menu is broken', body: 'It does not open.' })
state.found.push(issueRow('acme/site', 4, { title: 'Fix the menu', pull_request: { merged_at: null } }))
state.ci.checks = [{ name: 'unit', status: 'completed', conclusion: 'success' }]

const { bench, reply, connected } = serviceBench('github', () => serveGithub(state))
const written = (): readonly unknown[] =>
  state.asked.filter(({ method }) => method === 'POST').map(({ body }) => body)

test('before it is connected, it is said how', async () => {
  expect(await reply('any pull requests waiting for me?')).toContain('pfar connect github')
  expect(state.asked).toEqual([])
})

test('a wrong token changes nothing, and a right one is told the way to', async () => {
  const wrong = await connected(`github_pat_${'x'.repeat(60)}`)
  expect(wrong).toContain('did not accept that. Nothing was stored.')
  expect(await reply('any pull requests waiting for me?')).toContain('pfar connect github')
  const right = await connected(TOKEN)
  expect(right).toMatch(
    /personal-access-tokens\/new[\s\S]*"Issues" and "Pull requests"[\s\S]*GitHub is connected/,
  )
  expect(right).not.toContain(TOKEN)
})

test('it is read', async () => {
  expect(await reply('any pull requests waiting for me?')).toMatch(/acme\/site#4: Fix the menu/)
  expect(await reply('show issue 1 in acme/site')).toMatch(/Menu is broken[\s\S]*It does not open/)
  expect(await reply('is CI green on acme/site?')).toMatch(/CI of acme\/site, main: passed/)
  expect(await reply('show issue 99 in acme/site')).toMatch(/no such issue/)
})

test('it is written to after a yes, and the card says who reads it', async () => {
  const { report } = await bench.ask('open an issue in acme/site: the login page is slow, and so is the menu')
  expect(report.task.state).toBe('awaiting_approval')
  expect(written()).toEqual([])
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  expect((await bench.pfar('approvals', 'show', String(card.number))).out).toContain('it is private')
  await bench.pfar('approve', String(card.number))
  expect(written()).toEqual([{ title: 'the login page is slow, and so is the menu' }])
})

test('it is not written to where everyone can read it by now', async () => {
  await bench.ask('comment on acme/site#1: the budget is 12,000')
  state.repos['acme/site'] = repoRow('acme/site')
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  await bench.pfar('approve', String(card.number))
  expect(written()).toHaveLength(1)
})
