/**
 * Writes the owner's bot at home into `config.toml`. Must not change a line that its owner wrote, and holds no token. Called by
 * `pfar telegram connect --private` and telegram-channel.ts.
 */

import { TELEGRAM_ORIGIN } from '../../integrations/channels/telegram/names.ts'
import { readConfigText, replaceConfig } from '../config-file.ts'
import { withoutTable } from '../init/settings-edit.ts'
import type { TelegramConfig } from '../telegram/telegram-config.ts'
import { appendSetting } from './edge-setting.ts'

export function telegramLines({ owner, bot, api }: TelegramConfig): string {
  const lines = ['[telegram]', `owner = ${owner}`, `bot = ${bot}`]
  return (api === TELEGRAM_ORIGIN ? lines : [...lines, `api = "${api}"`]).join('\n')
}

/** False where a line of the owner's says something else, or nothing could be written. */
export function writeTelegramSetting(path: string, telegram: TelegramConfig): boolean {
  const { owner, bot, api } = telegram
  return (
    appendSetting(path, telegramLines(telegram), ({ telegram: there }) =>
      there === null ? false : there.owner === owner && there.bot === bot && there.api === api,
    ) !== 'by_hand'
  )
}

/** Takes those lines out again; false where they do not stand there as they were written. */
export function clearTelegramSetting(path: string, telegram: TelegramConfig): boolean {
  const text = readConfigText(path)
  const changed = text === null ? null : withoutTable(text, `${telegramLines(telegram)}\n`)
  return changed !== null && replaceConfig(path, changed)
}
