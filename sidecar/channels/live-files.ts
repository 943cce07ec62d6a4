/**
 * File port of the chats that are connected now. Refuses files of a chat that is not connected, and of one that fetches
 * no files. Must not keep a reference to a chat. Called by powers.ts.
 */
import type { HomeChannel } from '../../integrations/channels/runtime/home-package.ts'
import type { FilePort } from '../../kernel/features/files/file-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

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
