/**
 * The owner's key that goes along with a call, by its form: origin, header and scheme, as the declaration of its tool lists them. It is no argument, so
 * that neither a plan nor an answer can say it: the card names it, and approval and token are bound to its digest. Must not see a key. Called by authorize.ts, ask.ts, serve.ts and the tool port.
 */
import { digestOf } from '../flow/digest.ts'
import { type Labeled, test } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Tools } from '../powers/ports.ts'
import type { CapabilityToken } from '../task/capability.ts'
import type { AccountSpec, AddedHeader, ToolCall } from '../tool/manifest.ts'
import type { RegisteredAction } from '../tool/registry.ts'

export type SentAccount = AccountSpec & { readonly sends: AddedHeader }

/** The account whose key goes along: one of a closed list, so that nothing of the arguments is in it. Null for none. */
export function sentAlong(
  { tools }: Tools,
  { id, tool }: RegisteredAction,
  args: Labeled<ToolCall['args']>,
): SentAccount | null {
  const sent = (tool.accounts ?? []).flatMap((one) =>
    one.sends === undefined ? [] : [{ ...one, sends: one.sends }],
  )
  return sent.find(({ name }) => test(args, (read) => tools.sends?.(id, read) === name)) ?? null
}

/** What a yes, a grant and a token are bound to; absent where no key goes along. */
export function alongDigest(account: Pick<AccountSpec, 'sends'> | null | undefined): {
  readonly along?: string
} {
  const sends = account?.sends
  return sends === undefined ? {} : { along: digestOf({ ...sends }) }
}

/** Whether this key, or none, goes along with what the token was issued for. Refusal: token_wrong_key. */
export function checkAlong(
  { claims }: CapabilityToken,
  account: Pick<AccountSpec, 'sends'> | null | undefined,
): Result<true> {
  return claims.along === alongDigest(account).along ? ok(true) : err('token_wrong_key')
}
