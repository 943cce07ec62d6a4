/**
 * Adds the edge's address to `config.toml`. Must not change a line that the owner wrote. Called by deploy.ts, and by
 * channel-setting.ts for other tables.
 */
import { type Config, parseConfig } from '../config/config.ts'
import { readConfigText, replaceConfig } from '../config/config-file.ts'

/**
 * `there`: the file already says so. `by_hand`: a line of the owner's says otherwise, or the file could not be written.
 */
export type Setting = 'written' | 'there' | 'by_hand'

export const edgeLines = (origin: string): string => `[edge]\nurl = "${origin}"`

export function writeEdgeSetting(path: string, origin: string): Setting {
  return appendSetting(path, edgeLines(origin), ({ edge }) => edge === origin)
}

/** Appends a table to the file. `isSet`: whether a configuration already contains it. */
export function appendSetting(path: string, lines: string, isSet: (config: Config) => boolean): Setting {
  const text = readConfigText(path)
  if (text === null) return 'by_hand'
  const before = parseConfig(text)
  if (before.ok && isSet(before.value)) return 'there'
  const changed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${lines}\n`
  // A duplicate table is invalid TOML: the owner already has one, which only they may change.
  const after = parseConfig(changed)
  if (!after.ok || !isSet(after.value)) return 'by_hand'
  return replaceConfig(path, changed) ? 'written' : 'by_hand'
}
