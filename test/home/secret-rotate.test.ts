/** A new value for a stored secret is tried with its service first, and the password of an account may be short where a key may not. */
import { expect, test } from 'vitest'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { CredentialService } from '../../sidecar/secrets/credential-service.ts'
import type { OfferService } from '../../sidecar/secrets/offer-service.ts'
import { checkValue } from '../../sidecar/secrets/secret.ts'
import { createSecretMethods } from '../../sidecar/secrets/secret-methods.ts'
import type { SecretService } from '../../sidecar/secrets/secret-service.ts'

const GRANT = JSON.stringify({ client_id: 'c'.repeat(8), refresh_token: 'r'.repeat(8) })

async function rotated(look: CredentialService['look'] | undefined, value = 'new-password') {
  const stored: string[] = []
  const desk = {
    rotate: async (input: { readonly value: string }) => {
      stored.push(input.value)
      return ok({ name: 'mail' })
    },
  }
  const methods = createSecretMethods(desk as unknown as SecretService, {} as OfferService, look)
  const done = await methods['secret_rotate']?.({ name: 'mail', value })
  return { done, stored }
}

test('a value that its service refuses is not stored', async () => {
  const { done, stored } = await rotated(async () => err('credential_rejected', { credential: 'mail' }))
  expect(done).toMatchObject({ ok: false, reason: { code: 'credential_rejected' } })
  expect(stored).toEqual([])
})

test.each([
  ['its service takes', async () => ok({ tried: true, account: null }), true],
  ['no tool can try', async () => ok({ tried: false, account: null }), false],
  ['could not be tried, as its service is away', async () => err('network_failed'), false],
  ['is given while home does not run', undefined, false],
] as const)('a value that %s is stored, and it is said whether it was tried', async (_, look, tried) => {
  const { done, stored } = await rotated(look)
  expect(done).toMatchObject({ ok: true, value: { tried } })
  expect(stored).toEqual(['new-password'])
})

test('a grant is not spent by a try', async () => {
  let looks = 0
  await rotated(async () => {
    looks += 1
    return err('credential_rejected')
  }, GRANT)
  expect(looks).toBe(0)
})

test('a password that is too short to be found in a text is not taken', () => {
  expect(checkValue('token', 'Kal26').ok).toBe(false)
  expect(checkValue('token', 'Kal26-7x').ok).toBe(true)
})
