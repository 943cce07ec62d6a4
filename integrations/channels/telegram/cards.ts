/** Buttons under a question as Telegram takes them. Must not say what one does: ../cards.ts does. Called by the place that holds the bot's token. */

import { YES_NO } from '../../../kernel/wording/card.ts'
import { createCardDesk } from '../cards.ts'
import type { KeptPort } from '../kept.ts'
import type { CardPort } from './sender.ts'

export function createCards(kept: KeptPort, key: Uint8Array): CardPort {
  const desk = createCardDesk({ kept, channel: 'telegram' }, key)
  const button = (text: string, data: string) => ({ text, callback_data: data })
  return {
    buttonsFor({ buttons: said = YES_NO, ...card }) {
      const { yes, no, more } = desk.buttonsOf(card)
      const page = said.more === undefined ? [] : [[button(said.more, more)]]
      return { inline_keyboard: [[button(said.yes, yes), button(said.no, no)], ...page] }
    },
    shown: desk.shown,
  }
}
