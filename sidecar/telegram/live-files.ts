/**
 * What home's bot of this moment can fetch and read: whoever asks before one is there, or after it is gone, is told that nobody reads
 * it, and so is whoever asks for what came by another chat. Must not hold a bot. Called by powers.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { FilePort } from '../../kernel/powers/file-port.ts'
import type { PrivateBot } from './private-bot.ts'
import { TELEGRAM_PRIVATE } from './telegram-config.ts'

export function liveFiles({ now }: { readonly now: () => Pick<PrivateBot, 'files'> | null }): FilePort {
  const from = (sink: string): Result<FilePort> => {
    // Of his app's at Slack nothing is fetched.
    if (sink !== TELEGRAM_PRIVATE.sink) return err('tool_unknown')
    const files = now()?.files
    return files === undefined ? err('sink_unknown') : ok(files)
  }
  return {
    get hears() {
      return now()?.files.hears
    },
    get reads() {
      return now()?.files.reads
    },
    async text(file, most) {
      const bot = from(file.sink)
      return bot.ok ? bot.value.text(file, most) : bot
    },
    async picture(file, most) {
      const bot = from(file.sink)
      return bot.ok ? ((await bot.value.picture?.(file, most)) ?? err('sink_unknown')) : bot
    },
  }
}
