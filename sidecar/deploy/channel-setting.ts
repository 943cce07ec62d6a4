/**
 * Adds a channel's table to `config.toml`, and removes it again. Must not change a line that the owner wrote; holds no
 * token. Called by open-channels.ts and by `pfar channel`.
 */
import {
  type ChannelDeclaration,
  type TableFile,
  tableLines,
} from '../../integrations/channels/runtime/declaration.ts'
import { readConfigText, replaceConfig } from '../config/config-file.ts'
import { withoutTable } from '../init/settings-edit.ts'
import { appendSetting } from './edge-setting.ts'

/** `path`: path of `config.toml`. */
export function tableFile(channel: ChannelDeclaration, path: string): TableFile {
  return {
    write(table) {
      const lines = tableLines(channel, table)
      const set = appendSetting(path, lines, ({ channels }) => {
        const there = channels[channel.name]
        return there !== undefined && tableLines(channel, there) === lines
      })
      return set !== 'by_hand'
    },
    remove(table) {
      const text = readConfigText(path)
      const without = text === null ? null : withoutTable(text, `${tableLines(channel, table)}\n`)
      return without !== null && replaceConfig(path, without)
    },
  }
}
