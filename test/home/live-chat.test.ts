/** What home says of a chat of its own at each moment: nothing of one that there is none of, and never that it listens before it does. */
import { expect, test } from 'vitest'
import { createLiveChat } from '../../integrations/channels/runtime/live-chat.ts'

test('a chat that is set up is told of before anybody listens to it, and not after it is left', async () => {
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

test('of a chat that is not set up nothing is told', async () => {
  const start = () => Promise.reject(new Error('not to be started'))
  const chat = await createLiveChat({ name: 'slack', make: async (config: string) => config, start }, null)
  await chat.listen()
  expect(chat.status()).toEqual({})
})
