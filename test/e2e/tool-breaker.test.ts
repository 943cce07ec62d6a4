/** A service that keeps failing is left alone by a real home; its owner is told once, in words, and the audit says why (I-07). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inEnglish } from '../../kernel/wording/language.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { configFor, type House, resultOf, startHouse } from '../regression/home/house.ts'
import { auditOf } from '../regression/home/rows.ts'

let asked = 0
let house: House

beforeAll(async () => {
  const service = await serve((_, response) => {
    asked += 1
    response.statusCode = 503
    response.end('{}')
  })
  closing(service)
  house = await startHouse(configFor(service.origin))
})
afterAll(() => house.kill())

const codes = (): readonly unknown[] => auditOf(house.folder, 'tool_invoked').map(({ code }) => code)

async function notices(): Promise<readonly string[]> {
  const all = resultOf<readonly { readonly kind: string; readonly text: string }[]>(
    await house.client.ask('deliveries', { after: 0 }),
  )
  return all
    .filter(({ kind, text }) => kind === 'notice' && text.startsWith('email: '))
    .map(({ text }) => text)
}

test('after five failures it is not asked again', async () => {
  for (let n = 0; n < 5; n += 1) await house.ask('check my email')
  expect(codes()).toEqual(Array(5).fill('remote_unavailable'))
  const before = asked
  const { reply, task } = await house.ask('check my email')
  expect(task.trouble).toBe('tool_degraded')
  expect(reply).toContain(inEnglish(() => wordsFor('tool_degraded')))
  expect(asked).toBe(before)
  expect(codes().at(-1)).toBe('tool_degraded')
  expect(await notices()).toEqual([`email: ${inEnglish(() => wordsFor('tool_degraded'))}`])
})

test('and another service goes on being asked', async () => {
  const before = asked
  await house.ask('am I free tomorrow?')
  expect(asked).toBeGreaterThan(before)
})
