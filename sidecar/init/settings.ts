/**
 * The settings that `pfar init` writes into `config.toml`, and which of the existing ones it wrote itself. Must not
 * change the owner's settings, or a file that cannot be read. Called by the steps.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import { type Config, parseConfig } from '../config/config.ts'
import { readConfigText, replaceConfig } from '../config/config-file.ts'
import { withoutTable, withSetting, withTable } from './settings-edit.ts'

/** What `pfar init` wrote earlier, by name; persistent. */
export interface Wrote {
  of(name: string): string | null
  /** Null: removed. */
  note(name: string, value: string | null): void
}

export interface Settings {
  config(): Result<Config>
  /** Whether `pfar init` may change it: it is unset, or `pfar init` wrote the present value. */
  isOwn(setting: string, now: string | null): boolean
  /** False if the owner has to set it by hand. */
  set(setting: string, value: string | null): boolean
  /** Whether `pfar init` added a table under this name. */
  hasAdded(name: string): boolean
  /** Adds a table, replacing the one that it added under this name before. */
  setTable(name: string, table: string | null): boolean
}

export function createSettings(path: string, wrote: Wrote): Settings {
  const edited = (edit: (text: string) => string | null): boolean => {
    const text = readConfigText(path)
    const changed = text === null ? null : edit(text)
    return changed !== null && (changed === text || replaceConfig(path, changed))
  }
  return {
    config: () => parseConfig(readConfigText(path) ?? ''),
    hasAdded: (name) => wrote.of(name) !== null,
    isOwn: (setting, now) => now === null || now === wrote.of(setting),
    set(setting, value) {
      const [table = '', key = ''] = setting.split('.')
      const written = edited((text) => withSetting(text, { table, key, value, replaces: wrote.of(setting) }))
      if (written) wrote.note(setting, value)
      return written
    },
    setTable(name, table) {
      const former = wrote.of(name)
      const written = edited((text) => {
        const base = former === null ? text : withoutTable(text, former)
        return base === null || table === null ? base : withTable(base, table)
      })
      if (written) wrote.note(name, table)
      return written
    },
  }
}
