/**
 * What home's chats of this moment can fetch and read: whoever asks before a chat is there, or after it is gone, is told that nobody reads
 * it, and so is whoever asks for what came by a chat that nothing is fetched from. Must not hold a chat. Called by powers.ts.
 */
import type { HomeChannel } from '../../integrations/channels/runtime/home-package.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { FilePort } from '../../kernel/powers/file-port.ts'

export function liveFiles(channels: readonly Pick<HomeChannel, 'declaration' | 'now'>[]): FilePort {
  const from = (sink: string): Result<FilePort> => {
    const channel = channels.find(({ declaration }) => declaration.home?.sink === sink)
    if (channel?.declaration.fetches !== true) return err('tool_unknown')
    const files = channel.now()?.files
    return files === undefined ? err('sink_unknown') : ok(files)
  }
  const first = (): FilePort | undefined => channels.flatMap(({ now }) => now()?.files ?? [])[0]
  return {
    get hears() {
      return first()?.hears
    },
    get reads() {
      return first()?.reads
    },
    async text(file, most) {
      const chat = from(file.sink)
      return chat.ok ? chat.value.text(file, most) : chat
    },
    async picture(file, most) {
      const chat = from(file.sink)
      return chat.ok ? ((await chat.value.picture?.(file, most)) ?? err('sink_unknown')) : chat
    },
  }
}
