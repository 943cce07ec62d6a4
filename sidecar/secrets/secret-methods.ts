/**
 * Methods of the private line for secrets and for connecting services (E-05, L-12, L-15), with parameters validated here. A
 * value crosses the 0600 socket once, inwards; no method returns one, and parameters are never logged. Called by doors.ts
 * and, while home is not running, by `pfar secret`.
 */

import * as z from 'zod/mini'
import { ok } from '../../kernel/flow/verdict.ts'
import type { CredentialNeed } from '../../kernel/tool/channel.ts'
import { secretName } from '../../kernel/vault/secret-offer.ts'
import { type Methods, method } from '../line/method.ts'
import type { CredentialService } from './credential-service.ts'
import { acceptSchema, type OfferService } from './offer-service.ts'
import { parseGrant } from './secret.ts'
import { deleteSchema, nameSchema, rotateSchema, type SecretService, setSchema } from './secret-service.ts'

/** `look`: tests a value with its service; absent if no service can be reached, as while home does not run. */
export function createSecretMethods(
  secretService: SecretService,
  offers: OfferService,
  look?: CredentialService['look'],
): Methods {
  return {
    secret_set: method(setSchema, (params) => secretService.set(params)),
    secret_rotate: method(rotateSchema, async (params) => {
      // A test would exchange a grant and may use it up.
      const isTried = look !== undefined && parseGrant(params.value) === null
      const tried = isTried ? await look(params.name, params.value) : null
      // An unreachable service says nothing about the value; the former version is kept until a service accepts this one.
      if (tried?.ok === false && tried.reason.code === 'credential_rejected') return tried
      const rotated = await secretService.rotate(params)
      return rotated.ok ? ok({ ...rotated.value, tried: tried?.ok === true && tried.value.tried }) : rotated
    }),
    secret_delete: method(deleteSchema, (params) => secretService.delete(params)),
    secret_accept: method(acceptSchema, (params) => offers.accept(params)),
    secret_decline: method(nameSchema, (params) => offers.decline(params)),
  }
}

/** UTF-16 units of a value as received; `checkValue` has the exact bound. */
const MAX_INPUT = 20_000

const connectParams = z.strictObject({
  service: secretName,
  value: z.string().check(z.maxLength(MAX_INPUT)),
  allowDevelopmentKey: z._default(z.boolean(), false),
})

/** `goesOn`: whether it is the credential of a chat, whose activation has further steps. */
export function createConnectMethods(
  { give }: Pick<CredentialService, 'give'>,
  goesOn: (service: string) => boolean,
  needs: () => readonly CredentialNeed[],
): Methods {
  const connect = method(connectParams, async ({ service, value, allowDevelopmentKey }) => {
    const given = await give(service, value, allowDevelopmentKey)
    return given.ok ? ok({ connected: service, goesOn: goesOn(service) }) : given
  })
  const connectable = method(z.strictObject({}), async () =>
    ok({ services: needs().map(({ service, title }) => ({ service, title })) }),
  )
  return { connect, connectable }
}
