/**
 * The owner's key that is sent with a call to a web service: its origin, header and scheme, as the tool's declaration lists them.
 * It is no argument, so neither a plan nor an answer can name it; the card shows it, and approval and token are bound to its
 * digest. Must not see a key. Called by authorize.ts, ask.ts, serve.ts and the tool port.
 */
import { digestOf } from '../flow/digest.ts'
import { type Labeled, test } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Tools } from '../powers/ports.ts'
import type { CapabilityToken } from '../task/capability.ts'
import type { AccountSpec, AddedHeader, ToolCall } from '../tool/manifest.ts'
import type { RegisteredAction } from '../tool/registry.ts'

export type SentAccount = AccountSpec & { readonly sends: AddedHeader }

/**
 * The account whose key is sent with the call, or null. It comes from a closed list, so it reveals nothing of
 * the arguments.
 */
export function accountSentAlong(
  { tools }: Tools,
  { id, tool }: RegisteredAction,
  args: Labeled<ToolCall['args']>,
): SentAccount | null {
  const sent = (tool.accounts ?? []).flatMap((one) =>
    one.sends === undefined ? [] : [{ ...one, sends: one.sends }],
  )
  return sent.find(({ name }) => test(args, (read) => tools.sends?.(id, read) === name)) ?? null
}

/** Digest of the key form, to which approvals, grants and tokens are bound. Absent if no key is sent. */
export function alongDigest(account: Pick<AccountSpec, 'sends'> | null | undefined): {
  readonly along?: string
} {
  const sends = account?.sends
  return sends === undefined ? {} : { along: digestOf({ ...sends }) }
}

/**
 * Checks that the key form, or its absence, is the one that the token was issued for. Refusal:
 * token_wrong_key.
 */
export function checkAlong(
  { claims }: CapabilityToken,
  account: Pick<AccountSpec, 'sends'> | null | undefined,
): Result<true> {
  return claims.along === alongDigest(account).along ? ok(true) : err('token_wrong_key')
}
