/**
 * Slack as its owner reads it, at a home without a model: asked for before it is connected, connected with a bot's token and then one of the owner's own, read,
 * and told of when Slack is down and when the token was taken back (X-19, L-12, L-18).
 */
import { expect, test } from 'vitest'
import {
  channel,
  chat,
  person,
  refused,
  SITE,
  said,
  serveSlackAccount,
  slackAccount,
  TOKEN,
} from '../fakes/slack-account-server.ts'
import { serviceBench } from './service-bench.ts'

const state = slackAccount()
const now = (minutes: number) => ({ ts: `${Math.floor(Date.now() / 1_000) - 600 + minutes * 60}.000100` })
state.people.push(person('U000SARAH', 'Sarah'))
state.places.push(channel('C0GENERAL', 'general'), chat('D00000SARAH', 'U000SARAH'))
state.said['D00000SARAH'] = [said(0, 'U000SARAH', 'Lunch on Friday?', now(1))]
state.said['C0GENERAL'] = [said(0, 'U000SARAH', 'The office is closed.', now(2))]
state.said['C0GENERAL/1795773600.000100'] = [
  said(0, 'U000SARAH', 'The offer'),
  said(1, 'U000SARAH', '12,000'),
]
state.found.push({
  ...said(0, 'U000SARAH', 'the offer is out'),
  channel: { id: 'C0GENERAL', name: 'general', is_private: false, is_mpim: false },
})

const { reply, connected } = serviceBench('slack-account', () => serveSlackAccount(state))

test('before it is connected, it is said how', async () => {
  expect(await reply('what did I not answer on slack?')).toContain('pfar connect slack-account')
  expect(state.asked).toEqual([])
})

test('a wrong token changes nothing, and a right one is told the way to', async () => {
  const wrong = await connected(`xoxp-${'1'.repeat(40)}`)
  expect(wrong).toContain('did not accept that. Nothing was stored.')
  const right = await connected(TOKEN)
  expect(right).toMatch(
    /api\.slack\.com\/apps[\s\S]*"User Token Scopes"[\s\S]*search:read[\s\S]*is connected/,
  )
  expect(right).not.toContain(TOKEN)
})

test('it is read', async () => {
  expect(await reply('what did I not answer on slack?')).toMatch(
    /One conversation waits[\s\S]*Sarah[\s\S]*Lunch on Friday\?/,
  )
  expect(await reply('was habe ich auf Slack nicht beantwortet?')).toContain('Lunch on Friday?')
  expect(await reply("what's new in #general")).toMatch(
    /general on Slack, one message:[\s\S]*The office is closed/,
  )
  expect(await reply('search slack for the offer')).toContain('the offer is out')
  expect(await reply('show my slack messages from Sarah')).toContain('Lunch on Friday?')
  expect(await reply("what's new in #nowhere")).toContain('no such channel or person')
  expect(await reply(`read the slack thread ${SITE}archives/C0GENERAL/p1795773600000100`)).toMatch(
    /A thread in general[\s\S]*The offer[\s\S]*12,000/,
  )
})

test('what Slack refuses is said in words, and how to go on', async () => {
  state.next.push((_asked, response) => {
    response.writeHead(503).end()
    return true
  })
  expect(await reply('search slack for the offer')).toMatch(/could not search Slack/)
  state.next.push((_asked, response) => refused(response, 'missing_scope'))
  expect(await reply('search slack for the offer')).toContain('search:read')
  state.next.push((_asked, response) => refused(response, 'token_revoked'))
  expect(await reply('search slack for the offer')).toContain('pfar secret rotate slack-account')
})
