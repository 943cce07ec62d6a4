/**
 * Bluesky as its owner has it, at a home without a model: asked for before it is connected, connected with the password of the account, which is sent nowhere, and
 * then with an app password; read, and posted to by a card; its app password taken back (I-16, L-12, L-18).
 */
import { expect, test } from 'vitest'
import { HANDLE, LOGIN, noticeRow, pdsState, postRow, refuse, servePds } from '../fakes/pds-server.ts'
import { serviceBench } from './service-bench.ts'

const state = pdsState()
state.feed = [{ post: postRow('3k1', 'A new roof for the bakery') }]
state.found = [postRow('3k2', 'Roofs of slate')]
state.notifications = [
  noticeRow('reply', { record: { text: 'see you at nine' } }),
  noticeRow('like', { isRead: true }),
]

const { bench, reply, connected } = serviceBench('bluesky', () => servePds(state))

test('before it is connected, it is said how', async () => {
  expect(await reply("what's new on bluesky?")).toContain('pfar connect bluesky')
  expect(state.asked).toEqual([])
})

test('the password of the account is refused unsent, and an app password is told the way to', async () => {
  let tried = 0
  state.signIn = (response) => {
    tried += 1
    refuse(response, 401, 'AuthenticationRequired')
  }
  expect(await connected(`${HANDLE}:hunter2hunter2hunter2`)).toContain(
    'did not accept that. Nothing was stored.',
  )
  expect(tried).toBe(0)
  state.signIn = null
  const right = await connected(LOGIN)
  expect(right).toMatch(/settings\/app-passwords[\s\S]*"Add App Password"[\s\S]*Bluesky is connected/)
  expect(right).not.toContain(LOGIN)
})

test('it is read', async () => {
  expect(await reply("what's new on bluesky?")).toMatch(/bob\.test .*A new roof for the bakery/)
  expect(await reply('any bluesky notifications?')).toMatch(
    /One notification[\s\S]*answered you[\s\S]*see you at nine/,
  )
  expect(await reply('search bluesky for roofs')).toMatch(/Roofs of slate/)
})

test('it is posted to after a yes, with the very words', async () => {
  const { report } = await bench.ask('post on bluesky: We open at 9, not at 8! 🥖')
  expect(report.task.state).toBe('awaiting_approval')
  expect(state.made).toEqual([])
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  expect((await bench.pfar('approvals', 'show', String(card.number))).out).toMatch(
    /text: We open at 9, not at 8! 🥖\s+25 of 300 characters[\s\S]*EVERYONE can read it/,
  )
  await bench.pfar('approve', String(card.number))
  expect(state.made).toMatchObject([{ text: 'We open at 9, not at 8! 🥖' }])
})

test('what is too long is not asked about, and a password that was taken back is said to be that', async () => {
  expect(await reply(`post on bluesky: ${'a'.repeat(301)}`)).toMatch(/takes 300 characters/)
  state.signIn = (response) => refuse(response, 401, 'AuthenticationRequired')
  expect(await reply("what's new on bluesky?")).toMatch(/does not accept your app password any more/)
  state.signIn = (response) => refuse(response, 401, 'AccountTakedown')
  expect(await reply('any bluesky notifications?')).toMatch(/suspended your account/)
  expect(state.made).toHaveLength(1)
})

test('a server that is down is said in a sentence, and nothing of what it says is told', async () => {
  const down = (response: Parameters<NonNullable<typeof state.signIn>>[0]): void => {
    response.writeHead(503, { 'content-type': 'text/html' })
    response.end('<p>text-of-the-service</p>')
  }
  state.signIn = down
  const said = await reply("what's new on bluesky?")
  expect(said).toContain('The service is having trouble right now. Please try again later.')
  state.signIn = null
  // Signed in, and down then.
  state.next.push((_asked, response) => down(response))
  const later = await reply('search bluesky for roofs')
  expect(later).toContain('The service is having trouble right now. Please try again later.')
  expect(`${said}${later}`).not.toMatch(/text-of-the-service|roof for the bakery|Roofs of slate/)
  expect(await reply('search bluesky for roofs')).toMatch(/Roofs of slate/)
})
