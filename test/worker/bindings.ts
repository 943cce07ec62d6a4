/** Bindings of the worker suite: fixed keys, one enrolled device, and the loopback server. Called by vitest.config.ts. */
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID, SECRET } from '../fakes/telegram-updates.ts'
import { DEVICE, toBase64Url } from './device.ts'

const key = (fill: number): string => toBase64Url(new Uint8Array(32).fill(fill))

export const NAME_KEY = new Uint8Array(32).fill(3)
export const SIGN_KEY = new Uint8Array(32).fill(4)

/** Daily token cap for the whole edge; more than the tests use. */
export const EDGE_CAP = 50_000_000

/** `loopback`: origin of the server that plays web pages, a chat platform and a model; `telegram`: that of the scripted Bot API. */
export function workerBindings(loopback: string, telegram = 'http://127.0.0.1:1'): Record<string, string> {
  return {
    DEVICE_KEYS: JSON.stringify([{ id: DEVICE.id, publicKey: toBase64Url(DEVICE.publicKey) }]),
    EDGE_SEAL_KEY: key(1),
    EDGE_TOKEN_KEY: key(2),
    EDGE_NAME_KEY: toBase64Url(NAME_KEY),
    EDGE_SIGN_KEY: toBase64Url(SIGN_KEY),
    LOCAL_ORIGINS: JSON.stringify([loopback]),
    OWNER_TIMEZONE: 'Europe/Berlin',
    BUDGET: JSON.stringify({ tokens_per_day: EDGE_CAP }),
    TELEGRAM: JSON.stringify({
      owner: OWNER_ID,
      strangers: 'answer',
      edge: 'https://edge.test',
      api: telegram,
    }),
    TELEGRAM_TOKEN: BOT_TOKEN,
    TELEGRAM_SECRET: SECRET,
    FAKE_DELIVER_URL: `${loopback}/deliver`,
    FAKE_MODEL_URL: `${loopback}/model`,
  }
}
