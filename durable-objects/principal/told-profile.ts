/**
 * One object's copy of what home has synced: the owner's time zone, and the description of the assistant (S000 §2). Uses the
 * configured zone until then. Must not decide either. Called by PrincipalObject.
 */
import type { PauseWords } from '../../kernel/task/pause.ts'
import type { EdgeSettings, KernelCalls } from '../../worker/env.ts'
import { chatNames } from '../directory.ts'
import { KERNEL_NAME } from '../names.ts'
import { createEdgeSelf, type EdgeSelf } from './self.ts'

export interface ToldProfile {
  timezone(): string
  readonly self: EdgeSelf
  /** Reads it again from KernelObject. Never throws. */
  refresh(): Promise<void>
}

export function createToldProfile(
  settings: Pick<EdgeSettings, 'timezone' | 'bot'>,
  kernel: KernelCalls<'told'>,
  pause: (words: PauseWords) => unknown,
): ToldProfile {
  const edgeSelf = createEdgeSelf(chatNames(settings.bot.channel))
  let { timezone } = settings
  return {
    timezone: () => timezone,
    self: edgeSelf,
    async refresh() {
      try {
        const { profile, self, bot, pause: said } = await kernel.getByName(KERNEL_NAME).told()
        if (profile !== null) timezone = profile.timezone
        pause(said)
        edgeSelf.told(self)
        edgeSelf.hears(bot)
      } catch {
        // Keeps the copy: an unreachable KernelObject must not prevent an answer.
      }
    },
  }
}
