/**
 * One chat that home can be reached in (H-13): how its credential is tried, its owner found, and the listening begun and ended while home
 * runs. Whoever adds a chat adds one of these to home-channels.ts. Must not keep a credential: the vault does. Called by channel-desk.ts.
 */
import type { Refusal, Result } from '../../kernel/flow/verdict.ts'
import type { ChannelAdapter } from '../../kernel/tool/channel.ts'

export interface HomeChannel {
  readonly adapter: ChannelAdapter
  /** Its owner's chat there. */
  readonly sink: string
  /** Who may have its credentials, and where they may go. */
  readonly scope: { readonly tools: readonly string[]; readonly hosts: readonly string[] }
  /** Whether it is set up and listened to. */
  isActive(): boolean
  /** By one harmless call with a value that is kept nowhere. Whose account it opens, where the service says. Refusals: credential_rejected, those of the service. */
  check(service: string, value: string): Promise<Result<string | null>>
  /** Whose account the stored credentials open. Refusals: as above, and for one that cannot be listened to. */
  account(): Promise<Result<string>>
  /** Until the code is said there or the signal ends it (false); then sets it up and listens. Refusals: as for `HomeChannels.find`. */
  find(code: string, signal: AbortSignal): Promise<Result<boolean>>
  /** Listens no more. What is left for its owner to do by hand; null for nothing. */
  leave(): Promise<string | null>
  trouble(refusal: Refusal): string | null
}
