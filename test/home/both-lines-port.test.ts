/**
 * Acknowledging the edge's bot at home: nothing is asked before the edge is known to have a bot, and every
 * acknowledgement is revoked (DESIGN §1).
 */
import { expect, test } from 'vitest'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createBothLinesPort } from '../../sidecar/line/home-operations.ts'

const ME = { principal: 'principal:owner', place: 'home', message: 'm1' } as const

/** One grant in force, and two that do not count. */
const GIVEN = [
  { grant: { kind: 'transport', id: 'g1', revoked: false } },
  { grant: { kind: 'transport', id: 'g2', revoked: true } },
  { grant: { kind: 'cloud', id: 'g3', revoked: false } },
]

function port(bot: Result<boolean>, given: readonly unknown[] = GIVEN) {
  const called: unknown[] = []
  const made = createBothLinesPort({
    shell: () => ({
      async acknowledgeTransport(...said) {
        called.push(said)
        return ok({ approval: 'a1' })
      },
      async revoke(...said) {
        called.push(said)
        return ok({ grant: said[0] })
      },
    }),
    powers: { store: { grants: () => given } as never },
    hasBot: async () => bot,
  })
  return { made, called }
}

test('the card names the chat with the edge’s bot', async () => {
  const { made, called } = port(ok(true))
  expect(await made.acknowledge(ME)).toEqual(ok({ approval: 'a1' }))
  expect(called).toEqual([[ME, 'sink:telegram:open']])
})

test.each([
  ['without a bot', ok(false), 'sink_unknown'],
  ['that cannot be asked', err('remote_unavailable'), 'remote_unavailable'],
])('an edge %s cannot be acknowledged', async (_, bot, code) => {
  const { made, called } = port(bot)
  expect(await made.acknowledge(ME)).toMatchObject({ reason: { code } })
  expect(called).toEqual([])
})

test('a grant in force is revoked by any caller; without one that is reported', async () => {
  const { made, called } = port(ok(true))
  expect(await made.withdraw(ME.principal)).toEqual(ok({ grant: 'g1' }))
  expect(called).toEqual([['g1', ME.principal]])
  expect(await port(ok(true), []).made.withdraw(ME.principal)).toEqual(err('grant_missing'))
})
