/**
 * Finds the owner of a Telegram bot: the person who sends it, in a private chat, the code shown on the
 * owner's screen. Must not accept anybody without that code. Called by setup.ts and home.ts, also of another
 * chat's folder.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { tell as sentence } from '../../../kernel/wording/words.ts'
import type { SetupPorts } from '../runtime/home-package.ts'
import type { BotApi } from './api.ts'
import { readUpdate } from './update.ts'

/** Milliseconds for the owner to open the app and send the code. */
const OWNER_WITHIN = 300_000
const LOOK_EVERY = 1_000
/** Seconds of one long poll. */
const POLL = 5

export interface FoundOwner {
  /** Telegram's id of the owner. */
  readonly owner: number
  /** Id of the first update after the code. */
  readonly next: number
}

/** `bot`: its user name. Refusals: pairing_refused (nobody sent the code in time), those of the service. */
export async function findOwner(
  api: BotApi,
  { bot, code, tell }: { readonly bot: string } & Pick<SetupPorts, 'code' | 'tell'>,
): Promise<Result<FoundOwner>> {
  tell(`Send this to @${bot}, from your own account: ${code}`)
  tell(`(or open https://t.me/${bot}?start=${code} and press Start)`)
  const late = AbortSignal.timeout(OWNER_WITHIN)
  const found = await waitForCode(api, code, late)
  if (!found.ok) return found
  if (found.value === null) return err('pairing_refused', { why: 'nobody' })
  tell(`You are ${found.value.owner} there.`)
  await sayThere(api, found.value, sentence('channels.code_right'))
  return ok(found.value)
}

/**
 * Sends a fixed text to the chat that sent the code. A failure does not matter: the terminal shows the same.
 */
export async function sayThere(
  api: BotApi,
  { owner }: Pick<FoundOwner, 'owner'>,
  text: string,
): Promise<void> {
  await api.ask((bot) => bot.sendMessage(owner, text))
}

/**
 * Waits for the person who sends the code to the bot in a private chat; null when the signal aborted first.
 * Refusals: those of the service.
 */
export async function waitForCode(
  api: BotApi,
  code: string,
  signal: AbortSignal,
): Promise<Result<FoundOwner | null>> {
  let offset = 0
  while (!signal.aborted) {
    const answer = await api.ask((bot) => bot.getUpdates({ offset, timeout: POLL }))
    if (!answer.ok) return answer
    for (const update of answer.value) {
      offset = update.update_id + 1
      const message = readUpdate(update)?.message
      const said = message?.text?.trim().replace(/^\/start\s+/, '')
      const from = message?.from
      if (said !== code || message?.chat.type !== 'private' || from?.is_bot !== false) continue
      return ok({ owner: from.id, next: offset })
    }
    await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined)
  }
  return ok(null)
}
