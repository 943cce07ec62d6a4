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

// What the first five steps of connecting make.
test('with a fine-grained token pull requests are read, and of notifications it is said why not', async () => {
  state.isFineGrained = true
  expect(await reply("what's new on GitHub?")).toMatch(
    /could not read your notifications of GitHub[\s\S]*classic tokens alone[\s\S]*pfar connect/,
  )
  expect(await reply('any pull requests waiting for me?')).toMatch(/acme\/site#4: Fix the menu/)
  state.isFineGrained = false
  expect(await reply("what's new on GitHub?")).toContain('Nothing new on GitHub.')
})

test('a list is gone on with, and a row of it opened by its place', async () => {
  for (let at = 10; at < 34; at += 1) {
    state.found.push(issueRow('acme/site', at, { title: `Sign in ${at}` }))
    state.issues[`acme/site#${at}`] = issueRow('acme/site', at, {
      title: `Sign in ${at}`,
      body: `Text ${at}.`,
    })
  }
  const asked = (): readonly string[] =>
    state.asked.filter(({ path }) => path === '/search/issues').map(({ query }) => query.get('q') ?? '')
  expect(await reply('search github for the menu')).toMatch(/Sign in 28[\s\S]*There are more/)
  const more = await reply('show me more')
  expect(more).toMatch(/5 found[\s\S]*Sign in 29[\s\S]*Sign in 33/)
  expect(more).not.toMatch(/Sign in 28|There are more/)
  const [first, second] = asked().slice(-2)
  expect(second).toBe(first)
  expect(await reply('open the second one')).toMatch(/acme\/site#30: Sign in 30[\s\S]*Text 30/)
  expect(await reply('mehr')).toMatch(/nothing more|nicht mehr/)
})

// The token may be taken back, and GitHub may be down, at any time: each is a sentence.
test.each([
  [401, 'The service no longer accepts my access. It needs to be connected again.'],
  [503, 'The service is having trouble right now. Please try again later.'],
])('of an answer with %i it is said what that means', async (status, said) => {
  state.next.push((_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: 'text-of-the-service' }))
    return true
  })
  const told = await reply('show issue 1 in acme/site')
  expect(told).toContain(said)
  expect(told).not.toMatch(/text-of-the-service|Menu is broken/)
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
