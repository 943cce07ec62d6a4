/**
 * Methods of the private line for connecting services: tests and stores a credential that was typed at the console
 * (L-12, L-15), and lists the services. A value crosses the 0600 socket once, inwards; parameters are never logged.
 * Called by doors.ts.
 */
import * as z from 'zod/mini'
import { ok } from '../../kernel/flow/verdict.ts'
import type { CredentialNeed } from '../../kernel/tool/connect.ts'
import { secretName } from '../../kernel/vault/secret-offer.ts'
import { type Methods, method } from '../line/method.ts'
import type { CredentialDesk } from './credential-desk.ts'

/** UTF-16 units of a value as received; `checkValue` has the exact bound. */
const MAX_INPUT = 20_000

const params = z.strictObject({
  service: secretName,
  value: z.string().check(z.maxLength(MAX_INPUT)),
  allowDevelopmentKey: z._default(z.boolean(), false),
})

/** `goesOn`: whether it is the credential of a chat, whose activation has further steps. */
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
