/**
 * What is told to somebody by a mail is all that the owner typed for it: polite words before and behind it are to whom it goes to, and none of them is cut off
 * as if it were said to the assistant. Without a model.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool } from './world.ts'

const MAIL = {
  ...{ id: 'm1', from: 'sarah@friends.example', fromName: 'Sarah Chen', subject: 'Friday' },
  ...{ date: '2026-11-19T08:00:00Z', hasAttachments: false },
}
const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const listed: ScriptedTool = () => ({
  ok: true,
  output: { emails: [{ ...MAIL, unread: false, snippet: 'As agreed.' }], more: false },
})
const tools: Record<string, ScriptedTool> = {
  ...{ 'email.list': listed, 'email.search': listed, 'email.reply': sent, 'email.send': sent },
  'email.send_later': () => ({ ok: true, output: { id: 'l1' } }),
  'email.read': () => {
    const more = { to: ['owner@home.example'], body: 'As agreed.', truncated: false, links: [], dates: [] }
    return { ok: true, output: { ...MAIL, ...more, requests: [], others: [] } }
  },
}
const contacts = [{ name: 'Tom Baker', email: 'tom@baker.example' }]

async function bodyOf(...said: readonly string[]): Promise<unknown> {
  const home = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({ tools, contacts, models: [home] })
  for (const one of said) await world.say(one)
  await decideFirst(world, 'approve')
  return world.calls.find(({ tool }) => tool === 'email.reply' || tool === 'email.send')?.args['body']
}

const READ = ['check my email', 'read the first one']

describe('polite words behind what is told', () => {
  it.each([
    ['schreib ihr zurück passt so, danke', 'Passt so, danke'],
    ['tell her I will be late, thanks!', 'I will be late, thanks!'],
    ['antworte gern, bis dann :)', 'Gern, bis dann :)'],
    ['reply ok, many thanks', 'Ok, many thanks'],
  ])('to whom the shown mail is from: %s', async (said, body) =>
    expect(await bodyOf(...READ, said)).toBe(body),
  )

  it.each([
    ['schreib Tom dass ich krank bin, danke', 'Ich bin krank, danke'],
    ['write to Tom that I will be late, sorry and thanks', 'I will be late, sorry and thanks'],
    ['reply to Sarah that I will come, thanks', 'I will come, thanks'],
  ])('by name: %s', async (said, body) => expect(await bodyOf(said)).toBe(body))
})

describe('an article as it is spoken', () => {
  it.each([
    ['schreib Tom ne Mail: hab ne Frage', 'Hab ne Frage'],
    ["schick Tom 'ne kurze Nachricht: bin ne Stunde später da", 'Bin ne Stunde später da'],
    ['schreib Tom bitte, dass es später wird', 'Es wird später'],
  ])('is of the mail, and in its text stays as typed: %s', async (said, body) =>
    expect(await bodyOf(said)).toBe(body),
  )

  it('leaves the time before it to the mail', async () => {
    const world = createWorld({ tools, contacts })
    await world.say('schick Tom morgen um 8 ne Mail: denk an den Schlüssel')
    const [card] = await world.ports.approvals.list('principal:owner')
    expect(card?.full).toMatch(
      /AT THE TIME[\s\S]*at: Saturday 21 November, 08:00[\s\S]*body: Denk an den Schlüssel\n/,
    )
  })
})

describe('polite words before it', () => {
  it.each([
    ['antworte Sarah danke, beides passt', 'Danke, beides passt'],
    ['antworte Sarah gern, bis dann, lg Jule', 'Gern, bis dann, lg Jule'],
    ['antworte Sarah hab ne Frage, bis später', 'Hab ne Frage, bis später'],
    ['reply to Sarah yes gladly, see you on Friday, thanks', 'Yes gladly, see you on Friday, thanks'],
    ['answer Sarah sorry, cannot make it', 'Sorry, cannot make it'],
  ])('are none of a name: %s', async (said, body) => expect(await bodyOf(READ[0] ?? '', said)).toBe(body))

  it('a name of two words stays one', async () =>
    expect(await bodyOf(READ[0] ?? '', 'reply to Sarah Chen, I will come')).toBe('I will come'))
})
