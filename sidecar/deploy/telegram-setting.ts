/**
 * Writes the owner's bot at home into `config.toml`. Must not change a line that its owner wrote, and holds no token. Called by
 * `pfar telegram connect --private`.
 */

import { TELEGRAM_ORIGIN } from '../../integrations/channels/telegram/names.ts'
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
