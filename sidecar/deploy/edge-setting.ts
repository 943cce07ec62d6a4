/**
 * Writes the edge's address into `config.toml`, where home reads which edge it dials. Must not change a line that its
 * owner wrote. Called by deploy.ts, and by channel-setting.ts for a table of its own.
 */
import { type Config, parseConfig } from '../config.ts'
import { readConfigText, replaceConfig } from '../config-file.ts'

/** `written`; `there` when it says so already; `by_hand` when a line of the owner's says something else, or nothing could be written. */
export type Setting = 'written' | 'there' | 'by_hand'

export const edgeLines = (origin: string): string => `[edge]\nurl = "${origin}"`

export function writeEdgeSetting(path: string, origin: string): Setting {
  return appendSetting(path, edgeLines(origin), ({ edge }) => edge === origin)
}

/** A table at the end of the file; `isSet` says whether a configuration has it. */
export function appendSetting(path: string, lines: string, isSet: (config: Config) => boolean): Setting {
  const text = readConfigText(path)
  if (text === null) return 'by_hand'
  const before = parseConfig(text)
  if (before.ok && isSet(before.value)) return 'there'
  const changed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${lines}\n`
  // A second table of one name is no TOML: then its owner has one, and it is his to change.
  const after = parseConfig(changed)
  if (!after.ok || !isSet(after.value)) return 'by_hand'
  return replaceConfig(path, changed) ? 'written' : 'by_hand'
}
