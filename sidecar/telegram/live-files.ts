/**
 * What home's bot of this moment can fetch and read: whoever asks before one is there, or after it is gone, is told that nobody reads
 * it. Must not hold a bot. Called by powers.ts.
 */
import { refused } from '../../kernel/flow/verdict.ts'
import type { FilePort } from '../../kernel/powers/file-port.ts'
import type { PrivateBot } from './private-bot.ts'

export function liveFiles({ now }: { readonly now: () => Pick<PrivateBot, 'files'> | null }): FilePort {
  return {
    get hears() {
      return now()?.files.hears
    },
    get reads() {
      return now()?.files.reads
    },
    text: async (file, most) => (await now()?.files.text(file, most)) ?? refused('sink_unknown'),
    picture: async (file, most) => (await now()?.files.picture?.(file, most)) ?? refused('sink_unknown'),
  }
}
