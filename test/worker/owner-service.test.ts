/** What a stranger's object stores of who writes: sealed, once as long as it is awake, and anew with another name. */
import { expect, it } from 'vitest'
import { createOwnerService } from '../../durable-objects/principal/owner-service.ts'

const KEY = new Uint8Array(32).fill(7)

function service(stored: string[]) {
  const kv = { put: (_: string, value: string) => void stored.push(value) }
  return createOwnerService({
    ...{ kv, env: {}, settings: { nameKey: KEY, sealKey: KEY } },
    ...{ principal: () => 'principal:telegram:peer:7', name: () => 'name' },
  } as unknown as Parameters<typeof createOwnerService>[0])
}

const from = (handle: string) => ({ adapter: 'telegram', user: '7', chat: '7', group: false, handle })

it('stores a name once, and another one anew', () => {
  const stored: string[] = []
  const { recordSender } = service(stored)
  for (const name of ['Ann', 'Ann', 'Ann', 'Bob', 'Bob', 'Ann']) recordSender(from(name))
  expect([stored.length, new Set(stored).size]).toEqual([3, 3])
  expect(stored.join()).not.toMatch(/Ann|Bob/)
})

it('stores it again after it woke', () => {
  const stored: string[] = []
  for (const one of [service(stored), service(stored)]) one.recordSender(from('Ann'))
  expect(stored).toHaveLength(2)
})
