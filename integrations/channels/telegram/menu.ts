/**
 * Telegram's command menu (O-21): set for the owner's private chat with the bot only, since elsewhere nobody would answer the
 * commands. Lists only commands with a handler: the kernel's own table. Called when a bot is set up, and by the place that holds
 * its token when the table has changed.
 */

import { digestOf } from '../../../kernel/flow/digest.ts'
import type { Place } from '../../../kernel/flow/place.ts'
import type { Result } from '../../../kernel/flow/verdict.ts'
import { commandsAt } from '../../../kernel/operations/commands.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { ChannelState } from '../runtime/channel-state.ts'
import type { BotApi } from './api.ts'

export interface Menu {
  /** Changes with the list of commands and with the chat. */
  readonly digest: string
  /** Refusals: those of the Bot API. */
  readonly set: (api: BotApi) => Promise<Result<unknown>>
}

/**
 * `owner`: Telegram's id of the owner, also the id of the private chat. `own`: commands defined by the owner, if the place knows
 * them.
 */
export function menuFor(owner: number, own: readonly OwnCommandEntry[], place: Place): Menu {
  const commands = commandsAt(own, place).map(({ name, description }) => ({ command: name, description }))
  return {
    digest: digestOf([String(owner), JSON.stringify(commands)]),
    set: (api) => api.ask((bot) => bot.setMyCommands(commands, { scope: { type: 'chat', chat_id: owner } })),
  }
}

/** Digest of the list set at Telegram; empty when unknown. */
const KEPT = 'telegram-menu'

/** Sets the newest list, if another one is set now. A failure is retried at the next call. */
export async function keepMenu(kept: ChannelState, menu: Menu, api: BotApi): Promise<void> {
  if (kept.get<string>(KEPT) === menu.digest) return
  // Stored first, so that two concurrent messages set it once.
  kept.put(KEPT, menu.digest)
  const set = await menu.set(api).catch(() => null)
  if (set?.ok !== true) kept.put(KEPT, '')
}

/** Removes the menus for all other chats, also those set before the bot was the owner's line. */
export async function clearMenus(api: BotApi): Promise<Result<unknown>> {
  const all = await api.ask((bot) => bot.deleteMyCommands())
  return all.ok ? api.ask((bot) => bot.deleteMyCommands({ scope: { type: 'all_private_chats' } })) : all
}
