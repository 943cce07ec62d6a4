/**
 * `connect` over the private line: what the owner typed at the console, tried and stored (L-12, L-15), and which services can be
 * connected. A value crosses the 0600 socket once, inwards, and parameters are never logged. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { ok } from '../../kernel/flow/verdict.ts'
import type { CredentialNeed } from '../../kernel/tool/connect.ts'
import { secretName } from '../../kernel/vault/secret-offer.ts'
import { type Methods, method } from '../line/method.ts'
import type { CredentialDesk } from './credential-desk.ts'

/** UTF-16 units of a value as it comes in; the exact bound is `checkValue`'s. */
const MAX_INPUT = 20_000

const params = z.strictObject({
  service: secretName,
  value: z.string().check(z.maxLength(MAX_INPUT)),
  allowDevelopmentKey: z._default(z.boolean(), false),
})

/** `goesOn`: whether it is the credential of a chat, which asks more of its owner before it is active. */
export function createConnectMethods(
  { give }: Pick<CredentialDesk, 'give'>,
  goesOn: (service: string) => boolean,
  needs: () => readonly CredentialNeed[],
): Methods {
  const connect = method(params, async ({ service, value, allowDevelopmentKey }) => {
    const given = await give(service, value, allowDevelopmentKey)
    return given.ok ? ok({ connected: service, goesOn: goesOn(service) }) : given
  })
  const connectable = method(z.strictObject({}), async () =>
    ok({ services: needs().map(({ service, title }) => ({ service, title })) }),
  )
  return { connect, connectable }
}
