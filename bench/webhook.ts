/**
 * Time until the 200 of a messenger's webhook while the owner's model takes half a minute (B-25): Telegram-shaped updates to the
 * product's own route. Must not wait for an answer. Called by bench/edge.ts; its bot also by bench/path.ts.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { percentile } from './figures.ts'
import type { Runtime } from './runtime.ts'

/** Sequential updates, as Telegram delivers those of one chat. */
const UPDATES = 100
/** Uncounted updates: the first creates the object and its tables. */
const WARM_UP = 10

/** A fictitious bot, and its owner. */
export interface BenchBot {
  readonly owner: number
  readonly secret: string
  /** Bindings of the edge. */
  readonly bindings: Readonly<Record<string, string>>
}

/** `api`: origin of a Bot API that accepts any request. */
export function benchBot(api: string): BenchBot {
  const [owner, secret] = [1_001, randomBytes(32).toString('hex')]
  const token = `4242:${randomBytes(20).toString('hex')}`
  const setting = JSON.stringify({ owner, api })
  return { owner, secret, bindings: { TELEGRAM: setting, TELEGRAM_TOKEN: token, TELEGRAM_SECRET: secret } }
}

/** True for an acknowledgement: an empty one, or one with the Bot API call that shows the typing indicator. */
export function isTaken(answer: string): boolean {
  return answer === '{"ok":true}' || answer.startsWith('{"method":"sendChatAction"')
}

/** 95th percentile of the time to the 200, milliseconds. */
export async function webhookTime({ origin }: Runtime, { owner, secret }: BenchBot): Promise<number> {
  const samples: number[] = []
  const first = randomInt(1_000_000)
  for (let n = 0; n < UPDATES; n += 1) {
    const message = {
      ...{ message_id: first + n, date: 1, text: 'hello' },
      chat: { id: owner, type: 'private', first_name: 'X' },
      from: { id: owner, is_bot: false, first_name: 'X' },
    }
    const begun = performance.now()
    const response = await fetch(`${origin}/telegram/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify({ update_id: first + n, message }),
    })
    const answer = await response.text()
    if (!isTaken(answer)) throw new Error(`refused with ${response.status}: ${answer}`)
    samples.push(performance.now() - begun)
  }
  return percentile(samples.slice(WARM_UP), 0.95)
}
