/**
 * The commands that Telegram offers while the owner types a slash (O-21): in his own chat with the bot, and in no other, where
 * nobody would answer them. Must not name what has no handler: the list is the kernel's own table. Called when a bot is set up,
 * and by the place that holds its token when the table has changed.
 */

import type { Place } from '../../../kernel/flow/place.ts'
import type { Result } from '../../../kernel/flow/verdict.ts'
import { commandsAt } from '../../../kernel/operations/commands.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { KeptPort } from '../runtime/kept.ts'
import type { BotApi } from './api.ts'

export interface Menu {
  /** Changes with what is offered, and to whom. */
  readonly digest: string
  /** Refusals: those of the Bot API. */
  readonly set: (api: BotApi) => Promise<Result<unknown>>
}

/** `owner`: Telegram's id of him, which is the one of his private chat, too. `own`: his own commands, if its place knows them. */
export function menuFor(owner: number, own: readonly OwnCommandEntry[], place: Place): Menu {
  const commands = commandsAt(own, place).map(({ name, description }) => ({ command: name, description }))
  return {
    digest: digestOf([String(owner), JSON.stringify(commands)]),
    set: (api) => api.call('setMyCommands', { commands, scope: { type: 'chat', chat_id: owner } }),
  }
}

/** Digest of the list of commands that stands at Telegram; empty where that is not known. */
const KEPT = 'telegram-menu'

/** Tells the newest list, where it is not the one that stands there. What is lost is tried again the next time. */
export async function keepMenu(kept: KeptPort, menu: Menu, api: BotApi): Promise<void> {
  if (kept.get<string>(KEPT) === menu.digest) return
  // Noted first: two messages at once ask for it once.
  kept.put(KEPT, menu.digest)
  const set = await menu.set(api).catch(() => null)
  if (set?.ok !== true) kept.put(KEPT, '')
}

/** Whoever else writes to the bot is offered nothing, whatever it offered before it was the owner's line. */
export async function clearMenus(api: BotApi): Promise<Result<unknown>> {
  const all = await api.call('deleteMyCommands', {})
  return all.ok ? api.call('deleteMyCommands', { scope: { type: 'all_private_chats' } }) : all
}
