/**
 * What every line of home's has in common while it listens (F-18, H-03, H-05): how its owner's chat fares and what is said of that, and
 * the ways of the inbox. Must not open a connection: the package's own line does. Called by home-line.ts of the packages.
 */
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import { putElsewhere } from '../../../kernel/runtime/asking.ts'
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
  /** Whether it will not pass by itself. A token that is refused does not, and is told of by its custodian. */
  readonly isSetUpWrongly: (trouble: Refusal) => boolean
  /** In a sentence for its owner. */
  readonly words: (trouble: Refusal) => string
}

export interface Hearing {
  /** Why it does not hear, at each time that this changes; null once it hears. */
  news(trouble: Refusal | null): void
  /** `asked`: whether its service, or the way to it, has answered by now. */
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

/** Of the owner's chat at `sink`. */
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
