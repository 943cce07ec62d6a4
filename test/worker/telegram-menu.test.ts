/**
 * Telegram's command menu in the owner's chat (O-21): the commands that the pipeline answers, for the owner only, sent once after a
 * change. In real workerd with a scripted Bot API.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { commandsAt } from '../../kernel/operations/commands.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { tell } from '../../kernel/wording/words.ts'
import type { Menu } from '../fakes/telegram-methods.ts'
import type { Asked } from '../fakes/telegram-server.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { hangingCalls, hangModel, inside, until } from './edge.ts'
import { answersIn, bring, order, standingIn } from './telegram.ts'

const KEY = 'telegram-menu'

beforeAll(() => order({ chats: [OWNER_ID] }))
afterAll(() => order({ forget: true }))

const menus = async (): Promise<Readonly<Record<string, Menu>>> =>
  (await fetch(`${inject('telegram')}/menus`)).json()

async function timesSet(): Promise<number> {
  const all = await (await fetch(`${inject('telegram')}/transcript`)).json<readonly Asked[]>()
  return all.filter(({ method, refused }) => method === 'setMyCommands' && refused === null).length
}

const keep = (digest: string): Promise<void> =>
  inside(OWNER_PRINCIPAL, ({ storage }) => storage.kv.put(KEY, digest))
const kept = (): Promise<unknown> => inside(OWNER_PRINCIPAL, ({ storage }) => storage.kv.get(KEY))

async function say(words: string): Promise<string> {
  const before = (await standingIn(OWNER_ID)).length
  await bring(update(messageFrom(OWNER_ID, words)))
  return (await answersIn(OWNER_ID, before + 1)).at(-1)?.text ?? ''
}

test('the menu lists the commands, in the owner’s chat only', async () => {
  await say('hello')
  const found = await until(menus, (all) => `chat:${OWNER_ID}` in all)
  expect(Object.keys(found)).toEqual([`chat:${OWNER_ID}`])
  expect(found[`chat:${OWNER_ID}`]).toEqual(
    commandsAt([], 'edge').map(({ name, description }) => ({ command: name, description })),
  )
})

test('a changed menu is sent with the next message, and an unchanged one is not sent', async () => {
  await say('hello')
  await until(kept, (digest) => digest !== undefined)
  const before = await timesSet()
  await say('hello')
  expect(await timesSet()).toBe(before)
  await keep('another')
  await say('hello')
  await until(timesSet, (times) => times === before + 1)
  expect(await until(kept, (digest) => digest !== 'another')).toMatch(/^[0-9a-f]{64}$/)
})

test('the listed commands are answered: /help all lists them', async () => {
  const help = await say('/help all')
  for (const { command } of (await menus())[`chat:${OWNER_ID}`] ?? [])
    expect(help).toMatch(new RegExp(`/${command}[ :]`))
})

test('/stop ends a running model call, and says so', async () => {
  const before = (await standingIn(OWNER_ID)).length
  await hangModel(true)
  try {
    await bring(update(messageFrom(OWNER_ID, 'hello there')))
    await expect.poll(hangingCalls).toBe(1)
    await bring(update(messageFrom(OWNER_ID, '/stop')))
    const said = (await answersIn(OWNER_ID, before + 2)).slice(before).map(({ text }) => text)
    expect(said).toEqual(['Stopped: "hello there".', tell('commands.stopped')])
  } finally {
    await hangModel(false)
  }
})
