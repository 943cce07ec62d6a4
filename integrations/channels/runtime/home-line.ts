/**
 * Shared parts of home's channel lines (F-18, H-03, H-05): the state of the owner's chat and the notices about it, and the inbox's
 * dependencies. Must not open a connection: the package's own line does. Called by home-line.ts of the packages.
 */

import { putElsewhere } from '../../../kernel/features/approvals/asking.ts'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import { type BotLine, watchToken } from './bot-line.ts'
import { settleTap } from './cards.ts'
import type { LineWays } from './home-package.ts'
import type { InboxWays } from './inbox.ts'
import type { KeptPort } from './kept.ts'

export interface HearingInput {
  readonly channel: string
  readonly sink: string
  readonly line: BotLine
  readonly ways: Pick<LineWays, 'powers' | 'tell' | 'drive'>
  /** Whether the fault needs the owner. A refused token is reported by its custodian instead. */
  readonly isSetUpWrongly: (trouble: Refusal) => boolean
  /** The fault in a sentence for the owner. */
  readonly words: (trouble: Refusal) => string
}

export interface Hearing {
  /** Called whenever the fault changes; null once messages arrive. */
  news(trouble: Refusal | null): void
  /** `asked`: whether a request to the service has been answered since the start. */
  status(asked: boolean): Readonly<Record<string, unknown>>
}

export function createHearing(input: HearingInput): Hearing {
  const { channel, sink, line, ways, isSetUpWrongly, words } = input
  let trouble: Refusal | null = null
  const now = (): Refusal | null => trouble ?? tokenRefused()
  const judge = (): void => {
    const standing = now()
    line.deaf = standing !== null && (isSetUpWrongly(standing) || standing.code === 'credential_rejected')
    if (!line.deaf) return
    putElsewhere(ways.powers, sink)
    ways.drive()
  }
  const tokenRefused = watchToken(line, judge)
  return {
    news(told) {
      trouble = told
      judge()
      if (told !== null && isSetUpWrongly(told))
        ways.tell({ id: `${channel}:${ways.powers.now()}`, code: 'credential_mismatch', about: channel })
    },
    status(asked) {
      if (!asked) return { [channel]: 'connects' }
      const standing = now()
      return { [channel]: standing === null ? 'listens' : `does not hear: ${words(standing)}` }
    },
  }
}

/** Inbox dependencies for the owner's chat at `sink`. */
export function inboxOf(
  { powers, shell, notify }: Pick<LineWays, 'powers' | 'shell' | 'notify'>,
  { channel, sink, kept }: { readonly channel: string; readonly sink: string; readonly kept: KeptPort },
): InboxWays {
  return {
    receive: (event) => shell.receive(event),
    refuse: (notice) => notify({ ...notice, sink }),
    settle: (tap) => settleTap({ kept, channel }, { powers, shell }, tap),
  }
}
