/** What home's status says of its chats: nothing of one that is not configured, and never that it listens before it does. */
import { expect, test } from 'vitest'
import type { ChannelTable } from '../../integrations/channels/runtime/declaration.ts'
import { createBotLine, openHomeChannel } from '../../integrations/channels/runtime/home-line.ts'
import { TELEGRAM_CHANNEL } from '../../integrations/channels/telegram/channel.ts'
import { err } from '../../kernel/flow/verdict.ts'

const TABLE: ChannelTable = { api: 'https://api.telegram.org', owner: 7 }

/** A channel that nobody activates. */
function opened(table: ChannelTable | null) {
  const refused = async () => err('credential_missing')
  return openHomeChannel({
    declaration: TELEGRAM_CHANNEL,
    ports: { origin: TABLE.api, table: { write: () => true, remove: () => true } },
    table,
    parse: (config) => config,
    ownerOf: ({ owner }) => String(owner),
    make: async () => ({
      sender: { send: refused, acknowledges: () => false },
      line: createBotLine(),
    }),
    start: async () =>
      table === null
        ? expect.fail('not to be started')
        : { status: () => ({ telegram: 'listens' }), stop: async () => undefined },
    activation: () => ({ check: refused, account: refused, find: refused, trouble: () => null }),
  })
}

test('a configured chat is in the status before anybody listens to it, and not after it was deactivated', async () => {
  const chat = await opened(TABLE)
  expect(chat.status()).toEqual({ telegram: 'connects' })
  await chat.listen()
  expect(chat.status()).toEqual({ telegram: 'listens' })
  await chat.set(null)
  expect(chat.status()).toEqual({})
})

test('a chat that is not configured is not in the status', async () => {
  const chat = await opened(null)
  await chat.listen()
  expect(chat.status()).toEqual({})
})
