/** What home's status says of its chats: nothing of one that is not configured, and never that it listens before it does. */
import { expect, test } from 'vitest'
import { createLiveChat } from '../../integrations/channels/runtime/live-chat.ts'

test('a configured chat is in the status before anybody listens to it, and not after it was deactivated', async () => {
  const line = { status: () => ({ telegram: 'listens' }), stop: async () => undefined }
  const chat = await createLiveChat(
    { name: 'telegram', make: async (config: string) => config, start: async () => line },
    'bot',
  )
  expect(chat.status()).toEqual({ telegram: 'connects' })
  await chat.listen()
  expect(chat.status()).toEqual({ telegram: 'listens' })
  await chat.set(null)
  expect(chat.status()).toEqual({})
})

test('a chat that is not configured is not in the status', async () => {
  const start = () => Promise.reject(new Error('not to be started'))
  const chat = await createLiveChat({ name: 'slack', make: async (config: string) => config, start }, null)
  await chat.listen()
  expect(chat.status()).toEqual({})
})
